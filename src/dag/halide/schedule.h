// What the user has scheduled by hand before the autoscheduler came.
#pragma once

#include <string>
#include <vector>

#include "Halide.h"
#include "dag/halide/estimates.h"

namespace warptile {

/// The name of a call that scheduled the Func already, of those that WarpTile would have to undo or cannot keep; empty:
/// there is none. `bound`, `bound_extent`, `align_bounds`, `align_extent`, `no_profiling` and estimates are none, nor
/// are `compute_root` and `store_root` of an output. docs/parameters.md has the table.
std::string user_schedule(const Halide::Internal::Function &f, bool is_output);

/// The same of an input.
std::string user_schedule(const Halide::Parameter &input);

/// The rules of `bound`, `bound_extent`, `align_bounds` and `align_extent`, in the order in which they apply.
std::vector<BoundRule> bound_rules(const Halide::Internal::Function &f, const Estimates &estimates);

}  // namespace warptile
