#pragma once

// Tiles for kernels that contract: sums of products whose factors each move with some of the output's dimensions only,
// as a row of one matrix and a column of another. A thread with points along two such dimensions loads as many factors
// as its tile has edges, and uses each of them along the whole of the other edge.

#include <vector>

#include "model/kernel.h"
#include "search/tiling/tiles.h"

namespace warptile {

/// The output's dimensions along which a reduction of the group shares factors that differ along another of them;
/// ascending. Empty: nothing contracts. `wrapped`: the group's output, with its updates, is itself computed in the
/// kernel.
std::vector<int> contracted_dims(const GroupView &view, bool wrapped);

/// Blocks whose threads have points along two or three of those dimensions; none where nothing contracts.
std::vector<KernelTile> contraction_tiles(const GroupView &view, bool wrapped, Effort effort);

/// The same for warps: a lane has every 32nd column, so that each of its loads is beside its neighbours', and points
/// along the other dimensions.
std::vector<KernelTile> contraction_rows(const GroupView &view, bool wrapped, Effort effort);

}  // namespace warptile
