// The heat equation of heat_2d_generator.cpp in plain C++, at its default of 24 steps. Here the plate is insulated in
// every step anew: what a point at the edge lacks of neighbours is as warm as itself.
#pragma once

#include "../support/reference.h"

#include <utility>

namespace warptile::apps::heat_2d {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int steps = 24;

inline void reference(const Image<float> &input, Image<float> output) {
    const int x0 = input.dim(0).min(), x1 = input.dim(0).max(), y0 = input.dim(1).min(), y1 = input.dim(1).max();
    Plane now(x0, y0, input.width(), input.height()), next = now;
    now.fill([&](int x, int y) { return input(x, y); });
    for (int step = 0; step < steps; step++) {
        next.fill([&](int x, int y) {
            const double flow = now(std::max(x - 1, x0), y) + now(std::min(x + 1, x1), y) +
                                now(x, std::max(y - 1, y0)) + now(x, std::min(y + 1, y1)) - 4 * now(x, y);
            return now(x, y) + flow / 8;
        });
        std::swap(now, next);
    }
    output.for_each_element([&](int x, int y) { output(x, y) = float(now(x, y)); });
}

}  // namespace warptile::apps::heat_2d
