// What the user has scheduled by hand before the autoscheduler came.
#pragma once

#include <vector>

#include "Halide.h"
#include "dag/halide_estimates.h"

namespace warptile {

/// Whether a Func carries a directive that the search must leave alone. `bound`, `align_bounds` and estimates are none.
bool is_user_scheduled(const Halide::Internal::Function &f, bool is_output);

/// The rules of `bound`, `bound_extent`, `align_bounds` and `align_extent`, in the order in which they apply.
std::vector<BoundRule> bound_rules(const Halide::Internal::Function &f, const Estimates &estimates);

}  // namespace warptile
