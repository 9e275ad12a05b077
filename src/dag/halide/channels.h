// Loops over channels: a value that chooses by one (`mux(c, {r, g, b})`), or most of which is the same along it. Where
// a thread has all of its steps, unrolled, it computes each choice and what the steps share once; dealt to threads or
// blocks, every step computes all.
#pragma once

#include "dag/function_dag.h"
#include "dag/halide/stages.h"

namespace warptile {

/// The loop of the stage by which most is saved so, if any; estimates of its loops are set.
Channel find_channel(const StageSource &source, const Stage &stage);

}  // namespace warptile
