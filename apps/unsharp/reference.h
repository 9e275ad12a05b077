// The unsharp mask of unsharp_generator.cpp in plain C++, at its default sigma.
#pragma once

#include "../support/reference.h"

#include <cmath>

namespace warptile::apps::unsharp {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<float> output) {
    const auto luma = [&](int x, int y) {
        return 0.299 * clamped(input, x, y, 0) + 0.587 * clamped(input, x, y, 1) + 0.114 * clamped(input, x, y, 2);
    };
    double weight[7];
    for (int d = -3; d <= 3; d++) {
        weight[d + 3] = std::exp(-d * d / (2 * 1.5 * 1.5)) / (std::sqrt(2 * std::acos(-1.0)) * 1.5);
    }
    const int x0 = output.dim(0).min(), y0 = output.dim(1).min();
    Plane grey(x0 - 3, y0 - 3, output.width() + 6, output.height() + 6);
    Plane columns(x0 - 3, y0, output.width() + 6, output.height());
    grey.fill(luma);
    columns.fill([&](int x, int y) {
        double sum = 0;
        for (int d = -3; d <= 3; d++) {
            sum += weight[d + 3] * grey(x, y + d);
        }
        return sum;
    });
    output.for_each_element([&](int x, int y, int c) {
        double blurred = 0;
        for (int d = -3; d <= 3; d++) {
            blurred += weight[d + 3] * columns(x + d, y);
        }
        output(x, y, c) = float((2 * grey(x, y) - blurred) / grey(x, y) * input(x, y, c));
    });
}

}  // namespace warptile::apps::unsharp
