// An atomic addition is one to Halide's code generator where the place that its value reads is the expression of the
// place at which it stores. By then they may be written otherwise: Halide lifts what occurs twice in the value of an
// update out of it (each split does, and each Func that is inlined), but not out of its places, and simplifies each by
// itself. A bin and what is counted in it, the derivative of a resampling, a loop that was split: such additions become
// loops of compare and swap. They are additions to one place by the update's definition, though, so that is what they
// are made again, when all is lowered.
#pragma once

#include <Halide.h>

namespace warptile {

/// `lowered`, each atomic store reading its own buffer at the very place where it stores. To be applied only to
/// pipelines whose atomic updates all are additions to what the place held (`PlanStage::adds`).
Halide::Internal::Stmt add_in_place(const Halide::Internal::Stmt &lowered);

/// The same as a struct in C++, for a printed schedule: `AddInPlace`, a lowering pass.
extern const char *const kAddInPlace;

}  // namespace warptile
