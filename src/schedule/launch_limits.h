// A kernel is launched in parts where its grid is too high for a card, in a loop of the host, unless its members cannot
// be lowered through that loop. Then there is a size from which on the card refuses the launch, and the user should
// know it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/notice.h"
#include "schedule/plan.h"

namespace warptile {

/// Blocks of a grid in y and in z.
constexpr int64_t kGridYZ = 65535;

/// For each Func of the pipeline, by its index, the names of its dimensions.
using DimensionNames = std::vector<std::vector<std::string>>;

/// For each kernel that the plan launches once, how far its grid goes in y and z: 65,535 blocks.
std::vector<Notice> launch_limits(const Plan &plan, const DimensionNames &dimensions);

}  // namespace warptile
