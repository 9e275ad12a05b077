// The convolution layer of conv_layer_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::conv_layer {

constexpr double relative_tolerance = 1e-3;  // float sums over all channels, in any order
constexpr double integer_step = 0;

/// Adds to `sums`, one for each output channel, what the filter makes of the pixel that is (dx, dy) from its corner.
inline void add_tap(const float *pixel, const Image<float> &filter, int dx, int dy, std::vector<double> &sums) {
    for (int k = 0; k < filter.dim(3).extent(); k++) {
        const double value = pixel[k];
        const float *const weights = &filter(0, dx, dy, k);
        for (size_t c = 0; c < sums.size(); c++) {
            sums[c] += weights[c] * value;
        }
    }
}

inline void reference(const Image<float> &input, const Image<float> &filter, const Image<float> &bias,
                      Image<float> output) {
    std::vector<double> sums(size_t(output.dim(0).extent()));
    for (int n = output.dim(3).min(); n <= output.dim(3).max(); n++) {
        for (int y = output.dim(2).min(); y <= output.dim(2).max(); y++) {
            for (int x = output.dim(1).min(); x <= output.dim(1).max(); x++) {
                std::copy(bias.begin(), bias.end(), sums.begin());
                for (int tap = 0; tap < 9; tap++) {
                    const int dx = tap % 3, dy = tap / 3;
                    add_tap(&input(0, x + dx, y + dy, n), filter, dx, dy, sums);
                }
                for (int c = 0; c < output.dim(0).extent(); c++) {
                    output(c, x, y, n) = float(std::max(sums[size_t(c)], 0.0));
                }
            }
        }
    }
}

}  // namespace warptile::apps::conv_layer
