// The histogram equalisation of hist_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace warptile::apps::hist {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;

inline int luma(const Image<uint8_t> &image, int x, int y) {
    return (image(x, y, 0) * 77 + image(x, y, 1) * 150 + image(x, y, 2) * 29 + 128) >> 8;
}

/// What each brightness becomes.
inline std::array<int, 256> levels(const Image<uint8_t> &image) {
    std::array<int, 256> count{}, level{};
    for (int y = image.dim(1).min(); y <= image.dim(1).max(); y++) {
        for (int x = image.dim(0).min(); x <= image.dim(0).max(); x++) {
            count[luma(image, x, y)]++;
        }
    }
    int rank = 0;
    for (int i = 0; i < 256; i++) {
        rank += count[i];
        const float pixels = float(image.width()) * float(image.height());
        level[i] = int(std::nearbyint(float(rank) * (255.0f / pixels)));
    }
    return level;
}

inline void reference(const Image<uint8_t> &input, Image<uint8_t> output) {
    const std::array<int, 256> level = levels(input);
    output.for_each_element([&](int x, int y, int c) {
        const int before = luma(input, x, y);
        output(x, y, c) = uint8_t(std::clamp(input(x, y, c) + level[before] - before, 0, 255));
    });
}

}  // namespace warptile::apps::hist
