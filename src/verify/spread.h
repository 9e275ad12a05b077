// Rewrites a sum of minima and maxima so that terms that cancel meet.
//
// The size of a tile at the edge of an image comes out of Halide's lowering as, for example,
// max(min(28*t + 60, width) + 2, 28*t) - 28*t, which is at most 62 whatever t is. Interval arithmetic does not see it,
// since it takes each 28*t for itself; with the outer term moved inwards, max(min(60, width - 28*t) + 2, 0), it does.
#pragma once

#include "Halide.h"

namespace warptile {

// An expression of the same value, with minima and maxima outermost. What would grow too large is left as it is.
Halide::Expr spread(const Halide::Expr &e);

}  // namespace warptile
