// The layer normalisation of layer_norm_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::layer_norm {

constexpr double relative_tolerance = 1e-3;  // float sums of a whole row, in any order
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, const Image<float> &weight, const Image<float> &bias,
                      Image<float> output) {
    const int begin = input.dim(0).min(), end = begin + input.width();
    for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
        double sum = 0, squares = 0;
        for (int x = begin; x < end; x++) {
            sum += input(x, y);
        }
        const double mean = sum / input.width();
        for (int x = begin; x < end; x++) {
            squares += (input(x, y) - mean) * (input(x, y) - mean);
        }
        const double deviation = std::sqrt(squares / input.width() + 1e-5);
        for (int x = begin; x < end; x++) {
            output(x, y) = float((input(x, y) - mean) / deviation * weight(x) + bias(x));
        }
    }
}

}  // namespace warptile::apps::layer_norm
