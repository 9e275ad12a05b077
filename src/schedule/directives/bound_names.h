// Keeps Halide from taking the bounds of a let for those of the loop that the let is named for. Its pass that
// partitions loops would then leave out guards of a tail, in the first code only that a process makes for a Func: a
// trial in a process of its own shows it as little as a second lowering does.
#pragma once

#include "Halide.h"

namespace warptile {

/// Of all stages of `f`. A counter of Halide's unique names advances for each loop.
void take_bound_names(const Halide::Func &f);

extern const char *const kBoundNames;  ///< bound_names.inc, for a printed schedule

}  // namespace warptile
