#pragma once

// Which reductions can be split by `rfactor`, so that lanes, threads or blocks each reduce a part. A reduction that
// stays whole has one thread for each point of its Func, and one in all where there is one point.

#include <optional>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// Shorter loops are not worth it, unless there are several.
constexpr int64_t kShortestSplit = 64;

struct SplitReduction {
    int rvar = 0;              ///< of update 0, the one that is split
    int loop = 0;              ///< its index in the update's loops
    int64_t extent = 0;        ///< at the estimates
    bool known = false;        ///< the extent is a constant
    bool along_rows = false;   ///< it walks the adjacent dimension of what it reads most
    int64_t usual_extent = 0;  ///< as Derived::usual_extent
};

/// Extents of an update's reduction loops, at the estimates.
std::vector<int64_t> lengths_of(const Stage &update);

/// The largest power of two that is no larger; 1 at least.
int power_below(double n);

/// Whether loop `loop` of a stage of the Func walks dimension 0 of the largest of what it walks.
bool walks_rows(const FunctionDag &dag, int node, int stage, int loop);

/// The split of the Func's only update; none where it is not associative, or where all its loops are shorter than
/// `shortest`.
std::optional<SplitReduction> find_split(const FunctionDag &dag, int node, int64_t shortest = kShortestSplit);

/// How many steps of a loop of `extent` a thread takes together, of each of which `body` counts operations and loads:
/// as many as there are, or nearly so many that few of the last turn are left out. 1 where it is not worth it.
int steps_together(int64_t extent, double body);

}  // namespace warptile
