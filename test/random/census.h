#pragma once

// What a plan is made of, counted: whether random plans reach all of the space.

#include "schedule/plan.h"

namespace warptile::fuzz {

/// How often each choice of the space of plans is taken in a plan.
struct PlanCensus {
    int kernels = 0, inlined = 0, host = 0;
    int thread = 0, warp = 0, block = 0;  ///< members by placement, copies and partial results included
    int each_step = 0;                    ///< members at the steps of another's reduction
    int steps = 0, boxes = 0;             ///< stages that take steps together; those of several loops
    int staged_warp = 0, staged_block = 0, staged_thread = 0;
    int rfactor_warp = 0, rfactor_block = 0, rfactor_root = 0;
    int histogram_parts = 0;  ///< partial results that are filled by atomic additions
    int histogram_block = 0;  ///< members that a block's threads fill by atomic additions to shared memory
    int any_size = 0;         ///< members in shared memory that are as large as is known at run time
    int streamed = 0;         ///< kernels that take rows one after the other
    int chunked = 0, adjacent = 0, round_up = 0, guard = 0, both = 0, atomic = 0, wrapped = 0;
};

PlanCensus census(const Plan &plan);

}  // namespace warptile::fuzz
