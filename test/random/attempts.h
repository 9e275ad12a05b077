#pragma once

// What can be tried with a seed's pipeline under a plan. Each function makes its own copy of the pipeline and schedules
// it: call it in a child process. What is wrong comes back as words, nothing where all is well, or as an exception.

#include <cstdint>
#include <string>

#include "Halide.h"
#include "pipeline.h"
#include "random_plan.h"
#include "schedule/directives/apply.h"
#include "schedule/plan.h"

namespace warptile::fuzz {

/// Compute capability 8.0.
Halide::Target cuda_target();

/// How far a rounded float may be from the reference, relative to the largest. Where sums are taken in another order,
/// what that may come to for so many terms; otherwise nothing under strict floats, and little elsewhere, where products
/// and sums are contracted.
double tolerance(const RandomPipeline &pipeline, const Plan &plan, const Halide::Target &target);

/// What of the kinds that the summary counts is in the seed's pipeline, as a JSON list of words.
std::string traits_text(uint64_t seed);

/// Draws a plan and returns it as JSON, after it was checked, written, read and printed twice. Where Halide's lowering
/// refuses a plan, there are others: `draw` is 0 for the first.
std::string random_plan_text(uint64_t seed, PlanStyle style, int draw = 0);
constexpr int most_draws = 4;

/// Runs the plan on the host or another target, at every size at which the pipeline has a meaning, and compares.
std::string run_plan(uint64_t seed, const Plan &plan, ApplyTo to, const Halide::Target &target);

/// What `run_plan` returns where there is no such size.
const char *const nothing_to_run = "an input is empty, or a stage too large";

/// The same for the host mirror of the plan.
std::string run_mirror(uint64_t seed, const Plan &plan);

/// Lowers and, where wanted, makes device code and assembles it; then judges all that verify/ judges but for spills,
/// which a random plan may well have.
std::string lower_and_judge(uint64_t seed, const Plan &plan, bool device_code);

/// Halide's lowering of the plan, with nothing of ours behind it: where this crashes, the crash is Halide's.
void lower_by_halide(uint64_t seed, const Plan &plan, const Halide::Target &target = cuda_target());

/// The lowered statement as text.
std::string lowered_text(uint64_t seed, const Plan &plan);

struct Searched {
    Plan plan;
    int kernels = 0, fallbacks = 0;
    std::string problem;
};

/// The plan that the search and verify/ choose.
Searched search_plan(uint64_t seed);

const char *const cannot_unroll = "Can only unroll for loops over a constant extent";

/// Limits and faults of Halide's lowering that no rule on plans foresees: they depend on what its simplifier can prove.
/// verify/ meets them by passing such a candidate over. Empty where the message is none of these.
std::string limit_of_halide(const std::string &message);

/// Leaves the loops of members as loops, but not in kernels that keep something in lane registers: loops of different
/// lengths would let lanes miss each other's shuffles.
void roll(Plan &plan);

}  // namespace warptile::fuzz
