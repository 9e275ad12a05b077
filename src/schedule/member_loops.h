// The loops of a Func that is computed inside another Func's kernel, in each of the three places it can be kept.
#pragma once

#include <vector>

#include "schedule/kernel_loops.h"

namespace warptile {

/// Schedules `member` (whose names are `func`) at the loops of its kernel: `at` are the names of the Func that it is
/// computed at, with the loops that Func has. Returns the loop at which a Placement::Thread member of its own would go.
KernelLoops place_member(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                         const KernelTile &tile, Names &names, std::vector<Directive> &calls);

/// The same loops once more for the case that no partial result is empty: Halide then leaves out the tests of the
/// parts. Each would be a branch, and a load behind it would wait for the one before.
void specialize_full(const StageName &stage, const NamedFunc &func, Names &names, std::vector<Directive> &calls);

}  // namespace warptile
