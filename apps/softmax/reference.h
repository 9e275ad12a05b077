// The softmax of softmax_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::softmax {

constexpr double relative_tolerance = 1e-3;  // a float sum of a whole row, in any order
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<float> output) {
    const int begin = input.dim(0).min(), end = begin + input.width();
    for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
        double largest = input(begin, y), sum = 0;
        for (int x = begin; x < end; x++) {
            largest = std::max(largest, double(input(x, y)));
        }
        for (int x = begin; x < end; x++) {
            sum += std::exp(input(x, y) - largest);
        }
        for (int x = begin; x < end; x++) {
            output(x, y) = float(std::exp(input(x, y) - largest) / sum);
        }
    }
}

}  // namespace warptile::apps::softmax
