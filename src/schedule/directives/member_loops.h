// The loops of a Func that is computed inside another Func's kernel, in each of the three places it can be kept.
#pragma once

#include <vector>

#include "schedule/directives/kernel_loops.h"

namespace warptile {

/// Schedules `member` (whose names are `func`) at the loops of its kernel: `at` are the names of the Func that it is
/// computed at, with the loops that Func has. Returns the loop at which a Placement::Thread member of its own would go.
KernelLoops place_member(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                         const KernelTile &tile, Names &names, std::vector<Directive> &calls);

}  // namespace warptile
