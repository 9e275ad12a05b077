// The blur of blur_generator.cpp in plain C++. Sums wrap at 16 bits.
#pragma once

#include "../support/reference.h"

#include <cstdint>

namespace warptile::apps::blur {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;

inline void reference(const Image<uint16_t> &input, Image<uint16_t> output) {
    const auto mean = [](int a, int b, int c) { return uint16_t(uint16_t(a + b + c) / 3); };
    output.for_each_element([&](int x, int y) {
        uint16_t rows[3];
        for (int dy = 0; dy < 3; dy++) {
            rows[dy] = mean(input(x, y + dy), input(x + 1, y + dy), input(x + 2, y + dy));
        }
        output(x, y) = mean(rows[0], rows[1], rows[2]);
    });
}

}  // namespace warptile::apps::blur
