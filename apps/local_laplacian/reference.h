// The local Laplacian filter of local_laplacian_generator.cpp in plain C++, at its default of eight pyramid levels.
// The result is a float cut off to an integer: where it lies next to one, its rounding decides, hence a step of one.
#pragma once

#include "../support/reference.h"

#include <cmath>
#include <cstdint>

namespace warptile::apps::local_laplacian {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 1;
constexpr int pyramid_levels = 8;

/// A level's part of the plane: as much as doubling it to the finer level's asks, or halving to the coarser one's.
struct Region {
    int x0, y0, x1, y1;  // the ends are not in it

    Plane plane() const { return {x0, y0, x1 - x0, y1 - y0}; }
};

/// What is needed of each level to have level 0 over `base`, from coarse to fine and back: [level].
inline std::vector<Region> regions_for(const Region &base) {
    std::vector<Region> regions{base};
    for (int j = 1; j < pyramid_levels; j++) {
        const Region &f = regions.back();
        regions.push_back(
            {floor_div(f.x0, 2) - 1, floor_div(f.y0, 2) - 1, floor_div(f.x1, 2) + 2, floor_div(f.y1, 2) + 2});
    }
    for (int j = pyramid_levels - 1; j > 0; j--) {
        const Region &c = regions[j];
        Region &f = regions[j - 1];
        f = {std::min(f.x0, 2 * c.x0 - 1), std::min(f.y0, 2 * c.y0 - 1), std::max(f.x1, 2 * c.x1 + 1),
             std::max(f.y1, 2 * c.y1 + 1)};
    }
    return regions;
}

inline Plane halved(const Plane &fine, const Region &region) {
    const auto along_y = [&](int x, int y) {
        return (fine(x, 2 * y - 1) + 3 * (fine(x, 2 * y) + fine(x, 2 * y + 1)) + fine(x, 2 * y + 2)) / 8;
    };
    Plane half = region.plane();
    half.fill([&](int x, int y) {
        return (along_y(2 * x - 1, y) + 3 * (along_y(2 * x, y) + along_y(2 * x + 1, y)) + along_y(2 * x + 2, y)) / 8;
    });
    return half;
}

inline double doubled(const Plane &coarse, int x, int y) {
    const int near_x = floor_div(x, 2), far_x = near_x + (floor_mod(x, 2) ? 1 : -1);
    const int near_y = floor_div(y, 2), far_y = near_y + (floor_mod(y, 2) ? 1 : -1);
    return (9 * coarse(near_x, near_y) + 3 * coarse(far_x, near_y) + 3 * coarse(near_x, far_y) + coarse(far_x, far_y)) /
           16;
}

inline std::vector<Plane> pyramid_from(Plane base, const std::vector<Region> &regions) {
    std::vector<Plane> pyramid{std::move(base)};
    for (int j = 1; j < pyramid_levels; j++) {
        pyramid.push_back(halved(pyramid.back(), regions[j]));
    }
    return pyramid;
}

/// Luma in 16 bits, rounded.
inline uint32_t luma16(const Image<uint16_t> &input, int x, int y) {
    const auto channel = [&](int c) { return uint32_t(clamped(input, x, y, c)); };
    return (299 * channel(0) + 587 * channel(1) + 114 * channel(2) + 500) / 1000;
}

/// The result's pyramid at level 0.
inline Plane filtered(const Image<uint16_t> &input, int levels, float alpha, float beta,
                      const std::vector<Region> &regions) {
    Plane grey = regions[0].plane();
    grey.fill([&](int x, int y) { return luma16(input, x, y) / 65535.0; });
    const std::vector<Plane> luma = pyramid_from(grey, regions);
    std::vector<std::vector<Plane>> remapped;
    for (int k = 0; k < levels; k++) {
        Plane base = regions[0].plane();
        base.fill([&](int x, int y) {
            const int index = int(uint64_t(luma16(input, x, y)) * (levels - 1) * 256 / 65535);
            const double distance = (index - 256 * k) / 256.0, intensity = double(k) / (levels - 1);
            return beta * (grey(x, y) - intensity) + intensity + alpha * distance * std::exp(-distance * distance / 2);
        });
        remapped.push_back(pyramid_from(std::move(base), regions));
    }
    Plane result = regions.back().plane();
    for (int j = pyramid_levels - 1; j >= 0; j--) {
        const bool coarsest = j == pyramid_levels - 1;
        Plane finer = regions[j].plane();
        finer.fill([&](int x, int y) {
            if (!coarsest && (x < 2 * regions[j + 1].x0 + 2 || x > 2 * regions[j + 1].x1 - 4 ||
                              y < 2 * regions[j + 1].y0 + 2 || y > 2 * regions[j + 1].y1 - 4)) {
                return 0.0;  // needed for halving only
            }
            const auto laplacian = [&](int k) {
                return remapped[k][j](x, y) - (coarsest ? 0 : doubled(remapped[k][j + 1], x, y));
            };
            const double position = luma[j](x, y) * (levels - 1);
            const int below = std::clamp(int(position), 0, levels - 2);
            const double part = position - below;
            return (1 - part) * laplacian(below) + part * laplacian(below + 1) + (coarsest ? 0 : doubled(result, x, y));
        });
        result = std::move(finer);
    }
    return result;
}

inline void reference(const Image<uint16_t> &input, int levels, float alpha, float beta, Image<uint16_t> output) {
    const Region base{output.dim(0).min(), output.dim(1).min(), output.dim(0).max() + 1, output.dim(1).max() + 1};
    const Plane result = filtered(input, levels, alpha, beta, regions_for(base));
    output.for_each_element([&](int x, int y, int c) {
        const double grey = luma16(input, x, y) / 65535.0;
        const double value = input(x, y, c) * ((result(x, y) + 0.01) / (grey + 0.01));
        output(x, y, c) = uint16_t(std::clamp(value, 0.0, 65535.0));
    });
}

}  // namespace warptile::apps::local_laplacian
