// About how far an index moves with each loop where it is no rational function of them: `cast<int>(ceil((x + 0.5f) *
// 2))` walks its producer by twos, and a warp whose lanes walk another dimension than the first so is as slow as one
// that transposes. No region is made of it, since it need not hold everywhere: what a place costs follows from it.
#pragma once

#include <optional>
#include <vector>

#include "Halide.h"
#include "dag/access.h"
#include "dag/halide/estimates.h"
#include "dag/halide/index_variables.h"

namespace warptile {

/// The steps of the loops that occur in the index, found by trying it at a few places: the largest are taken, since a
/// clamp holds it still at others, and none is 0. Nothing where `form` says enough, where data choose the index, or
/// where it comes out as no number.
std::optional<std::vector<Drift>> drift_of(const Halide::Expr &index, const AxisAccess &form, const IndexLoops &loops,
                                           const Estimates &estimates);

}  // namespace warptile
