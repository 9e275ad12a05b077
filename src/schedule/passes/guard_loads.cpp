#include "schedule/passes/guard_loads.h"

#include <vector>

namespace warptile {

namespace {

#include "schedule/passes/guard_loads.inc"  // GuardLoads, and its text in a printed schedule

}  // namespace

Halide::Internal::Stmt guard_loads(const Halide::Internal::Stmt &lowered) { return GuardLoads().mutate(lowered); }

}  // namespace warptile
