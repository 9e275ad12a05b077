// Reads Halide's lowered statement, the last before device code is split off: its kernels, its allocations, its loops.
#pragma once

#include "verify/trial.h"

#include <Halide.h>

namespace warptile {

// Fills `kernels`, `allocations`, `storage_bound_checks` and `host_loops` of `trial`.
void read_lowered(const Halide::Internal::Stmt &lowered, Trial &trial);

}  // namespace warptile
