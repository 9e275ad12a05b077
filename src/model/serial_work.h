// Work that one thread of a plan does, or a few do, though many could: what a user would not expect of a GPU, and is
// told. A chain (a scan, a recursive filter) is none: it reads what it has stored elsewhere, so that its steps wait for
// each other. An operation that may need its order, for all that is known of it, is told as that.
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
