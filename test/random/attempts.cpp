#include "attempts.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "dag/read.h"
#include "execute.h"
#include "gpu.h"
#include "machine/error.h"
#include "machine/machine.h"
#include "plugin/find_plan.h"
#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "schedule/passes/last_passes.h"
#include "schedule/plan_json.h"
#include "schedule/rules/check_plan.h"
#include "verify/judge.h"
#include "verify/trial.h"
#include "verify/verify.h"

namespace warptile::fuzz {

namespace {

constexpr int max_registers = 64;

const char *const card = "a100";

}  // namespace

Halide::Target cuda_target() { return Halide::Target("x86-64-linux-cuda-cuda_capability_80"); }

namespace {

/// Whether the plan adds up in another order than the pipeline says.
bool reorders(const Plan &plan) {
    const auto any = [](const auto &of, const auto &is) { return std::any_of(of.begin(), of.end(), is); };
    const auto other_loop_first = [](const Steps &s) { return s.counts.size() > 1 && s.together() > 1; };
    return any(plan.derived, [](const Derived &d) { return d.kind == Derived::Kind::Partial; }) ||
           any(plan.groups, [&](const Group &g) {
               return any(g.atomic, [](bool atomic) { return atomic; }) ||
                      any(g.updates, [&](const KernelTile &t) { return other_loop_first(t.steps); }) ||
                      any(g.members, [&](const Member &m) { return !m.atomic.empty() || other_loop_first(m.steps); });
           });
}

bool stores_halves(const RandomPipeline &pipeline) {
    return std::any_of(pipeline.stages.begin(), pipeline.stages.end(), [](const Halide::Func &f) {
        const std::vector<Halide::Type> &types = f.types();
        return std::any_of(types.begin(), types.end(), [](const Halide::Type &t) { return t == Halide::Float(16); });
    });
}

}  // namespace

double tolerance(const RandomPipeline &pipeline, const Plan &plan, const Halide::Target &target) {
    if (!reorders(plan)) {
        return target.has_feature(Halide::Target::StrictFloat) ? 0 : 1e-5;
    }
    // Each term may be rounded once more; later stages may subtract what is nearly equal.
    constexpr double amplified = 64;
    const double rounding = std::ldexp(1.0, stores_halves(pipeline) ? -11 : -24);
    return std::min(0.05, std::max(1e-5, rounding * (pipeline.float_terms + 1) * amplified));
}

std::string traits_text(uint64_t seed) {
    RandomPipeline p = make_pipeline(seed);
    if (asked_without_schedule(p)) {
        p.traits.insert("inputs as without a schedule");
    }
    return nlohmann::json(p.traits).dump();
}

std::string random_plan_text(uint64_t seed, PlanStyle style, int draw) {
    const RandomPipeline p = make_pipeline(seed);
    const FunctionDag dag = read_function_dag(p.outputs, cuda_target());
    const Plan plan = random_plan(dag, seed + static_cast<uint64_t>(draw) * 1000003, style);
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

std::string run_plan(uint64_t seed, const Plan &plan, ApplyTo to, const Halide::Target &target) {
    Reference reference(make_pipeline(seed));
    std::vector<Buffers> wanted;
    for (int which = 0; which < size_count; which++) {
        wanted.push_back(reference.run(which));
    }
    if (std::none_of(wanted.begin(), wanted.end(), [](const Buffers &b) { return b.has_meaning; })) {
        return nothing_to_run;
    }
    const RandomPipeline p = make_pipeline(seed);
    const double rounded = tolerance(p, plan, target);
    std::vector<Directive> directives = make_directives(plan, p.outputs);
    if (to == ApplyTo::HostMirror) {  // loops give the same as their unrolled selves and compile much faster
        directives.erase(
            std::remove_if(directives.begin(), directives.end(), [](const Directive &d) { return d.op == Op::Unroll; }),
            directives.end());
    }
    apply_directives(directives, p.outputs, to);
    Scheduled scheduled(p, target);
    for (int which = 0; which < size_count; which++) {
        const Buffers &want = wanted[static_cast<size_t>(which)];
        if (!want.has_meaning) {
            continue;
        }
        std::string text;
        try {
            text = difference(want.outputs, scheduled.run(want), p.exact_outputs, rounded);
        } catch (const Halide::Error &e) {
            text = e.what() + (target.has_feature(Halide::Target::CUDA) ? gpu_message() : "");
        }
        if (!text.empty()) {
            return "at size " + std::to_string(which) + ": " + text;
        }
    }
    return "";
}

std::string run_mirror(uint64_t seed, const Plan &plan) {
    return run_plan(seed, plan, ApplyTo::HostMirror, host_target(make_pipeline(seed)));
}

namespace {

Trial lower_plan(uint64_t seed, const Plan &plan, bool device_code, std::vector<std::string> &names) {
    const RandomPipeline p = make_pipeline(seed);
    LowerOptions options;
    if (!device_code) {  // the checks are the same
        options.calls = calls_to_stand(p.outputs, cuda_target(), [] {});
    }
    const std::vector<Directive> directives = make_directives(plan, p.outputs);
    Halide::Pipeline pipeline(p.outputs);
    for (int i = 0; i < plan.funcs; i++) {
        names.push_back(pipeline.get_func(static_cast<size_t>(i)).name());
    }
    const std::vector<std::string> made = apply_directives(directives, p.outputs);
    names.insert(names.end(), made.begin(), made.end());
    options.device_code = device_code;
    options.lowered_text = !device_code;
    return lower(Halide::Pipeline(p.outputs), cuda_target(), options);
}

}  // namespace

void lower_by_halide(uint64_t seed, const Plan &plan, const Halide::Target &target) {
    const RandomPipeline p = make_pipeline(seed);
    apply_directives(make_directives(plan, p.outputs), p.outputs);
    Halide::Pipeline pipeline(p.outputs);
    add_last_passes(pipeline);
    pipeline.compile_to_module(pipeline.infer_arguments(), "lowered", target);
}

std::string lower_and_judge(uint64_t seed, const Plan &plan, bool device_code) {
    std::vector<std::string> names;
    Trial trial = lower_plan(seed, plan, device_code, names);
    const std::string error = device_code ? assemble_kernels(trial, 80, max_registers) : "";
    if (!error.empty()) {
        return error;
    }
    std::string problems = trial.failed_check;
    for (const GroupVerdict &v : judge(trial, plan, names, choose_machine(card, "", 80).gpu)) {
        for (const std::string &problem : v.problems) {
            // A storage bound that Halide cannot prove is executed on the host mirror.
            const bool expected =
                problem.find("spills") != std::string::npos || problem.find("may need") != std::string::npos;
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

Searched search_plan(uint64_t seed) {
    const RandomPipeline p = make_pipeline(seed);
    const FunctionDag dag = read_function_dag(p.outputs, cuda_target());
    const Machine machine = choose_machine(card, "", 80);
    VerifyOptions options;
    options.at_once = 1;
    const FoundPlan found =
        find_plan(dag, p.outputs, cuda_target(), machine, SearchOptions(), options, [](const char *, const auto &) {});
    const Verified &verified = found.verified;
    Searched result;
    result.plan = verified.plan;
    result.kernels = found.groups;
    result.fallbacks = verified.fallbacks;
    const std::string error = check_plan(verified.plan, dag);
    if (!verified.ok) {
        result.problem = "nothing that the search proposes can be verified: " + verified.log;
    } else if (!error.empty()) {
        result.problem = "the search's plan is refused: " + error;
    }
    return result;
}

std::string limit_of_halide(const std::string &message) {
    static const std::vector<std::string> known = {
        cannot_unroll,
        "does not meet the requirements for its store_at location",  // lanes, and an index that is not seen to be
                                                                     // affine
        "Halide's lowering lost the definition of",                  // of a `.used` of tuple elements or conditions
        "Symbol not found: ",                                        // the same, of what has no loops of a GPU
        "is accessed over an unbounded domain",  // where the simplifier took a clamp away that bounds inference needs
        "too much parameter space",              // what many unrolled points have in common is handed to the kernel
        "Name not in Scope", "Simplify only works on code where every name is unique",
        "Halide put a shuffle under a test",  // of the lane: tests of two members were joined
        "Cannot hoist warp shuffle out of",   // a loop of them, of a length that is tested before
        "it asks for ",                       // more of an input than is read: intervals lose what moves together
        too_large_for_halide,                 // what whole tiles make of a small extent
        "an atomic update is a loop of compare and swap",  // of several unrolled additions, now and then
    };
    for (const std::string &words : known) {
        if (message.find(words) != std::string::npos) {
            return words;
        }
    }
    return "";
}

void roll(Plan &plan) {
    for (Group &g : plan.groups) {
        const bool lanes = std::any_of(g.members.begin(), g.members.end(),
                                       [](const Member &m) { return m.placement == Placement::Warp; });
        for (Member &m : g.members) {
            m.unroll = lanes && m.placement != Placement::Block;
        }
    }
}

}  // namespace warptile::fuzz
