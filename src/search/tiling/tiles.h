#pragma once

// The tiles that are tried for a kernel: blocks of threads, and rows of a warp whose width leaves room for the halo of
// the widest member (32 T - halo: any size, not only powers of two).

#include <cstdint>
#include <vector>

#include "model/kernel.h"

namespace warptile {

/// A dimension of at most so many points, as that of a pixel's colours, is a channel: a thread's, where it has several.
constexpr int64_t kChannel = 4;

enum class Effort {
    Coarse,  ///< a handful, while groups are looked for
    Full,
};

/// The roles of the output's dimensions; -1: none has it.
struct DimRoles {
    int first = -1;             ///< adjacent lanes or threads walk it
    int row = -1;               ///< the next: rows
    int deep = -1;              ///< a third that is long
    std::vector<int> channels;  ///< small ones beside these
    std::vector<int> few;       ///< those that are a little larger: levels, offsets
};

DimRoles roles_of(const GroupView &view);

int64_t extent_of(const GroupView &view, int dim);  ///< of the output, at the estimates; at least 1

AxisTile axis_tile(int dim, int width, int threads);

std::vector<KernelTile> block_tiles(const GroupView &view, Effort effort);
std::vector<KernelTile> lane_tiles(const GroupView &view, Effort effort);

/// A warp a row of the whole output, for reductions along rows; none where rows are too long or `wanted` is false.
std::vector<KernelTile> row_tiles(const GroupView &view, bool wanted);

/// A thread a row, for outputs of one value a row: few, since each has 32 others beside it.
std::vector<KernelTile> value_tiles(const GroupView &view);

/// One point a thread, 32 by 8 threads or what the extents allow: the tile of a plain kernel, also of an update stage.
/// `dims` are the dimensions (or loops) that may be tiled, `extents` theirs.
KernelTile plain_tile(const std::vector<int> &dims, const std::vector<int64_t> &extents);

/// The same, with channels inside the thread, so that what they share is computed once.
KernelTile update_tile(const std::vector<int> &dims, const std::vector<int64_t> &extents);

}  // namespace warptile
