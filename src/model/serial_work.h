// Work that one thread of a plan does, or a few do, though many could: what a user would not expect of a GPU, and is
// told. A chain (a scan, a recursive filter), whose steps wait for each other, is none.
#pragma once

#include "dag/function_dag.h"
#include "schedule/notice.h"
#include "schedule/plan.h"

#include <vector>

namespace warptile {

/// A notice for each stage of the plan's kernels, at the estimates, in the plan's order. `plan` must be legal for `dag`
/// (`check_plan`). `reassociate` as the search was told it.
std::vector<Notice> serial_work(const Plan &plan, const FunctionDag &dag, bool reassociate);

}  // namespace warptile
