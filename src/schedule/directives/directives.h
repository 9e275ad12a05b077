// From a Plan to the list of directives that makes it happen. This is where the forms that Halide's lowering takes are
// written down: tiles of a kernel's output (`kernel_loops.h`), members in shared memory, lane and thread registers
// (`member_loops.h`).
#pragma once

#include <vector>

#include "Halide.h"
#include "schedule/directives/directive.h"
#include "schedule/plan.h"

namespace warptile {

/// The Funcs are looked at, not changed, and no counter of Halide's unique names advances. Throws `Error` where the
/// plan does not fit the pipeline.
std::vector<Directive> make_directives(const Plan &plan, const std::vector<Halide::Func> &outputs);

}  // namespace warptile
