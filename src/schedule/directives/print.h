// Writes a list of directives as the body of Halide's `apply_schedule_<name>(pipeline, target)`.
#pragma once

#include <string>
#include <vector>

#include "schedule/directives/directive.h"

namespace warptile {

/// C++ statements, one a line or a chain of calls. Names that Halide's generated header brings in by `using` (Func,
/// RVar, TailStrategy, Var) stand bare; all others are qualified.
std::string print(const std::vector<Directive> &directives);

}  // namespace warptile
