// The last statement of Halide's lowering, before device code is split off: in it kernels are still loops among the
// host's code.
#pragma once

#include "Halide.h"

namespace warptile {

/// Of the pipeline as it is scheduled now, with our own last passes behind Halide's. No code is made of it. Throws
/// Halide::Error where Halide refuses the schedule.
Halide::Internal::Stmt last_statement(const Halide::Pipeline &pipeline, const Halide::Target &target);

}  // namespace warptile
