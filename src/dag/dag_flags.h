// What is told of a node from its edges alone: whether it only wraps an input, works point by point, or reads an input
// further out when it is computed further out.
#pragma once

#include "dag/function_dag.h"

namespace warptile {

/// Whether a Func of one stage, whose value is a load (cast, or chosen against a constant) and nothing else, reads an
/// input, or another such Func, as a boundary condition or a copy does. `edge` is the one edge into it.
bool only_wraps(const Node &node, const Node &producer, const Edge &edge);

/// Sets `pointwise`, `raw_dims` and `reads_raw_input` of every node.
void set_flags(FunctionDag &dag);

}  // namespace warptile
