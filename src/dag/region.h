// Intervals and boxes of integers, inclusive on both sides, as Halide's bounds inference has them. Regions keep each
// side apart: for affine accesses the region a tile needs is the scalene trapezoid of Zhao and Cohen (TACO 2019), never
// a halo by one slope.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warptile {

struct Interval {
    int64_t min = 0;
    int64_t max = -1;  ///< inclusive; an empty interval has max < min

    int64_t extent() const { return max - min + 1; }

    bool empty() const { return max < min; }

    bool operator==(const Interval &o) const { return min == o.min && max == o.max; }

    bool operator!=(const Interval &o) const { return !(*this == o); }
};

/// Stands for minus and plus infinity: far beyond every coordinate of a buffer, and small enough to be multiplied.
constexpr int64_t kFar = int64_t{1} << 40;
constexpr Interval kEverything{-kFar, kFar};

/// Quotient rounded down, for a positive divisor.
constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The smallest interval that holds both.
Interval hull(const Interval &a, const Interval &b);
Interval intersect(const Interval &a, const Interval &b);

/// One interval a dimension.
using Region = std::vector<Interval>;

/// Points in the box, saturating (saturating.h); 1 for the box of no dimensions.
int64_t volume(const Region &r);
/// A box of no dimensions is taken for "none": the hull with it is the other box.
Region hull(const Region &a, const Region &b);

/// What `Func::bound`, `bound_extent` and `align_bounds` make of the region required of one dimension.
struct BoundRule {
    enum class Kind {
        Fixed,   ///< exactly `range`, whatever is required
        Extent,  ///< from the required minimum on, `range.extent()` points
        Align,   ///< both ends rounded outwards to multiples of `modulus`, shifted by `remainder`
        Round    ///< from the required minimum on, a multiple of `modulus` points
    };
    int dim = 0;
    Kind kind = Kind::Fixed;
    Interval range;
    int64_t modulus = 1;
    int64_t remainder = 0;
    bool estimated = false;  ///< its numbers come from the estimates of parameters
};

Interval apply(const BoundRule &rule, const Interval &required);

std::string to_string(const Region &r);

}  // namespace warptile
