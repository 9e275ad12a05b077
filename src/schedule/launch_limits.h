// How high a grid may be, and what of a plan stays below. A kernel is launched in parts where its grid is too high for
// a card, in a loop of the host, unless its members cannot be lowered through that loop. Then there is a size from
// which on the card refuses the launch, and the user should know it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/notice.h"
#include "schedule/plan.h"

namespace warptile {

/// Blocks of a grid in y and in z.
constexpr int64_t kGridYZ = 65535;

/// A loop over blocks: a dimension of the kernel's output, and how many points along it a block has.
struct BlockLoop {
    int dim = 0;
    int64_t points = 1;
};

/// The loops over blocks that each dimension of a grid has, x first: of what the tile leaves to the grid of `dims`
/// dimensions of an output. Dimension 2 has all that are left.
std::vector<std::vector<BlockLoop>> grid_loops(const KernelTile &tile, int dims);

/// As Group::launched_once, for a kernel of `tile` and an output of `points` points along each dimension at the usual
/// sizes. Empty where the grid is higher than a launch even then, and where it is of x alone.
std::vector<int64_t> sizes_launched_once(const KernelTile &tile, const std::vector<int64_t> &points);

/// Why `group`, whose output has `dims` dimensions, may not be launched once where its plan says so; empty: it may.
/// `of_output`: whether it is a Func whose buffer is as large as what is computed of it.
std::string check_launched_once(const Group &group, int dims, bool of_output);

/// For each Func of the pipeline, by its index, the names of its dimensions.
using DimensionNames = std::vector<std::vector<std::string>>;

/// For each kernel that the plan launches once, how far its grid goes in y and z: 65,535 blocks.
std::vector<Notice> launch_limits(const Plan &plan, const DimensionNames &dimensions);

}  // namespace warptile
