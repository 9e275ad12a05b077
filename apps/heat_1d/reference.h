// The heat equation of heat_1d_generator.cpp in plain C++, at its default of 60 steps. Here the rod is insulated in
// every step anew: what a point at an end lacks of neighbours is as warm as itself.
#pragma once

#include "../support/reference.h"

#include <utility>

namespace warptile::apps::heat_1d {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int steps = 60;

inline void reference(const Image<float> &input, Image<float> output) {
    const int x0 = input.dim(0).min(), x1 = input.dim(0).max();
    Plane now(x0, 0, input.width(), 1), next = now;
    now.fill([&](int x, int) { return input(x); });
    for (int step = 0; step < steps; step++) {
        next.fill([&](int x, int) {
            const double flow = now(std::max(x - 1, x0), 0) + now(std::min(x + 1, x1), 0) - 2 * now(x, 0);
            return now(x, 0) + flow / 4;
        });
        std::swap(now, next);
    }
    output.for_each_element([&](int x) { output(x) = float(now(x, 0)); });
}

}  // namespace warptile::apps::heat_1d
