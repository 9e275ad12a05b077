// The non-local means of nl_means_generator.cpp in plain C++, a step of the search window after the other.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::nl_means {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

/// The distance of the patches around each pixel of `region` and around the pixel (dx, dy) from it.
inline Plane distances(const Image<float> &input, const Plane &region, int patch_size, int dx, int dy) {
    const int x0 = region.x_begin(), y0 = region.y_begin(), before = patch_size / 2;
    const int width = region.x_end() - x0, height = region.y_end() - y0;
    Plane squares(x0 - before, y0 - before, width + patch_size, height + patch_size);
    Plane rows(x0, y0 - before, width, height + patch_size), result(x0, y0, width, height);
    squares.fill([&](int x, int y) {
        double sum = 0;
        for (int c = 0; c < 3; c++) {
            const double d = double(clamped(input, x, y, c)) - clamped(input, x + dx, y + dy, c);
            sum += d * d;
        }
        return sum;
    });
    const auto box = [&](const auto &at) {
        double sum = 0;
        for (int i = -before; i < patch_size - before; i++) {
            sum += at(i);
        }
        return sum;
    };
    rows.fill([&](int x, int y) { return box([&](int i) { return squares(x + i, y); }); });
    result.fill([&](int x, int y) { return box([&](int i) { return rows(x, y + i); }); });
    return result;
}

inline void reference(const Image<float> &input, int patch_size, int search_area, float sigma, Image<float> output) {
    const Plane zero(output.dim(0).min(), output.dim(1).min(), output.width(), output.height());
    Plane sums[4] = {zero, zero, zero, zero};
    const int first = -(search_area / 2), end = first + search_area;
    for (int dy = first; dy < end; dy++) {
        for (int dx = first; dx < end; dx++) {
            const Plane distance = distances(input, zero, patch_size, dx, dy);
            for (int c = 0; c < 4; c++) {
                sums[c].fill([&](int x, int y) {
                    const double weight = std::exp(-distance(x, y) / (double(sigma) * sigma * patch_size * patch_size));
                    return sums[c](x, y) + weight * (c < 3 ? clamped(input, x + dx, y + dy, c) : 1);
                });
            }
        }
    }
    output.for_each_element(
        [&](int x, int y, int c) { output(x, y, c) = float(std::clamp(sums[c](x, y) / sums[3](x, y), 0.0, 1.0)); });
}

}  // namespace warptile::apps::nl_means
