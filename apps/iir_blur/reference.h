// The recursive blur of iir_blur_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::iir_blur {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

/// Filters `count` pixels that are `stride` apart, there and back.
inline void filter(double *pixels, int count, int stride, double alpha) {
    for (int i = 1; i < count; i++) {
        pixels[i * stride] += (1 - alpha) * (pixels[(i - 1) * stride] - pixels[i * stride]);
    }
    for (int i = count - 2; i >= 0; i--) {
        pixels[i * stride] += (1 - alpha) * (pixels[(i + 1) * stride] - pixels[i * stride]);
    }
}

inline void reference(const Image<float> &input, float alpha, Image<float> output) {
    const int width = input.width(), height = input.height();
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        Plane plane(input.dim(0).min(), input.dim(1).min(), width, height);
        plane.fill([&](int x, int y) { return double(input(x, y, c)); });
        double *const pixels = &plane(plane.x_begin(), plane.y_begin());
        for (int x = 0; x < width; x++) {
            filter(pixels + x, height, width, alpha);
        }
        for (int y = 0; y < height; y++) {
            filter(pixels + size_t(y) * width, width, 1, alpha);
        }
        for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
            for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
                output(x, y, c) = float(plane(x, y));
            }
        }
    }
}

}  // namespace warptile::apps::iir_blur
