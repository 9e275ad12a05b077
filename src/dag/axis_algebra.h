#pragma once

// Arithmetic on the forms that an index can have, floor((sum of terms + [lo, hi]) / denominator) within limits. Every
// result covers all that interval arithmetic on its operands gives, and for sums, multiples and quotients by numbers no
// more, but that a multiple of a quotient is widened by the remainder.

#include <optional>
#include <vector>

#include "dag/access.h"

namespace warptile {

/// No coordinate is larger. Where a form's numbers exceed it, it becomes `Unknown`.
constexpr int64_t kLargestIndex = int64_t{1} << 31;

AxisAccess unknown();
/// Any value of [lo, hi]: `Affine` for what is the same for all loops, `Absolute` for what is not.
AxisAccess constant(int64_t lo, int64_t hi, AxisAccess::Kind kind);

/// Whether it depends on a loop by a term.
bool moves(const AxisAccess &form);
bool is_unknown(const AxisAccess &form);
bool any_unknown(const std::vector<AxisAccess> &forms);
/// The value of an index that is one number whatever the loops.
std::optional<int64_t> number(const std::vector<AxisAccess> &forms);

AxisAccess added(AxisAccess a, AxisAccess b);
AxisAccess negated(AxisAccess form);
AxisAccess scaled(AxisAccess form, int64_t c);   ///< c > 0
AxisAccess divided(AxisAccess form, int64_t c);  ///< c > 0; rounds down
/// Clamps to limits, an infinite end (`kFar`) meaning none.
void set_limits(AxisAccess &form, Interval limits);
/// Adds alternatives to a list; two of the same matrix become one.
void unite(std::vector<AxisAccess> &into, const std::vector<AxisAccess> &forms);

}  // namespace warptile
