// What a user is told of an update whose `where` Halide does not see (`dag/bounds/unseen_where.h`): at small sizes the
// schedule asks for more of an input than the unscheduled pipeline does, and only another definition mends it.
#pragma once

#include <vector>

#include "dag/function_dag.h"
#include "schedule/notice.h"

namespace warptile {

/// A notice for each Func that such an update reads, in the dag's order.
std::vector<Notice> tell_unseen_where(const FunctionDag &dag);

}  // namespace warptile
