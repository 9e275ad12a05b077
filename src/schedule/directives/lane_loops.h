// The loops of a member that is kept in the registers of a warp's lanes: all of the warp's tile, or row by row.
#pragma once

#include <string>
#include <vector>

#include "schedule/directives/kernel_loops.h"

namespace warptile {

/// All of a warp's tile. Returns the loop over the lanes.
std::string place_at_warp(const Member &member, const NamedFunc &func, const KernelTile &tile,
                          const std::vector<SizeTest> &whole_tiles, Names &names, std::vector<Directive> &calls);

/// What one step of the stream needs and does not have from the step before. Returns the loop over the lanes.
std::string place_in_stream(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                            const KernelTile &tile, Names &names, std::vector<Directive> &calls);

}  // namespace warptile
