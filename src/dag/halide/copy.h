// Whether a value is a copy of what one load gives, as a Func that wraps an input has it.
#pragma once

#include "Halide.h"

namespace warptile {

/// One load, cast, tagged as likely or chosen against a value without loads.
bool is_plain_copy(const Halide::Expr &e);

}  // namespace warptile
