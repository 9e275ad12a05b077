// The mean over rows of mean_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::mean {

constexpr double relative_tolerance = 1e-3;  // a float sum of a whole column, in any order
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<float> output) {
    for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
        double total = 0;
        for (int y = input.dim(1).min(); y <= input.dim(1).max(); y++) {
            total += input(x, y);
        }
        output(x) = float(total / input.height());
    }
}

}  // namespace warptile::apps::mean
