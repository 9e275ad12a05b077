// The depthwise separable convolution of depthwise_separable_conv_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::depthwise_separable_conv {

constexpr double relative_tolerance = 1e-3;  // float sums over all channels, in any order
constexpr double integer_step = 0;

/// The filtered channel `k` at a pixel.
inline double filtered(const Image<float> &input, const Image<float> &filter, int k, int x, int y, int n) {
    const int filters = filter.dim(0).extent();
    double sum = 0;
    for (int tap = 0; tap < 9; tap++) {
        const int sx = x + tap % 3 - 1, sy = y + tap / 3 - 1;
        const bool inside = sx >= input.dim(1).min() && sx <= input.dim(1).max() && sy >= input.dim(2).min() &&
                            sy <= input.dim(2).max();
        if (inside) {
            sum += double(filter(k % filters, k / filters, tap % 3, tap / 3)) * input(k / filters, sx, sy, n);
        }
    }
    return sum;
}

inline void reference(const Image<float> &input, const Image<float> &depthwise_filter,
                      const Image<float> &pointwise_filter, const Image<float> &bias, Image<float> output) {
    std::vector<double> pixel(size_t(pointwise_filter.dim(1).extent()));
    for (int n = output.dim(3).min(); n <= output.dim(3).max(); n++) {
        for (int y = output.dim(2).min(); y <= output.dim(2).max(); y++) {
            for (int x = output.dim(1).min(); x <= output.dim(1).max(); x++) {
                for (size_t k = 0; k < pixel.size(); k++) {
                    pixel[k] = filtered(input, depthwise_filter, int(k), x, y, n);
                }
                for (int c = output.dim(0).min(); c <= output.dim(0).max(); c++) {
                    double sum = bias(c);
                    for (size_t k = 0; k < pixel.size(); k++) {
                        sum += pointwise_filter(c, int(k)) * pixel[k];
                    }
                    output(c, x, y, n) = float(std::max(sum, 0.0));
                }
            }
        }
    }
}

}  // namespace warptile::apps::depthwise_separable_conv
