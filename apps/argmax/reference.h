// The argmax of argmax_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

#include <cstdint>

namespace warptile::apps::argmax {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<int32_t> output) {
    for (int y = output.dim(0).min(); y <= output.dim(0).max(); y++) {
        int best = input.dim(0).min();
        for (int x = best + 1; x <= input.dim(0).max(); x++) {
            best = input(x, y) > input(best, y) ? x : best;
        }
        output(y) = best;
    }
}

}  // namespace warptile::apps::argmax
