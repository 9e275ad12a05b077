#pragma once

// Which of a group's kernels become its candidates: the model ranks them, and is not sure of its order.

#include <vector>

#include "search/candidates.h"

namespace warptile {

/// Of `drafts`, cheapest first, about `most`: the cheapest, and then what differs from it, another form, or the same
/// with clearly fewer registers or points in a thread. The model's order between forms is less sure than that within
/// one, and what spills is no candidate at all. One of few points a thread is always among them.
std::vector<Draft> select_drafts(const std::vector<Draft> &drafts, int max_registers, int most);

}  // namespace warptile
