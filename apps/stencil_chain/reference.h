// The chain of stencils of stencil_chain_generator.cpp in plain C++, at its default of 32. Sums wrap at 16 bits.
#pragma once

#include "../support/reference.h"

#include <cstdint>
#include <utility>

namespace warptile::apps::stencil_chain {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;
constexpr int stencils = 32;

inline void reference(const Image<uint16_t> &input, Image<uint16_t> output) {
    /// The image after some stencils, with a rim of two pixels for each stencil that is still to come.
    const auto image_with_rim = [&](int rim) {
        Image<uint16_t> image(output.width() + 2 * rim, output.height() + 2 * rim);
        image.set_min(output.dim(0).min() - rim, output.dim(1).min() - rim);
        return image;
    };
    Image<uint16_t> image = image_with_rim(2 * stencils);
    image.for_each_element([&](int x, int y) { image(x, y) = clamped(input, x, y); });
    for (int left = stencils - 1; left >= 0; left--) {
        Image<uint16_t> next = image_with_rim(2 * left);
        next.for_each_element([&](int x, int y) {
            unsigned sum = 0;
            for (int j = 1; j <= 5; j++) {
                for (int i = 1; i <= 5; i++) {
                    sum += unsigned(i * j) * image(x + i - 3, y + j - 3);
                }
            }
            next(x, y) = uint16_t(sum);
        });
        image = std::move(next);
    }
    output.copy_from(image);
}

}  // namespace warptile::apps::stencil_chain
