// The median filter of median_generator.cpp in plain C++, at its default radius.
#pragma once

#include "../support/reference.h"

#include <cstdint>

namespace warptile::apps::median {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;
constexpr int radius = 2;

inline void reference(const Image<uint16_t> &input, Image<uint16_t> output) {
    constexpr int diameter = 2 * radius + 1;
    std::vector<uint16_t> window(diameter * diameter);
    output.for_each_element([&](int x, int y) {
        for (int dy = -radius, i = 0; dy <= radius; dy++) {
            for (int dx = -radius; dx <= radius; dx++) {
                window[i++] = clamped(input, x + dx, y + dy);
            }
        }
        const auto middle = window.begin() + window.size() / 2;
        std::nth_element(window.begin(), middle, window.end());
        output(x, y) = *middle;
    });
}

}  // namespace warptile::apps::median
