#include "seed_test.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "attempts.h"
#include "execute.h"
#include "machine/error.h"
#include "schedule/plan_json.h"
#include "verify/processes/child.h"

namespace warptile::fuzz {

namespace {

/// Seconds; only a hang takes as long, also where others keep the machine busy.
constexpr double time_limit = 600;
/// Seconds of the processor, which others do not change: what took more would be a hang on a slower machine.
constexpr double processor_limit = 150;

/// PoCL compiles for the very work group, and unrolls what it does: of some kernels for minutes.
constexpr double pocl_time_limit = 120;

class SeedTest {
public:
    SeedTest(uint64_t seed, const SeedOptions &options) : options_(options) { report_.seed = seed; }

    SeedReport run() {
        const std::string traits = phase("pipeline", [&] { return traits_text(seed()); });
        if (traits.empty()) {
            return report_;
        }
        report_.traits = nlohmann::json::parse(traits).get<std::vector<std::string>>();
        const std::optional<Plan> plan = draw_plan();
        if (plan) {
            const size_t refusals = report_.refusals.size();
            report_.nothing_to_run =
                !report_run(timed("mirror", [&] { return run_mirror(seed(), *plan); }), "mirror", Limits::Excused);
            const bool runs = report_.failures.empty() && report_.refusals.size() == refusals;
            const bool assembled = runs && (on_gpu() || due(options_.assemble_every)) && assemble(*plan);
            if (assembled && on_gpu()) {
                run_on_gpu("cuda", *plan);
            }
            if (due(options_.replay_every)) {
                replay(*plan);
            }
        }
        if (options_.with_opencl && due(options_.opencl_every)) {
            run_opencl();
        }
        if (due(options_.search_every)) {
            run_search();
        }
        if (report_.failures.empty()) {
            report_.plan.clear();
        } else {
            report_.program = phase("program", [&] { return program_text(make_pipeline(seed())); });
        }
        return report_;
    }

private:
    SeedOptions options_;
    SeedReport report_;

    uint64_t seed() const { return report_.seed; }

    static Halide::Target opencl() {
        return Halide::get_host_target().with_feature(Halide::Target::OpenCL).with_feature(Halide::Target::CLDoubles);
    }

    static Halide::Target cuda_here() {
        return Halide::get_host_target()
            .with_feature(Halide::Target::CUDA)
            .with_feature(Halide::Target::CUDACapability80);
    }

    bool due(int every) const { return every > 0 && seed() % static_cast<uint64_t>(every) == 0; }

    ChildResult timed(const std::string &name, const std::function<std::string()> &work, double limit = time_limit) {
        const auto start = std::chrono::steady_clock::now();
        const auto watched = [&] {
            std::string result = work();
            if (const double took = static_cast<double>(std::clock()) / CLOCKS_PER_SEC; took > processor_limit) {
                throw Error("took " + std::to_string(took) + " s of the processor");
            }
            return result;
        };
        const ChildResult r = run_in_child(watched, limit);
        report_.seconds[name] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return r;
    }

    /// Work that failed is a failure, and so are words of a check that returns them.
    void report(const ChildResult &r, const std::string &name) {
        const std::string text = r.ok() ? r.bytes : r.message.empty() ? to_string(r.end) : r.message;
        if (!text.empty()) {
            report_.failures.push_back(name + ": " + text);
        }
    }

    /// What `work` returns in a child; where it fails, a failure and nothing.
    std::string phase(const std::string &name, const std::function<std::string()> &work) {
        const ChildResult r = timed(name, work);
        if (!r.ok()) {
            report(r, name);
        }
        return r.ok() ? r.bytes : "";
    }

    /// A random plan that Halide's lowering takes; nothing after a failure, or where it takes none of a few.
    std::optional<Plan> draw_plan() {
        for (int draw = 0; draw < most_draws; draw++) {
            const std::string text = phase("plan", [&] { return random_plan_text(seed(), PlanStyle::Any, draw); });
            if (text.empty()) {
                return std::nullopt;
            }
            Plan plan = plan_from_json(text);
            const bool taken = settle(plan);
            report_.census = census(plan);
            report_.plan = to_json(plan);
            if (taken || !report_.failures.empty()) {
                return taken && report_.failures.empty() ? std::optional<Plan>(plan) : std::nullopt;
            }
            report_.refusals.push_back(report_.refused);
        }
        return std::nullopt;
    }

    /// Lowers the plan. Whether the extent of a member's loop has a bound that Halide can prove is Halide's secret:
    /// where it cannot, the loops stay loops. False: Halide refuses the plan for a reason that is its own.
    bool settle(Plan &plan) {
        for (const bool rolled : {false, true}) {
            const ChildResult r = timed("lower", [&] { return lower_and_judge(seed(), plan, false); });
            report_.refused = r.end == ChildResult::End::crashed ? crash_of_halide(plan)
                                                                 : limit_of_halide(r.ok() ? r.bytes : r.message);
            if (report_.refused.empty()) {
                report(r, "gpu");
                return true;
            }
            if (report_.refused != cannot_unroll || rolled) {
                return false;
            }
            report_.rolled = true;
            roll(plan);
        }
        return false;
    }

    /// Lowering can crash in Halide (bounds inference asks a Func that it has not got, seed 72): words where it does
    /// with nothing of ours behind it, else nothing.
    std::string crash_of_halide(const Plan &plan) {
        const ChildResult r = timed("lower", [&] {
            lower_by_halide(seed(), plan);
            return std::string();
        });
        return r.end == ChildResult::End::crashed ? "Halide's lowering crashes" : "";
    }

    /// Some of Halide's faults show only when device code is made; they are not ours. False: neither a failure nor one
    /// of these.
    bool report_unless_limit(const ChildResult &r, const std::string &name) {
        const std::string limit = limit_of_halide(r.ok() ? r.bytes : r.message);
        if (!limit.empty()) {
            report_.refusals.push_back(limit);
            return false;
        }
        report(r, name);
        return report_.failures.empty();
    }

    /// Whether there is device code that can be loaded.
    bool assemble(const Plan &plan) {
        return report_unless_limit(timed("gpu", [&] { return lower_and_judge(seed(), plan, true); }), "gpu");
    }

    /// The search's own plans have been lowered before, so that no limit of Halide's is expected of them.
    enum class Limits { Excused, Failures };

    /// Reports what a run of the plan found, but for limits of Halide that are excused. False: there was nothing to
    /// run.
    bool report_run(const ChildResult &r, const std::string &name, Limits limits) {
        if (r.ok() && r.bytes == nothing_to_run) {
            return false;
        }
        if (limits == Limits::Excused) {
            report_unless_limit(r, name);
        } else {
            report(r, name);
        }
        return true;
    }

    bool on_gpu() const { return options_.with_cuda && due(options_.gpu_every); }

    void run_on_gpu(const std::string &name, const Plan &plan) {
        const ChildResult r = timed(name, [&] { return run_plan(seed(), plan, ApplyTo::Gpu, cuda_here()); });
        report_run(r, name, Limits::Excused);
        report_.ran_on_gpu |= r.ok() && r.bytes.empty();
    }

    void replay(const Plan &plan) {
        const std::string first = phase("replay", [&] { return lowered_text(seed(), plan); });
        const std::string second = phase("replay", [&] { return lowered_text(seed(), plan); });
        if (first != second) {
            report_.failures.push_back("replay: two runs lower to different statements");
        }
    }

    void run_opencl() {
        const std::string text = phase("opencl plan", [&] {
            // PoCL has no half-precision floats on most hosts, and without them Halide does not lower.
            const bool half = program_text(make_pipeline(seed())).find("float16") != std::string::npos;
            return half ? std::string() : random_plan_text(seed(), PlanStyle::WithoutLanes);
        });
        if (text.empty()) {
            return;
        }
        const size_t failures = report_.failures.size();
        Plan plan = plan_from_json(text);
        roll(plan);
        phase("opencl lower", [&] {
            lower_by_halide(seed(), plan, opencl());
            return std::string();
        });
        const ChildResult r = timed(
            "opencl", [&] { return run_plan(seed(), plan, ApplyTo::Gpu, opencl()); }, pocl_time_limit);
        if (r.end == ChildResult::End::timed_out) {
            report_.refusals.push_back("PoCL's compiler takes longer than the time limit");
            return;
        }
        report_run(r, "opencl", Limits::Failures);
        if (report_.failures.size() > failures) {
            report_.plan = to_json(plan);
        }
    }

    void run_search() {
        const std::string text = phase("search", [&] {
            const Searched s = search_plan(seed());
            if (!s.problem.empty()) {
                throw Error(s.problem);
            }
            return nlohmann::json({s.kernels, s.fallbacks, to_json(s.plan)}).dump();
        });
        if (text.empty()) {
            return;
        }
        const nlohmann::json j = nlohmann::json::parse(text);
        report_.search_kernels = j[0];
        report_.search_fallbacks = j[1];
        const Plan plan = plan_from_json(j[2].get<std::string>());
        const size_t failures = report_.failures.size();
        report_run(timed("search mirror", [&] { return run_mirror(seed(), plan); }), "search mirror", Limits::Failures);
        if (on_gpu()) {
            run_on_gpu("search cuda", plan);
        }
        if (report_.failures.size() > failures) {
            report_.plan = to_json(plan);
        }
    }
};

/// The fields of a census in one order, for sending it through a pipe.
std::vector<int *> fields(PlanCensus &c) {
    return {&c.kernels,         &c.inlined,         &c.host,         &c.thread,        &c.warp,
            &c.block,           &c.staged_warp,     &c.staged_block, &c.staged_thread, &c.rfactor_warp,
            &c.rfactor_block,   &c.rfactor_root,    &c.streamed,     &c.chunked,       &c.adjacent,
            &c.round_up,        &c.guard,           &c.both,         &c.atomic,        &c.wrapped,
            &c.histogram_parts, &c.histogram_block, &c.each_step,    &c.steps,         &c.boxes,
            &c.any_size};
}

}  // namespace

SeedReport test_seed(uint64_t seed, const SeedOptions &options) { return SeedTest(seed, options).run(); }

std::string to_text(const SeedReport &report) {
    PlanCensus c = report.census;
    std::vector<int> counts;
    for (const int *field : fields(c)) {
        counts.push_back(*field);
    }
    const nlohmann::json j = {{"seed", report.seed},
                              {"failures", report.failures},
                              {"census", counts},
                              {"traits", report.traits},
                              {"kernels", report.search_kernels},
                              {"fallbacks", report.search_fallbacks},
                              {"program", report.program},
                              {"plan", report.plan},
                              {"rolled", report.rolled},
                              {"nothing_to_run", report.nothing_to_run},
                              {"ran_on_gpu", report.ran_on_gpu},
                              {"refused", report.refused},
                              {"refusals", report.refusals},
                              {"seconds", report.seconds}};
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SeedReport report_from_text(const std::string &text) {
    const nlohmann::json j = nlohmann::json::parse(text);
    SeedReport r;
    r.seed = j["seed"];
    r.failures = j["failures"].get<std::vector<std::string>>();
    const std::vector<int> counts = j["census"];
    const std::vector<int *> to = fields(r.census);
    for (size_t i = 0; i < to.size(); i++) {
        *to[i] = counts.at(i);
    }
    r.traits = j["traits"].get<std::vector<std::string>>();
    r.search_kernels = j["kernels"];
    r.search_fallbacks = j["fallbacks"];
    r.rolled = j["rolled"];
    r.nothing_to_run = j["nothing_to_run"];
    r.ran_on_gpu = j["ran_on_gpu"];
    r.refused = j["refused"];
    r.refusals = j["refusals"].get<std::vector<std::string>>();
    r.seconds = j["seconds"].get<std::map<std::string, double>>();
    r.program = j["program"];
    r.plan = j["plan"];
    return r;
}

}  // namespace warptile::fuzz
