// A pipeline that is called with buffers without data computes nothing and writes into them what it would need
// (Halide's bounds query).
#include "tools/bench/running/needed_inputs.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace warptile::bench {
namespace {

/// A shape as an argument of a query.
struct Asked {
    halide_buffer_t buffer{};
    std::vector<halide_dimension_t> dimensions;
    halide_scalar_value_t value{};

    explicit Asked(const ArgumentShape &shape) : value(shape.value) {
        int stride = 1;
        for (const auto &[min, extent] : shape.dimensions) {
            dimensions.emplace_back(min, extent, stride);
            stride *= extent;
        }
        buffer.type = shape.type;
        buffer.dimensions = int(dimensions.size());
    }

    void *argument(const ArgumentShape &shape) {
        buffer.dim = dimensions.data();
        return shape.is_scalar ? static_cast<void *>(&value) : &buffer;
    }
};

/// The dimensions by their strides, the least first. Of two that have the same, at least one is of one value: it takes
/// no room, and comes first.
std::vector<int> layout_of(const std::vector<halide_dimension_t> &dimensions) {
    std::vector<int> layout(dimensions.size());
    std::iota(layout.begin(), layout.end(), 0);
    std::stable_sort(layout.begin(), layout.end(), [&](int a, int b) {
        const halide_dimension_t &one = dimensions[size_t(a)], &other = dimensions[size_t(b)];
        return std::make_pair(one.stride, one.extent) < std::make_pair(other.stride, other.extent);
    });
    return layout;
}

}  // namespace

void fit_to(std::vector<ArgumentShape> &shapes, const Pipeline &pipeline) {
    std::vector<Asked> asked(shapes.begin(), shapes.end());
    std::vector<void *> arguments;
    for (size_t i = 0; i < shapes.size(); i++) {
        arguments.push_back(asked[i].argument(shapes[i]));
    }
    if (const int status = pipeline.call(arguments.data())) {
        throw std::runtime_error("asked for what it needs, the pipeline returned the error " + std::to_string(status));
    }
    for (size_t i = 0; i < shapes.size(); i++) {
        shapes[i].layout = layout_of(asked[i].dimensions);
        for (size_t d = 0; d < shapes[i].dimensions.size() && !shapes[i].is_output; d++) {
            auto &[min, extent] = shapes[i].dimensions[d];
            const halide_dimension_t &needed = asked[i].dimensions[d];
            const int end = std::max(min + extent, needed.min + needed.extent);
            min = std::min(min, needed.min);
            extent = end - min;
        }
    }
}

}  // namespace warptile::bench
