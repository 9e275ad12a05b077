// The edges of canny_generator.cpp in plain C++, with its default number of steps. Planes hold integers, which a double
// does exactly.
#pragma once

#include "../support/reference.h"

#include <cmath>
#include <cstdint>

namespace warptile::apps::canny {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;
constexpr int steps = 8;

/// What is between input and output needs `more` pixels around the output.
inline Plane around(const Image<uint8_t> &output, int more) {
    return {output.dim(0).min() - more, output.dim(1).min() - more, output.width() + 2 * more,
            output.height() + 2 * more};
}

/// Whether no neighbour on the gradient's line is longer than the gradient at (x, y).
inline bool is_ridge(const Plane &dx, const Plane &dy, int x, int y) {
    const double size_x = 256 * std::abs(dx(x, y)), size_y = std::abs(dy(x, y));
    int i = 1, j = 1;
    if (618 * size_y < size_x) {
        j = 0;
    } else if (106 * size_y > size_x) {
        i = 0;
    } else if ((dx(x, y) > 0) != (dy(x, y) > 0)) {
        i = -1;
    }
    const auto strength = [&](int at_x, int at_y) {
        return dx(at_x, at_y) * dx(at_x, at_y) + dy(at_x, at_y) * dy(at_x, at_y);
    };
    return strength(x, y) >= strength(x - i, y - j) && strength(x, y) > strength(x + i, y + j);
}

inline void reference(const Image<uint8_t> &input, int lower, int upper, Image<uint8_t> output) {
    const double weights[] = {1, 4, 6, 4, 1};
    Plane smooth = around(output, steps + 2), dx = around(output, steps + 1), dy = dx, edges = around(output, steps);
    smooth.fill([&](int x, int y) {
        double sum = 0;
        for (int i = 0; i < 25; i++) {
            sum += weights[i % 5] * weights[i / 5] * clamped(input, x + i % 5 - 2, y + i / 5 - 2);
        }
        return std::floor((sum + 8) / 16);
    });
    const auto sobel = [&](int x, int y, int i, int j) {
        double sum = 0;
        for (int across = -1; across <= 1; across++) {
            sum += (across == 0 ? 2 : 1) *
                   (smooth(x + i + across * j, y + j + across * i) - smooth(x - i + across * j, y - j + across * i));
        }
        return sum;
    };
    dx.fill([&](int x, int y) { return sobel(x, y, 1, 0); });
    dy.fill([&](int x, int y) { return sobel(x, y, 0, 1); });
    edges.fill([&](int x, int y) {
        const double strength = dx(x, y) * dx(x, y) + dy(x, y) * dy(x, y);
        const auto passes = [&](double levels) { return strength >= 16384 * levels * levels; };
        return !passes(lower) || !is_ridge(dx, dy, x, y) ? 0 : passes(upper) ? 2 : 1;
    });
    for (int i = 1; i <= steps; i++) {
        Plane next = around(output, steps - i);
        next.fill([&](int x, int y) {
            double largest = 0;
            for (int n = 0; n < 9; n++) {
                largest = std::max(largest, edges(x + n % 3 - 1, y + n / 3 - 1));
            }
            return edges(x, y) == 1 && largest == 2 ? 2 : edges(x, y);
        });
        edges = next;
    }
    output.for_each_element([&](int x, int y) { output(x, y) = edges(x, y) == 2 ? 255 : 0; });
}

}  // namespace warptile::apps::canny
