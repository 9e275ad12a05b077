// What extern stages are handed of a Func: the Func whole, as a buffer, which must be in memory; or values of it, for
// which Halide asks before anything is computed, to know what the stage reads: then it must not be stored.
#pragma once

#include "dag/function_dag.h"

namespace warptile {

/// Some extern stage is handed the Func whole.
bool handed_whole(const FunctionDag &dag, const Node &node);

/// Extern stages are handed values of the Func, and none the whole.
bool handed_by_value(const FunctionDag &dag, const Node &node);

}  // namespace warptile
