// What one point of a stage costs in operations.
#pragma once

#include "dag/function_dag.h"
#include "dag/halide/stages.h"

namespace warptile {

/// Counts each distinct subexpression of the left-hand side, the right-hand sides and the predicate once, as a compiler
/// would compute it.
OpCounts count_ops(const StageSource &stage);

/// The same for the values alone: arithmetic that only makes up the index of a load or a store is left out, unless data
/// go into it (a table looked up, a histogram). What an algorithm asks for, whatever its loops.
OpCounts count_value_ops(const StageSource &stage);

}  // namespace warptile
