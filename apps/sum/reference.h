// The sum of sum_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::sum {

constexpr double relative_tolerance = 1e-3;  // a float sum of the whole image, in any order
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<float> output) {
    double total = 0;
    input.for_each_value([&](float value) { total += value; });
    output() = float(total);
}

}  // namespace warptile::apps::sum
