// Indices with remainders in them: the slot of a ring, `t % 3`, or every second place of a row, `2 * r + row % 2`. An
// access covers a remainder as an interval; two steps of an update are told apart by what it is a remainder of.
#pragma once

#include <vector>

#include "Halide.h"
#include "dag/halide/access.h"

namespace warptile {

/// Makes the axes of an access exact that are sums of loops, numbers and remainders by numbers, given the indices that
/// it was read from.
void settle_remainders(const std::vector<Halide::Expr> &indices, AccessReader &reader, Access &access);

}  // namespace warptile
