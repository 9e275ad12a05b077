#pragma once

// Which of a group's kernels become its candidates: the model ranks them, and is not sure of its order.

#include <vector>

#include "search/pricing/kernels.h"

namespace warptile {

/// Of `kernels`, cheapest first, about `most`: the cheapest, and then what differs from it, another form, or the same
/// with clearly fewer registers or points in a thread. The model's order between forms is less sure than that within
/// one, and what spills is no candidate at all. One of few points a thread is always among them.
std::vector<PricedKernel> select_kernels(const std::vector<PricedKernel> &kernels, int max_registers, int most);

}  // namespace warptile
