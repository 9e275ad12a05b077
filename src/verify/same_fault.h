// Which candidates are not worth a trial, since what was wrong with another one would be wrong with them.
//
// Behind each candidate the search has the same one in a single launch, and several that differ in the tile of a Func
// but not in those of its updates. Where an update cannot be used, another tile of the Func does not help it; where a
// kernel spilled much, it is no help that it need not know which launch it belongs to.
#pragma once

#include "schedule/plan.h"
#include "verify/judge.h"

namespace warptile {

/// Whether a kernel that had `fault` in `tried` would have it in `next`. The plans differ in this kernel
/// alone, which is group `tried_group` of the one and `next_group` of the other.
bool has_same_fault(const GroupFault &fault, const Plan &tried, size_t tried_group, const Plan &next, size_t next_group);

}  // namespace warptile
