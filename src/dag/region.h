#pragma once

// Intervals and boxes of integers, inclusive on both sides, as Halide's bounds inference has them. Regions keep each
// side apart: for affine accesses the region a tile needs is the scalene trapezoid of Zhao and Cohen (TACO 2019), never
// a halo by one slope.

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
};

/// The smallest interval that holds both.
Interval hull(const Interval &a, const Interval &b);
Interval intersect(const Interval &a, const Interval &b);

/// One interval a dimension.
using Region = std::vector<Interval>;

int64_t volume(const Region &r);
Region hull(const Region &a, const Region &b);
std::string to_string(const Region &r);

}  // namespace warptile
