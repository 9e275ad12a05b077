#pragma once

// Which Funcs are computed where they are read, whatever the groups: wrappers of inputs and tables of constants always,
// and Funcs that are cheaper to evaluate again than to store and load (Sioutas 2020, 4.1; 2019, 4). A Func has one
// schedule, so it is inlined into all of its readers or into none.

#include <vector>

#include "dag/function_dag.h"
#include "search/options.h"

namespace warptile {

/// By node id. Never an output, a Func with updates, or an argument of an extern stage. The expression of no stage
/// grows beyond `kMostOps` operations, so that pyramids are not inlined level by level.
std::vector<bool> choose_inlined(const FunctionDag &dag, Inlining inlining = Inlining::Worthwhile);

/// Whether the Func may be inlined at all. (The user's own wrappers always are: only Funcs of the pipeline can be
/// scheduled.)
bool can_inline(const FunctionDag &dag, int node);

/// Whether it is inlined, where it may be, whatever that costs its readers.
bool always_inlined(const Node &node);

/// Whether inlining the Func too keeps every stage within its bounds.
bool fits_inlined(const FunctionDag &dag, int node, std::vector<bool> inlined);

/// Funcs that are not inlined and read `node`, directly or through inlined Funcs; ascending.
std::vector<int> kept_readers(const FunctionDag &dag, const std::vector<bool> &inlined, int node);

constexpr double kMostOps = 250;  ///< two of integer indices count as one

}  // namespace warptile
