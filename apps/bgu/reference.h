// The bilateral guided upsampling of bgu_generator.cpp in plain C++. Cells are chosen as in single precision, for which
// they are exact wherever the inputs have few bits; the fit is in double precision, and as well conditioned as the
// colours of a cell differ: hence a tolerance above the usual one.
#pragma once

#include "../support/reference.h"

#include <array>
#include <cmath>

namespace warptile::apps::bgu {

constexpr double relative_tolerance = 1e-3;
constexpr double integer_step = 0;

using Colors = Image<float>;
using Augmented = std::array<std::array<double, 7>, 4>;  // four equations, and three right sides

/// In single precision, as the grid's cells depend on it.
inline float intensity(float red, float green, float blue) {
    return std::clamp(0.25f * red + 0.5f * green + 0.25f * blue, 0.0f, 1.0f);
}

/// Cells over x, y and intensity from (x0, y0, -3) on; what is asked for beyond them is zero.
struct Grid {
    int x0, y0, width, height, bins;
    std::vector<Augmented> cells = std::vector<Augmented>(size_t(width) * height * bins);

    bool has(int x, int y, int z) const {
        return x >= x0 && x < x0 + width && y >= y0 && y < y0 + height && z >= -3 && z < bins - 3;
    }

    Augmented &at(int x, int y, int z) { return cells[(size_t(y - y0) * width + (x - x0)) * bins + (z + 3)]; }

    const Augmented &at(int x, int y, int z) const { return const_cast<Grid *>(this)->at(x, y, z); }

    template<typename Body>
    void for_each_cell(const Body &body) const {
        for (int y = y0; y < y0 + height; y++) {
            for (int x = x0; x < x0 + width; x++) {
                for (int z = -3; z < bins - 3; z++) {
                    body(x, y, z);
                }
            }
        }
    }
};

inline void add_pixels(const Colors &small, const Colors &filtered, float inverse_r_sigma, int s_sigma, Grid &grid) {
    for (int y = grid.y0 * s_sigma; y < (grid.y0 + grid.height) * s_sigma; y++) {
        for (int x = grid.x0 * s_sigma; x < (grid.x0 + grid.width) * s_sigma; x++) {
            const int px = x - s_sigma / 2, py = y - s_sigma / 2;
            double color[7] = {0, 0, 0, 1};
            for (int c = 0; c < 3; c++) {
                color[c] = clamped(small, px, py, c);
                color[4 + c] = clamped(filtered, px, py, c);
            }
            const int bin = int(intensity(float(color[0]), float(color[1]), float(color[2])) * inverse_r_sigma + 0.5f);
            Augmented &sums = grid.at(floor_div(x, s_sigma), floor_div(y, s_sigma), bin);
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 7; j++) {
                    sums[i][j] += color[i] * color[j];
                }
            }
        }
    }
}

/// Blurred along the direction (dx, dy, dz).
inline Grid blurred(const Grid &grid, int dx, int dy, int dz) {
    Grid result = grid;
    grid.for_each_cell([&](int x, int y, int z) {
        Augmented sums{};
        for (int d = -3; d <= 3; d++) {
            if (grid.has(x + d * dx, y + d * dy, z + d * dz)) {
                const Augmented &tap = grid.at(x + d * dx, y + d * dy, z + d * dz);
                const double weight = 1 / std::pow(1 + std::abs(d), 3);
                for (int i = 0; i < 4; i++) {
                    for (int j = 0; j < 7; j++) {
                        sums[i][j] += weight * tap[i][j];
                    }
                }
            }
        }
        result.at(x, y, z) = sums;
    });
    return result;
}

/// Gauss and Jordan's elimination of the equations, to which a tenth of a pixel that stays as it is was added: the
/// coefficients stand in the right sides' columns then.
inline void solve(Augmented &equations) {
    for (int i = 0; i < 4; i++) {
        equations[i][i] += 0.1;
        if (i < 3) {
            equations[i][4 + i] += 0.1;
        }
    }
    for (int pivot = 0; pivot < 4; pivot++) {
        const double inverse = 1 / equations[pivot][pivot];
        for (double &entry : equations[pivot]) {
            entry *= inverse;
        }
        for (int i = 0; i < 4; i++) {
            const double factor = equations[i][pivot];
            for (int j = 0; j < 7 && i != pivot; j++) {
                equations[i][j] -= factor * equations[pivot][j];
            }
        }
    }
}

inline void reference(float r_sigma, int s_sigma, const Colors &splat_loc, const Colors &values,
                      const Colors &slice_loc, Colors output) {
    const auto times = [](int large, int small) { return (large + small - 1) / small; };
    const int cell_size =
        s_sigma * std::max(times(slice_loc.width(), splat_loc.width()), times(slice_loc.height(), splat_loc.height()));
    const float inverse_r_sigma = 1.0f / r_sigma;
    const int x0 = floor_div(output.dim(0).min(), cell_size) - 3, x1 = floor_div(output.dim(0).max(), cell_size) + 5;
    const int y0 = floor_div(output.dim(1).min(), cell_size) - 3, y1 = floor_div(output.dim(1).max(), cell_size) + 5;
    Grid grid{x0, y0, x1 - x0, y1 - y0, int(inverse_r_sigma + 0.5f) + 8};
    add_pixels(splat_loc, values, inverse_r_sigma, s_sigma, grid);
    grid = blurred(blurred(blurred(grid, 0, 0, 1), 0, 1, 0), 1, 0, 0);
    for (Augmented &cell : grid.cells) {
        solve(cell);
    }
    output.for_each_element([&](int x, int y, int c) {
        const double color[4] = {slice_loc(x, y, 0), slice_loc(x, y, 1), slice_loc(x, y, 2), 1};
        const double depth = intensity(float(color[0]), float(color[1]), float(color[2])) * double(inverse_r_sigma);
        const double fx = floor_mod(x, cell_size) / double(cell_size), fy = floor_mod(y, cell_size) / double(cell_size);
        const double fz = depth - int(depth);
        double mapped = 0;
        for (int corner = 0; corner < 8; corner++) {
            const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
            const double weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
            const Augmented &map = grid.at(floor_div(x, cell_size) + dx, floor_div(y, cell_size) + dy, int(depth) + dz);
            for (int i = 0; i < 4; i++) {
                mapped += weight * map[i][4 + c] * color[i];
            }
        }
        output(x, y, c) = float(std::clamp(mapped, 0.0, 1.0));
    });
}

}  // namespace warptile::apps::bgu
