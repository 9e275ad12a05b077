#include "seed_test.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "dag/read.h"
#include "execute.h"
#include "machine/error.h"
#include "machine/machine.h"
#include "schedule/apply.h"
#include "schedule/check_plan.h"
#include "schedule/directives.h"
#include "schedule/plan_json.h"
#include "schedule/print.h"
#include "search/search.h"
#include "verify/child.h"
#include "verify/judge.h"
#include "verify/trial.h"
#include "verify/verify.h"

namespace warptile::fuzz {

namespace {

/// Seconds; only a hang takes as long.
constexpr double time_limit = 60;
constexpr int max_registers = 64;

Halide::Target cuda() { return Halide::Target("x86-64-linux-cuda-cuda_capability_80"); }

const char *const card = "a100";

/// Sums may have been taken in another order.
double tolerance(const Plan &plan) {
    bool reordered = false;
    for (const Derived &d : plan.derived) {
        reordered = reordered || d.kind == Derived::Kind::Partial;
    }
    for (const Group &g : plan.groups) {
        reordered = reordered || std::count(g.atomic.begin(), g.atomic.end(), true) > 0;
    }
    return reordered ? 1e-3 : 1e-5;
}

std::string random_plan_text(uint64_t seed, PlanStyle style) {
    const RandomPipeline p = make_pipeline(seed);
    const FunctionDag dag = read_function_dag(p.outputs, cuda());
    const Plan plan = random_plan(dag, seed, style);
    const std::string error = check_plan(plan, dag);
    if (!error.empty()) {
        throw Error("the plan that was drawn is refused: " + error);
    }
    const std::string text = to_json(plan);
    if (to_json(plan_from_json(text)) != text) {
        throw Error("the plan is another one after it was written and read");
    }
    const std::string print_a = print(make_directives(plan, p.outputs));
    if (print(make_directives(plan_from_json(text), p.outputs)) != print_a) {
        throw Error("the directives are printed differently the second time");
    }
    return text;
}

/// Runs the plan on the host or another target, at every size, and compares.
std::string run_plan(uint64_t seed, const Plan &plan, ApplyTo to, const Halide::Target &target) {
    Reference reference(make_pipeline(seed));
    std::vector<Buffers> wanted;
    for (int which = 0; which < size_count; which++) {
        wanted.push_back(reference.run(which));
    }
    const RandomPipeline p = make_pipeline(seed);
    std::vector<Directive> directives = make_directives(plan, p.outputs);
    if (to == ApplyTo::HostMirror) {  // loops give the same as their unrolled selves and compile much faster
        directives.erase(std::remove_if(directives.begin(), directives.end(), [](const Directive &d) { return d.op == Op::Unroll; }),
                         directives.end());
    }
    apply_directives(directives, p.outputs, to);
    Scheduled scheduled(p, target);
    for (int which = 0; which < size_count; which++) {
        std::string text;
        try {
            text = difference(wanted[static_cast<size_t>(which)].outputs,
                              scheduled.run(wanted[static_cast<size_t>(which)]), tolerance(plan));
        } catch (const Halide::Error &e) {
            text = e.what();
        }
        if (!text.empty()) {
            return "at size " + std::to_string(which) + ": " + text;
        }
    }
    return "";
}

Trial lower_plan(uint64_t seed, const Plan &plan, bool device_code, std::vector<std::string> &names) {
    const RandomPipeline p = make_pipeline(seed);
    const std::vector<Directive> directives = make_directives(plan, p.outputs);
    Halide::Pipeline pipeline(p.outputs);
    for (int i = 0; i < plan.funcs; i++) {
        names.push_back(pipeline.get_func(static_cast<size_t>(i)).name());
    }
    const std::vector<std::string> made = apply_directives(directives, p.outputs);
    names.insert(names.end(), made.begin(), made.end());
    LowerOptions options;
    options.device_code = device_code;
    options.lowered_text = !device_code;
    return lower(Halide::Pipeline(p.outputs), cuda(), options);
}

/// Lowers and, where wanted, assembles; what is found wrong but for spills, which a random plan may well have.
std::string lower_and_judge(uint64_t seed, const Plan &plan, bool device_code) {
    std::vector<std::string> names;
    Trial trial = lower_plan(seed, plan, device_code, names);
    const std::string error = device_code ? assemble_kernels(trial, 80, max_registers) : "";
    if (!error.empty()) {
        return error;
    }
    std::string problems;
    for (const GroupVerdict &v : judge(trial, plan, names, choose_machine(card, "", 80).gpu)) {
        for (const std::string &problem : v.problems) {
            // A storage bound that Halide cannot prove is executed on the host mirror.
            const bool expected = problem.find("spills") != std::string::npos || problem.find("may need") != std::string::npos;
            if (!expected) {
                problems += problems.empty() ? problem : "; " + problem;
            }
        }
    }
    return problems;
}

std::string lowered_text(uint64_t seed, const Plan &plan) {
    std::vector<std::string> names;
    return lower_plan(seed, plan, false, names).lowered_text;
}

struct Searched {
    Plan plan;
    int kernels = 0, fallbacks = 0;
    std::string problem;
};

Searched search_plan(uint64_t seed) {
    const RandomPipeline p = make_pipeline(seed);
    const FunctionDag dag = read_function_dag(p.outputs, cuda());
    const Machine machine = choose_machine(card, "", 80);
    const SearchResult found = search(dag, machine, SearchOptions());
    Searched result;
    Candidates candidates;
    for (const GroupChoices &g : found.groups) {
        candidates.groups.emplace_back();
        for (const Candidate &c : g.candidates) {
            candidates.groups.back().push_back(static_cast<int>(c.before.size()) + 1);
        }
    }
    std::string refused;
    candidates.assemble = [&](const std::vector<int> &choice) { return assemble(found, choice); };
    VerifyOptions options;
    options.at_once = 1;
    const Verified verified = verify(candidates, p.outputs, cuda(), machine, options);
    result.plan = verified.plan;
    result.kernels = static_cast<int>(found.groups.size());
    result.fallbacks = verified.fallbacks;
    const std::string error = check_plan(verified.plan, dag);
    if (!verified.ok) {
        result.problem = "nothing that the search proposes can be verified: " + verified.log;
    } else if (!error.empty()) {
        result.problem = "the search's plan is refused: " + error;
    }
    return result;
}

const char *const cannot_unroll = "Can only unroll for loops over a constant extent";

/// Limits and faults of Halide's lowering that no rule on plans foresees: they depend on what its simplifier can prove.
/// verify/ meets them by passing such a candidate over. Empty where the message is none of these.
std::string limit_of_halide(const std::string &message) {
    static const std::vector<std::string> known = {
        cannot_unroll,
        "does not meet the requirements for its store_at location",  // lanes, and an index that is not seen to be affine
        "Halide's lowering lost the definition of",                  // of a `.used` of tuple elements or conditions
        "Name not in Scope",
        "Simplify only works on code where every name is unique",
    };
    for (const std::string &words : known) {
        if (message.find(words) != std::string::npos) {
            return words;
        }
    }
    return "";
}

class SeedTest {
  public:
    SeedTest(uint64_t seed, const SeedOptions &options) : options_(options) { report_.seed = seed; }

    SeedReport run() {
        const std::string text = phase("plan", [&] { return random_plan_text(seed(), PlanStyle::Any); });
        if (!text.empty()) {
            Plan plan = plan_from_json(text);
            report_.census = census(plan);
            const bool can_lower = settle(plan);
            report_.plan = to_json(plan);
            if (can_lower) {
                expect_nothing("mirror", [&] { return run_plan(seed(), plan, ApplyTo::HostMirror, host()); });
            }
            if (can_lower && report_.failures.empty() && due(options_.assemble_every)) {
                expect_nothing("gpu", [&] { return lower_and_judge(seed(), plan, true); });
            }
            if (can_lower && report_.failures.empty() && options_.with_cuda) {
                expect_nothing("cuda", [&] { return run_plan(seed(), plan, ApplyTo::Gpu, cuda_here()); });
            }
            if (can_lower && due(options_.replay_every)) {
                replay(plan);
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
    static Halide::Target host() { return plain_host_target(); }
    static Halide::Target opencl() {
        return plain_host_target().with_feature(Halide::Target::OpenCL).with_feature(Halide::Target::CLDoubles);
    }
    static Halide::Target cuda_here() {
        return plain_host_target().with_feature(Halide::Target::CUDA).with_feature(Halide::Target::CUDACapability80);
    }
    bool due(int every) const { return every > 0 && seed() % static_cast<uint64_t>(every) == 0; }

    ChildResult timed(const std::string &name, const std::function<std::string()> &work) {
        const auto start = std::chrono::steady_clock::now();
        const ChildResult r = run_in_child(work, time_limit);
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

    void expect_nothing(const std::string &name, const std::function<std::string()> &work) {
        report(timed(name, work), name);
    }

    /// Lowers the plan. Whether the extent of a member's loop has a bound that Halide can prove is Halide's secret: where
    /// it cannot, the loops stay loops. False: Halide refuses the plan for a reason that is its own.
    bool settle(Plan &plan) {
        for (const bool rolled : {false, true}) {
            const ChildResult r = timed("lower", [&] { return lower_and_judge(seed(), plan, false); });
            report_.refused = limit_of_halide(r.message);
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

    static void roll(Plan &plan) {
        for (Group &g : plan.groups) {
            for (Member &m : g.members) {
                m.unroll = m.placement == Placement::Warp;
            }
        }
    }

    void replay(const Plan &plan) {
        const std::string first = phase("replay", [&] { return lowered_text(seed(), plan); });
        const std::string second = phase("replay", [&] { return lowered_text(seed(), plan); });
        if (first != second) {
            report_.failures.push_back("replay: two runs lower to different statements");
        }
    }

    void run_opencl() {
        const std::string text = phase("opencl plan", [&] { return random_plan_text(seed(), PlanStyle::WithoutLanes); });
        if (text.empty()) {
            return;
        }
        const size_t failures = report_.failures.size();
        Plan plan = plan_from_json(text);
        roll(plan);
        expect_nothing("opencl", [&] {
            // PoCL has no half-precision floats on most hosts.
            const bool half = program_text(make_pipeline(seed())).find("float16") != std::string::npos;
            return half ? std::string() : run_plan(seed(), plan, ApplyTo::Gpu, opencl());
        });
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
        expect_nothing("search mirror", [&] { return run_plan(seed(), plan, ApplyTo::HostMirror, host()); });
        if (options_.with_cuda) {
            expect_nothing("search cuda", [&] { return run_plan(seed(), plan, ApplyTo::Gpu, cuda_here()); });
        }
        if (report_.failures.size() > failures) {
            report_.plan = to_json(plan);
        }
    }
};

/// The fields of a census in one order, for sending it through a pipe.
std::vector<int *> fields(PlanCensus &c) {
    return {&c.kernels, &c.inlined, &c.host, &c.thread, &c.warp, &c.block, &c.staged_warp, &c.staged_block, &c.staged_thread,
            &c.rfactor_warp, &c.rfactor_block, &c.rfactor_root, &c.chunked, &c.adjacent, &c.round_up, &c.guard, &c.both,
            &c.atomic, &c.wrapped};
}

}  // namespace

SeedReport test_seed(uint64_t seed, const SeedOptions &options) { return SeedTest(seed, options).run(); }

std::string to_text(const SeedReport &report) {
    PlanCensus c = report.census;
    std::vector<int> counts;
    for (const int *field : fields(c)) {
        counts.push_back(*field);
    }
    const nlohmann::json j = {{"seed", report.seed},       {"failures", report.failures},
                              {"census", counts},          {"kernels", report.search_kernels},
                              {"fallbacks", report.search_fallbacks}, {"program", report.program}, {"plan", report.plan},
                              {"rolled", report.rolled},   {"refused", report.refused},   {"seconds", report.seconds}};
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
    r.search_kernels = j["kernels"];
    r.search_fallbacks = j["fallbacks"];
    r.rolled = j["rolled"];
    r.refused = j["refused"];
    r.seconds = j["seconds"].get<std::map<std::string, double>>();
    r.program = j["program"];
    r.plan = j["plan"];
    return r;
}

}  // namespace warptile::fuzz
