// The resize of resize_generator.cpp in plain C++, at its default: cubic, to half the size. The taps are found from
// where they are, one pass after the other in double precision.
#pragma once

#include "../support/reference.h"

#include <cmath>
#include <vector>

namespace warptile::apps::resize {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

/// A kernel that is zero beyond `radius`, and how large the output is for the input.
struct Resizing {
    double (*kernel)(double);
    double radius;
    int numerator, denominator;
};

/// Keys's cubic with a = -1/2.
inline double cubic(double t) {
    const double d = std::abs(t);
    return d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0;
}

/// The output pixel at `at` of a line of input, `value(i)` at any i.
template<typename Value>
double resized(const Resizing &how, int at, const Value &value) {
    const double source = (at + 0.5) * how.denominator / how.numerator - 0.5;
    const double stretch = std::max(1.0, double(how.denominator) / how.numerator);
    double sum = 0, weights = 0;
    for (int i = int(std::ceil(source - how.radius * stretch)); i < source + how.radius * stretch; i++) {
        const double weight = how.kernel((i - source) / stretch);
        sum += weight * value(i);
        weights += weight;
    }
    return sum / weights;
}

inline void resize_by(const Resizing &how, const Image<float> &input, Image<float> output) {
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        Plane half_way(input.dim(0).min(), output.dim(1).min(), input.width(), output.height());
        half_way.fill(
            [&](int x, int y) { return resized(how, y, [&](int i) { return double(clamped(input, x, i, c)); }); });
        for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
            for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
                const auto pixel = [&](int i) {
                    return half_way(std::clamp(i, half_way.x_begin(), half_way.x_end() - 1), y);
                };
                output(x, y, c) = float(std::clamp(resized(how, x, pixel), 0.0, 1.0));
            }
        }
    }
}

inline void reference(const Image<float> &input, Image<float> output) { resize_by({cubic, 2, 1, 2}, input, output); }

}  // namespace warptile::apps::resize
