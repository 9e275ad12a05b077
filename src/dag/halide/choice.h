// Updates that choose (choice.inc), of which Halide cannot prove that their steps may be joined in any order: an argmax
// in either of its forms, a maximum that minds NaN. Such an operation only compares, so that there are as many cases as
// there are orders among what a Func begins with and three steps: all of them are tried, NaN among the values.
#pragma once

#include <string>

#include "Halide.h"

namespace warptile {

/// Whether steps of the update may be taken in any order, and joined in any groups each of which begins with what the
/// Func begins with, once the earlier of two counts as there (`Choice::stored`).
bool chooses_in_any_order(const Halide::Internal::Function &f, int update);

/// Whether the update chooses otherwise than by a minimum or maximum alone, or one element decides what another
/// becomes. Then Halide's own proof does not count: of some it proves that steps may change places, though of two that
/// are equal another one would be chosen then.
bool is_choice(const Halide::Internal::Function &f, int update);

extern const char *const kChoice;  ///< choice.inc, for a printed schedule

}  // namespace warptile
