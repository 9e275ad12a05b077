// The bilateral grid of bilateral_grid_generator.cpp in plain C++, at its default cell of 8x8 pixels.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::bilateral_grid {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

/// Sums and counts of the cells from (x0, y0) on, each with `bins` intensities, of which the first is bin -2.
struct Grid {
    int x0, y0, width, height, bins;
    std::vector<double> values = std::vector<double>(size_t(width) * height * bins * 2);

    double &at(int x, int y, int z, int c) {
        return values[((size_t(y - y0) * width + (x - x0)) * bins + (z + 2)) * 2 + c];
    }

    double read(int x, int y, int z, int c) const {
        const bool inside = x >= x0 && x < x0 + width && y >= y0 && y < y0 + height && z >= -2 && z < bins - 2;
        return inside ? values[((size_t(y - y0) * width + (x - x0)) * bins + (z + 2)) * 2 + c] : 0;
    }
};

inline double unit(double value) { return std::clamp(value, 0.0, 1.0); }

inline void add_pixels(const Image<float> &input, double r_sigma, Grid &grid) {
    for (int y = grid.y0; y < grid.y0 + grid.height; y++) {
        for (int x = grid.x0; x < grid.x0 + grid.width; x++) {
            for (int i = 0; i < 64; i++) {
                const double value = unit(clamped(input, x * 8 + i % 8 - 4, y * 8 + i / 8 - 4));
                const int bin = int(value / r_sigma + 0.5);
                grid.at(x, y, bin, 0) += value;
                grid.at(x, y, bin, 1) += 1;
            }
        }
    }
}

/// 1 4 6 4 1 along the direction (dx, dy, dz).
inline Grid blurred(const Grid &grid, int dx, int dy, int dz) {
    const double weights[] = {1, 4, 6, 4, 1};
    Grid result = grid;
    for (int y = grid.y0; y < grid.y0 + grid.height; y++) {
        for (int x = grid.x0; x < grid.x0 + grid.width; x++) {
            for (int i = 0; i < grid.bins * 2; i++) {
                double sum = 0;
                for (int d = -2; d <= 2; d++) {
                    sum += weights[d + 2] * grid.read(x + d * dx, y + d * dy, i / 2 - 2 + d * dz, i % 2);
                }
                result.at(x, y, i / 2 - 2, i % 2) = sum;
            }
        }
    }
    return result;
}

inline double sliced(const Grid &grid, int x, int y, double depth, int c) {
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        const double fx = floor_mod(x, 8) / 8.0, fy = floor_mod(y, 8) / 8.0, fz = depth - int(depth);
        const double weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
        sum += weight * grid.read(floor_div(x, 8) + dx, floor_div(y, 8) + dy, int(depth) + dz, c);
    }
    return sum;
}

inline void reference(const Image<float> &input, float r_sigma, Image<float> output) {
    const int x0 = floor_div(output.dim(0).min(), 8) - 2, x1 = floor_div(output.dim(0).max(), 8) + 4;
    const int y0 = floor_div(output.dim(1).min(), 8) - 2, y1 = floor_div(output.dim(1).max(), 8) + 4;
    Grid grid{x0, y0, x1 - x0, y1 - y0, int(1 / r_sigma + 0.5) + 6};
    add_pixels(input, r_sigma, grid);
    grid = blurred(blurred(blurred(grid, 0, 0, 1), 1, 0, 0), 0, 1, 0);
    output.for_each_element([&](int x, int y) {
        const double depth = unit(input(x, y)) / r_sigma;
        output(x, y) = float(sliced(grid, x, y, depth, 0) / sliced(grid, x, y, depth, 1));
    });
}

}  // namespace warptile::apps::bilateral_grid
