// Halide joins two tests of which one is directly inside the other with `&&`, and on a device both sides of that are
// evaluated. So where the `where` of a reduction loads from an input, what it loads is also loaded where the guard of a
// tail, or the end of a loop, does not hold: beyond the input's end. A test that loads is therefore put inside the
// others again, when all is lowered.
#pragma once

#include <Halide.h>

namespace warptile {

/// `lowered` with each test in its kernels that loads inside those that do not: a statement as it is before Halide
/// makes code for the device.
Halide::Internal::Stmt guard_loads(const Halide::Internal::Stmt &lowered);

/// The same as a struct in C++, for a printed schedule: `GuardLoads`, a lowering pass.
extern const char *const kGuardLoads;

}  // namespace warptile
