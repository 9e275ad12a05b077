// warptile-fuzz [--gpu-every K] N [FIRST]: tries the seeds FIRST .. FIRST + N - 1 (FIRST is 0 where it is not given);
// on a GPU, where there is one, those that K (1) divides. Prints the seed, the program and the plan of each failure,
// and at the end how often each part of the space of plans occurred. Succeeds where nothing failed and, from 200 seeds
// on, Halide's lowering took 95 % of the random plans, each placement, staging and `rfactor` occurred in at least 5 %
// of them, atomic updates and each kind of pipeline that is named in at least 3
// %, and at most 2 % of the search's kernels fell back to the plain schedule.
//
// warptile-fuzz --bundle FOLDER N [FIRST]: compiles the seeds for a machine with a GPU instead (bundle.h).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "Halide.h"
#include "bundle.h"
#include "execute.h"
#include "gpu.h"
#include "seed_test.h"
#include "verify/processes/child.h"

using namespace warptile;
using namespace warptile::fuzz;

namespace {

constexpr int seeds_for_statistics = 200;
constexpr double rarest_percent = 5, rarest_trait_percent = 3, most_fallbacks_percent = 2, most_refused_percent = 5;
constexpr double seed_time_limit = 3600;

/// How many seeds had what, and all that failed.
struct Totals {
    int seeds = 0, failed = 0;
    int thread = 0, warp = 0, block = 0, root = 0, inlined = 0;
    int staged_warp = 0, staged_block = 0, rfactor_warp = 0, rfactor_block = 0;
    int each_step = 0, steps = 0, boxes = 0;
    int histogram_parts = 0, histogram_block = 0, any_size = 0;
    int adjacent = 0, chunked = 0, streamed = 0, round_up = 0, guard = 0, both = 0, atomic = 0, wrapped = 0;
    int search_kernels = 0, search_fallbacks = 0, rolled = 0, refused = 0, nothing_to_run = 0, ran_on_gpu = 0;
    std::map<std::string, int> refusals, traits;
    std::map<std::string, double> seconds;
};

/// What every so many seeds draw at least.
const std::vector<const char *> needed_traits = {"stores over an RDom",
                                                 "places and a sum",
                                                 "where",
                                                 "scatters of floats",
                                                 "scatters of integers",
                                                 "a total read by an image",
                                                 "a sum of sums",
                                                 "chain of updates",
                                                 "mosaic",
                                                 "buffer constraints",
                                                 "constraints on itself",
                                                 "sizes far from the estimates",
                                                 "inputs as without a schedule"};

void add(Totals &t, const SeedReport &r) {
    const PlanCensus &c = r.census;
    t.seeds++;
    t.failed += !r.failures.empty();
    t.thread += c.thread > 0;
    t.warp += c.warp > 0;
    t.block += c.block > 0;
    t.root += c.kernels > 0;
    t.inlined += c.inlined > 0;
    t.staged_warp += c.staged_warp > 0;
    t.staged_block += c.staged_block > 0;
    t.rfactor_warp += c.rfactor_warp > 0;
    t.rfactor_block += c.rfactor_block > 0;
    t.adjacent += c.adjacent > 0;
    t.streamed += c.streamed > 0;
    t.chunked += c.chunked > 0;
    t.round_up += c.round_up > 0;
    t.guard += c.guard > 0;
    t.both += c.both > 0;
    t.atomic += c.atomic > 0;
    t.wrapped += c.wrapped > 0;
    t.each_step += c.each_step > 0;
    t.steps += c.steps > 0;
    t.boxes += c.boxes > 0;
    t.histogram_parts += c.histogram_parts > 0;
    t.histogram_block += c.histogram_block > 0;
    t.any_size += c.any_size > 0;
    t.rolled += r.rolled;
    t.nothing_to_run += r.nothing_to_run;
    t.ran_on_gpu += r.ran_on_gpu;
    if (!r.refused.empty()) {
        t.refused++;
    }
    for (const std::string &trait : r.traits) {
        t.traits[trait]++;
    }
    for (const std::string &why : r.refusals) {
        t.refusals[why]++;
    }
    for (const auto &[phase, seconds] : r.seconds) {
        t.seconds[phase] += seconds;
    }
    t.search_kernels += r.search_kernels;
    t.search_fallbacks += r.search_fallbacks;
}

void print_failure(const SeedReport &r) {
    std::cout << "seed " << r.seed << " failed\n";
    for (const std::string &f : r.failures) {
        std::cout << "  " << f << "\n";
    }
    std::cout << " program:\n" << r.program << " plan:\n" << r.plan << "\n" << std::flush;
}

/// Prints one line; false where it is too rare.
bool print_share(const char *what, int count, int seeds, bool needed, double rarest = rarest_percent) {
    const double percent = 100.0 * count / std::max(seeds, 1);
    const bool rare = needed && seeds >= seeds_for_statistics && percent < rarest;
    std::printf("  %-28s in %5d seeds, %5.1f %%%s\n", what, count, percent, rare ? "  TOO RARE" : "");
    return !rare;
}

bool print_totals(const Totals &t) {
    std::printf("%d seeds, %d failed\n", t.seeds, t.failed);
    bool good = t.failed == 0;
    good &= print_share("root", t.root, t.seeds, true);
    good &= print_share("inline", t.inlined, t.seeds, true);
    good &= print_share("thread", t.thread, t.seeds, true);
    good &= print_share("warp", t.warp, t.seeds, true);
    good &= print_share("block", t.block, t.seeds, true);
    good &= print_share("at each step of a reduction", t.each_step, t.seeds, true, rarest_trait_percent);
    good &= print_share("steps taken together", t.steps, t.seeds, true);
    good &= print_share("steps of several loops", t.boxes, t.seeds, true, rarest_trait_percent);
    good &= print_share("input staged at warp", t.staged_warp, t.seeds, true);
    good &= print_share("input staged at block", t.staged_block, t.seeds, true);
    good &= print_share("rfactor at warp", t.rfactor_warp, t.seeds, true);
    good &= print_share("rfactor at block", t.rfactor_block, t.seeds, true);
    print_share("lanes with chunks", t.chunked, t.seeds, false);
    print_share("lanes with adjacent columns", t.adjacent, t.seeds, false);
    print_share("lanes row by row", t.streamed, t.seeds, false);
    print_share("tail: whole tiles", t.round_up, t.seeds, false);
    print_share("tail: guard", t.guard, t.seeds, false);
    print_share("tail: by size", t.both, t.seeds, false);
    good &= print_share("atomic update", t.atomic, t.seeds, true, rarest_trait_percent);
    print_share("atomic partial results", t.histogram_parts, t.seeds, false);
    print_share("atomic in shared memory", t.histogram_block, t.seeds, false);
    print_share("shared, of any size", t.any_size, t.seeds, false);
    print_share("a copy as a kernel's output", t.wrapped, t.seeds, false);
    print_share("loops not all unrolled", t.rolled, t.seeds, false);
    print_share("no plan taken by Halide", t.refused, t.seeds, false);
    print_share("no meaning at any size", t.nothing_to_run, t.seeds, false);
    print_share("executed on the GPU", t.ran_on_gpu, t.seeds, false);
    std::printf("  pipelines with\n");
    for (const char *trait : needed_traits) {
        const auto found = t.traits.find(trait);
        good &= print_share(trait, found == t.traits.end() ? 0 : found->second, t.seeds, true, rarest_trait_percent);
    }
    for (const auto &[trait, seeds] : t.traits) {
        if (std::none_of(needed_traits.begin(), needed_traits.end(), [&](const char *n) { return n == trait; })) {
            print_share(trait.c_str(), seeds, t.seeds, false);
        }
    }
    for (const auto &[why, seeds] : t.refusals) {
        std::printf("    %d plans refused: %s\n", seeds, why.c_str());
    }
    const bool mostly_taken = t.seeds < seeds_for_statistics || 100.0 * t.refused / t.seeds <= most_refused_percent;
    for (const auto &[phase, seconds] : t.seconds) {
        std::printf("  phase %-22s %8.1f s\n", phase.c_str(), seconds);
    }
    const double fallbacks = 100.0 * t.search_fallbacks / std::max(t.search_kernels, 1);
    std::printf("  the search's own plans: %d kernels, %d fell back to the plain schedule, %.1f %%\n", t.search_kernels,
                t.search_fallbacks, fallbacks);
    return good && mostly_taken && (t.seeds < seeds_for_statistics || fallbacks <= most_fallbacks_percent);
}

/// The part of the just-in-time compiler that all pipelines share is made once, and every child inherits it.
void warm_up() {
    Halide::Func f("warm_up");
    Halide::Var x("x");
    f(x) = x;
    f.realize({4}, Halide::get_host_target());
}

/// Whether a pipeline runs on a device of `target`; tried in a child, since a driver may take threads and memory.
bool runs_here(const Halide::Target &target) {
    const ChildResult r = run_in_child(
        [&] {
            if (!Halide::host_supports_target_device(target)) {
                return std::string();
            }
            Halide::Func f("probe");
            Halide::Var x("x"), xo("xo"), xi("xi");
            f(x) = x * 2;
            f.gpu_tile(x, xo, xi, 8, Halide::TailStrategy::GuardWithIf);
            Halide::Buffer<int> b = f.realize({20}, target);
            b.copy_to_host();
            return std::string(b(19) == 38 ? "yes" : "");
        },
        60);
    return r.ok() && r.bytes == "yes";
}

int run(int count, uint64_t first, SeedOptions options) {
    warm_up();
    options.with_opencl = runs_here(Halide::get_host_target().with_feature(Halide::Target::OpenCL));
    options.with_cuda = runs_here(
        Halide::get_host_target().with_feature(Halide::Target::CUDA).with_feature(Halide::Target::CUDACapability80));
    const std::string gpu = options.with_cuda ? run_in_child(gpu_name, 60).bytes : "";
    std::cout << (options.with_opencl ? "plans without lanes also run on OpenCL\n" : "no OpenCL device: not tried\n")
              << (!options.with_cuda       ? "no GPU of capability 8.0 or more: not tried\n"
                  : options.gpu_every == 1 ? "every plan also runs on the GPU: " + gpu + "\n"
                                           : "of every " + std::to_string(options.gpu_every) +
                                                 " seeds one also runs on the GPU: " + gpu + "\n")
              << std::flush;
    const int at_once = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    constexpr int batch = 32;
    Totals totals;
    for (int done = 0; done < count; done += batch) {
        std::vector<std::function<std::string()>> works;
        for (int i = done; i < std::min(count, done + batch); i++) {
            works.emplace_back([=] { return to_text(test_seed(first + static_cast<uint64_t>(i), options)); });
        }
        const std::vector<ChildResult> results = run_in_children(works, seed_time_limit, at_once);
        for (size_t i = 0; i < results.size(); i++) {
            SeedReport report;
            if (results[i].ok()) {
                report = report_from_text(results[i].bytes);
            } else {
                report.seed = first + static_cast<uint64_t>(done) + i;
                report.failures = {"the test itself: " + results[i].message};
            }
            add(totals, report);
            if (!report.failures.empty()) {
                print_failure(report);
            }
        }
    }
    const bool good = print_totals(totals);
    std::cout << "  GPU: " << (options.with_cuda ? gpu : "none") << "\n";
    return good ? 0 : 1;
}

bool number(const char *text, long &value) {
    char *end = nullptr;
    value = std::strtol(text, &end, 10);
    return *text && !*end && value >= 0;
}

/// Takes `--name VALUE` out of the arguments; empty where it is not there.
std::string taken_out(std::vector<std::string> &args, const std::string &name) {
    const auto at = std::find(args.begin(), args.end(), name);
    if (at == args.end() || at + 1 == args.end()) {
        return "";
    }
    const std::string value = *(at + 1);
    args.erase(at, at + 2);
    return value;
}

}  // namespace

int main(int argc, char **argv) {
    std::vector<std::string> args(argv + 1, argv + argc);
    const std::string bundle = taken_out(args, "--bundle"), gpu_every = taken_out(args, "--gpu-every");
    long count = 0, first = 0, every = 1;
    const bool numbers = (args.size() == 1 || args.size() == 2) && number(args[0].c_str(), count) &&
                         (args.size() < 2 || number(args[1].c_str(), first)) &&
                         (gpu_every.empty() || (number(gpu_every.c_str(), every) && every > 0));
    if (!numbers) {
        std::cerr << "usage: warptile-fuzz [--bundle FOLDER | --gpu-every K] N [FIRST]\n";
        return 2;
    }
    if (bundle.empty()) {
        SeedOptions options;
        options.gpu_every = static_cast<int>(every);
        return run(static_cast<int>(count), static_cast<uint64_t>(first), options);
    }
    warm_up();
    return write_bundle(bundle, static_cast<int>(count), static_cast<uint64_t>(first)) > 0 ? 0 : 1;
}
