// What the plain C++ references of the apps are written with: images that can be read beyond their edges, and the way
// to call a reference with the arguments of a compiled pipeline. No Halide but its runtime's buffer.
#pragma once

#include "HalideBuffer.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace warptile::apps {

template<typename T>
using Image = Halide::Runtime::Buffer<T>;

/// The image's pixel at a place, or the one of its edge that is nearest to it.
template<typename T>
T clamped(const Image<T> &image, int x, int y) {
    return image(std::clamp(x, image.dim(0).min(), image.dim(0).max()),
                 std::clamp(y, image.dim(1).min(), image.dim(1).max()));
}

template<typename T>
T clamped(const Image<T> &image, int x, int y, int c) {
    return image(std::clamp(x, image.dim(0).min(), image.dim(0).max()),
                 std::clamp(y, image.dim(1).min(), image.dim(1).max()), c);
}

/// A plane of doubles over x and y from `x0`, `y0`, for what stands between input and output.
class Plane {
public:
    Plane(int x0, int y0, int width, int height)
        : x0_(x0), y0_(y0), width_(width), height_(height), values_(size_t(width) * size_t(height)) {}

    int x_begin() const { return x0_; }

    int x_end() const { return x0_ + width_; }

    int y_begin() const { return y0_; }

    int y_end() const { return y0_ + height_; }

    double &operator()(int x, int y) { return values_[index(x, y)]; }

    double operator()(int x, int y) const { return values_[index(x, y)]; }

    /// Sets every value to `value(x, y)`.
    template<typename Value>
    void fill(const Value &value) {
        for (int y = y_begin(); y < y_end(); y++) {
            for (int x = x_begin(); x < x_end(); x++) {
                (*this)(x, y) = value(x, y);
            }
        }
    }

private:
    int x0_, y0_, width_, height_;
    std::vector<double> values_;

    size_t index(int x, int y) const { return size_t(y - y0_) * size_t(width_) + size_t(x - x0_); }
};

/// Floor division and its remainder, as Halide's `/` and `%` are.
inline int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

inline int floor_mod(int a, int b) { return a - b * floor_div(a, b); }

/// How an argument of a compiled pipeline becomes one of a reference: a scalar by value, a buffer as an image.
template<typename T>
struct FromArgument {
    static T get(void *argument) { return *static_cast<T *>(argument); }
};

template<typename T>
struct FromArgument<Image<T>> {
    static Image<T> get(void *argument) { return Image<T>(*static_cast<halide_buffer_t *>(argument)); }
};

template<typename... Arguments, size_t... I>
void call_with(void (*reference)(Arguments...), void **argv, std::index_sequence<I...>) {
    reference(FromArgument<std::decay_t<Arguments>>::get(argv[I])...);
}

/// Calls `reference` with the arguments of a pipeline as Halide's argv call takes them.
template<typename... Arguments>
void call_with(void (*reference)(Arguments...), void **argv) {
    call_with(reference, argv, std::index_sequence_for<Arguments...>());
}

}  // namespace warptile::apps
