#pragma once

// Streamed kernels: a warp goes down the rows of its tile with all members on their way. Against Form::Warp each row of
// a member is in the lanes only until it was read for the last time, so that tiles can be high, chains of stencils
// long, and hardly any row is computed twice. What Halide's lowering demands of them is in
// schedule/rules/check_stream.cpp.

#include <vector>

#include "search/placing/kernel_reads.h"
#include "search/tiling/tiles.h"

namespace warptile {

/// Tiles with a stream: along the rows, or along a third dimension with a few rows in each thread. None where no row of
/// the members and of `copies` would fit the lanes, where taps are read from global memory, and in a pipeline with
/// bounds of its own (`bound`, `align_bounds`).
std::vector<KernelTile> stream_tiles(const GroupView &view, const std::vector<int> &copies, Effort effort);

/// The dimension of `node` that the stream walks, where all of `reads` are beside the point along the lanes
/// (dimension `lane_dim`) and along the stream, and a Func may be read further out in whole rows; else kConflict.
int stream_dim_of(const GroupView &view, const Node &node, const std::vector<KernelRead> &reads, int lane_dim,
                  const Kernel &kernel);

}  // namespace warptile
