// Arithmetic on coordinates, extents and numbers of points that stops at a largest number where the true result is
// beyond it. An extent goes up to 2^31, and the product of three is more than 64 bits hold: a number that wrapped
// around would make a huge tile look small.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace warptile {

/// The largest result, and minus it the smallest: the difference of two fits 64 bits.
constexpr int64_t kMostPoints = int64_t{1} << 61;

constexpr int64_t saturated(int64_t n) { return n > kMostPoints ? kMostPoints : n < -kMostPoints ? -kMostPoints : n; }

constexpr int64_t saturating_add(int64_t a, int64_t b) { return saturated(saturated(a) + saturated(b)); }

constexpr int64_t saturating_multiply(int64_t a, int64_t b) {
    int64_t product = 0;
    const bool overflows = __builtin_mul_overflow(a, b, &product);
    return overflows ? ((a < 0) == (b < 0) ? kMostPoints : -kMostPoints) : saturated(product);
}

/// The product of extents; 1 of none.
inline int64_t product(const std::vector<int64_t> &extents) {
    int64_t points = 1;
    for (const int64_t extent : extents) {
        points = saturating_multiply(points, extent);
    }
    return points;
}

/// The whole number at or below `n`, which is a number.
inline int64_t saturating_floor(double n) {
    const double most = static_cast<double>(kMostPoints);
    return n >= most ? kMostPoints : n <= -most ? -kMostPoints : static_cast<int64_t>(std::floor(n));
}

}  // namespace warptile
