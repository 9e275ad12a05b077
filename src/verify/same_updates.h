// Which candidates are not worth a trial, since what was wrong with another one would be wrong with them: several
// differ in the tile of a Func but not in those of its updates, and where an update cannot be used another tile of the
// Func does not help it.
#pragma once

#include "schedule/plan.h"

namespace warptile {

/// Whether the kernels of the updates of group `tried_group` of the one plan are those of group `next_group` of the
/// other. Elsewhere the plans are the same.
bool has_same_updates(const Plan &tried, size_t tried_group, const Plan &next, size_t next_group);

}  // namespace warptile
