// The heat equation of heat_3d_generator.cpp in plain C++, at its default of eight steps. Here the block is insulated
// in every step anew: what a point at the surface lacks of neighbours is as warm as itself.
#pragma once

#include "../support/reference.h"

#include <utility>
#include <vector>

namespace warptile::apps::heat_3d {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int steps = 8;

inline void reference(const Image<float> &input, Image<float> output) {
    const int x0 = input.dim(0).min(), x1 = input.dim(0).max(), y0 = input.dim(1).min(), y1 = input.dim(1).max();
    const int z0 = input.dim(2).min(), z1 = input.dim(2).max();
    std::vector<Plane> now(input.dim(2).extent(), Plane(x0, y0, input.width(), input.height())), next = now;
    for (int z = z0; z <= z1; z++) {
        now[z - z0].fill([&](int x, int y) { return input(x, y, z); });
    }
    for (int step = 0; step < steps; step++) {
        for (int z = 0; z <= z1 - z0; z++) {
            const Plane &here = now[z], &below = now[std::max(z - 1, 0)], &above = now[std::min(z + 1, z1 - z0)];
            next[z].fill([&](int x, int y) {
                const double around = here(std::max(x - 1, x0), y) + here(std::min(x + 1, x1), y) +
                                      here(x, std::max(y - 1, y0)) + here(x, std::min(y + 1, y1)) + below(x, y) +
                                      above(x, y);
                return here(x, y) + (around - 6 * here(x, y)) / 8;
            });
        }
        std::swap(now, next);
    }
    output.for_each_element([&](int x, int y, int z) { output(x, y, z) = float(now[z - z0](x, y)); });
}

}  // namespace warptile::apps::heat_3d
