// The largest value of an integer expression, whatever its variables are.
//
// The size of a tile at the edge of an image comes out of Halide's lowering as, for example,
// max(min(28*t + 60, width) + 2, 28*t) - 28*t, which is at most 62 whatever t is, and that of a tile of one level of a
// pyramid as ((y + 3)/2)*2 - (y/2)*2 + 2. Interval arithmetic sees neither, since it takes each t and y for itself.
#pragma once

#include "Halide.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warptile {

// What a variable stands for where it is bound by a let; undefined where it is not.
using ValueOf = std::function<Halide::Expr(const std::string &name)>;
// Constant bounds of an expression, as far as its form gives them away.
using BoundsOf = std::function<Halide::Internal::Interval(const Halide::Expr &e)>;

struct Extremes {
    std::optional<int64_t> largest;
    bool always = false;  // nothing else is its value
};

// Nothing where it is not found out. `largest` is at least 0, and need not be reached: what a quotient leaves over may
// have been taken for more than it can be.
Extremes extremes(const Halide::Expr &e, const ValueOf &value_of, const BoundsOf &bounds_of);

}  // namespace warptile
