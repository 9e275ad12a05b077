// The arguments of a pipeline: buffers as large as its estimates say, or as large as the caller does, scalars at their
// estimates, and inputs that look like a picture.
#pragma once

#include "tools/bench/running/guarded.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warptile::bench {

/// Width and height in pixels.
struct Size {
    int width = 0, height = 0;
};

/// "1001x503". Throws `std::invalid_argument` for anything else.
Size parse_size(const std::string &text);

/// What the arguments of an app look like: read from the one of its variants that has all estimates, and used for
/// every variant, so that all are given the same data.
struct ArgumentShape {
    std::string name;
    bool is_output = false;
    halide_type_t type;
    std::vector<std::pair<int, int>> dimensions;  // min and extent, in Halide's order; empty for a scalar
    std::vector<int> layout;  // the dimensions as they lie in memory, innermost first; empty: in their order
    bool is_scalar = false;
    halide_scalar_value_t value{};  // of a scalar
};

/// Reads the shapes from `metadata`. With a `size`, the first two dimensions of the output, of those outputs that have
/// most dimensions the first, become that; so do those of every other buffer that are as large as the output's, or
/// half, twice, ... as large, a halo aside. Throws `std::runtime_error` naming the argument that has no estimate.
std::vector<ArgumentShape> shapes_from_estimates(const halide_filter_metadata_t &metadata,
                                                 const std::optional<Size> &size);

/// Buffers and scalars in the order that a pipeline takes them, inputs filled from `picture` (a file name) or, where
/// it is empty, with a picture made up from the pixel's place: smooth, with edges and with noise, never zero.
class Arguments {
public:
    Arguments(const std::vector<ArgumentShape> &shapes, const std::string &picture);
    Arguments(const Arguments &) = delete;
    Arguments &operator=(const Arguments &) = delete;

    /// What the compiled pipeline is called with.
    void **argv() { return argv_.data(); }

    std::vector<AnyBuffer *> outputs();

    /// Puts all buffers on the device. Throws `std::runtime_error` where one has no room there.
    void to_device(const Runtime &runtime, const halide_device_interface_t *device);

    /// Brings all buffers back to the host, and says what a pipeline did to them that it may not: write beyond a
    /// buffer's end, or into an input. Empty where it did neither.
    std::string to_host();

private:
    std::vector<ArgumentShape> shapes_;
    std::vector<std::unique_ptr<GuardedBuffer>> buffers_;  // one for each shape; null for a scalar
    std::vector<halide_scalar_value_t> values_;            // likewise
    std::vector<uint64_t> checksums_;                      // likewise, of inputs
    std::vector<void *> argv_;
};

}  // namespace warptile::bench
