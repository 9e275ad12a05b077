#include "schedule/directives/bound_names.h"

#include <string>
#include <vector>

namespace warptile {

namespace {

#include "schedule/directives/bound_names.inc"  // BoundNames, and its text in a printed schedule

}  // namespace

void take_bound_names(const Halide::Func &f) { BoundNames::take(f); }

}  // namespace warptile
