// The batch normalisation of batch_norm_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::batch_norm {

constexpr double relative_tolerance = 1e-3;  // float sums of a whole channel, in any order
constexpr double integer_step = 0;

/// Calls `use(x, y, n)` for each pixel of a channel.
template<typename Use>
void for_each_pixel(const Image<float> &images, const Use &use) {
    for (int n = images.dim(3).min(); n <= images.dim(3).max(); n++) {
        for (int y = images.dim(1).min(); y <= images.dim(1).max(); y++) {
            for (int x = images.dim(0).min(); x <= images.dim(0).max(); x++) {
                use(x, y, n);
            }
        }
    }
}

inline void reference(const Image<float> &input, const Image<float> &weight, const Image<float> &bias,
                      const Image<float> &running_mean, const Image<float> &running_variance, Image<float> output,
                      Image<float> new_mean, Image<float> new_variance) {
    const double count = double(input.width()) * input.height() * input.dim(3).extent(), momentum = 0.1;
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        double sum = 0, squares = 0;
        for_each_pixel(input, [&](int x, int y, int n) { sum += input(x, y, c, n); });
        const double mean = sum / count;
        for_each_pixel(
            input, [&](int x, int y, int n) { squares += (input(x, y, c, n) - mean) * (input(x, y, c, n) - mean); });
        const double variance = squares / count, unbiased = squares / std::max(count - 1, 1.0);
        for_each_pixel(output, [&](int x, int y, int n) {
            const double normalised = (input(x, y, c, n) - mean) / std::sqrt(variance + 1e-5);
            output(x, y, c, n) = float(normalised * weight(c) + bias(c));
        });
        new_mean(c) = float((1 - momentum) * running_mean(c) + momentum * mean);
        new_variance(c) = float((1 - momentum) * running_variance(c) + momentum * unbiased);
    }
}

}  // namespace warptile::apps::batch_norm
