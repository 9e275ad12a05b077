// What one point of a stage costs in operations.
#pragma once

#include "dag/function_dag.h"
#include "dag/halide_stages.h"

namespace warptile {

/// Counts each distinct subexpression of the left-hand side, the right-hand sides and the predicate once, as a compiler
/// would compute it.
OpCounts count_ops(const StageSource &stage);

}  // namespace warptile
