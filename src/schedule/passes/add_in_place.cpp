#include "schedule/passes/add_in_place.h"

namespace warptile {

namespace {

#include "schedule/passes/add_in_place.inc"  // AddInPlace, and its text in a printed schedule

}  // namespace

Halide::Internal::Stmt add_in_place(const Halide::Internal::Stmt &lowered) { return AddInPlace().mutate(lowered); }

}  // namespace warptile
