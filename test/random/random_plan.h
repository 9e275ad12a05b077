#pragma once

// A plan drawn at random from all that are legal, not only from those that the search would choose: it starts with
// every Func at root and takes random steps (inline, move into a consumer's kernel, stage an input, split a reduction),
// each of which `check_plan` accepts.

#include <cstdint>
#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile::fuzz {

enum class PlanStyle {
    Any,
    WithoutLanes,  ///< no lanes and no atomic updates: what every GPU can run
};

/// The same seed and pipeline give the same plan. `check_plan` accepts it.
Plan random_plan(const FunctionDag &dag, uint64_t seed, PlanStyle style = PlanStyle::Any);

/// How often each choice of the space of plans is taken in a plan.
struct PlanCensus {
    int kernels = 0, inlined = 0, host = 0;
    int thread = 0, warp = 0, block = 0;  ///< members by placement, copies and partial results included
    int staged_warp = 0, staged_block = 0, staged_thread = 0;
    int rfactor_warp = 0, rfactor_block = 0, rfactor_root = 0;
    int histogram_parts = 0;  ///< partial results that are filled by atomic additions
    int chunked = 0, adjacent = 0, round_up = 0, guard = 0, both = 0, atomic = 0, wrapped = 0;
};

PlanCensus census(const Plan &plan);

}  // namespace warptile::fuzz
