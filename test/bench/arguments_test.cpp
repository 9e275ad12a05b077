// The shapes of a pipeline's arguments at another size than its estimates'.
#include "tools/bench/running/arguments.h"
#include "tools/bench/running/needed_inputs.h"

#include <gtest/gtest.h>

namespace warptile::bench {
namespace {

/// Buffers with these extents, the last of them the output.
class Metadata {
public:
    explicit Metadata(const std::vector<std::vector<int64_t>> &extents) {
        for (const std::vector<int64_t> &buffer : extents) {
            for (const int64_t extent : buffer) {
                numbers_.push_back(std::make_unique<int64_t>(extent));
                pointers_.push_back(nullptr);
                pointers_.push_back(numbers_.back().get());
            }
        }
        size_t at = 0;
        for (const std::vector<int64_t> &buffer : extents) {
            halide_filter_argument_t argument{};
            argument.name = "buffer";
            argument.kind = arguments_.size() + 1 == extents.size() ? halide_argument_kind_output_buffer
                                                                    : halide_argument_kind_input_buffer;
            argument.dimensions = int32_t(buffer.size());
            argument.type = halide_type_of<float>();
            argument.buffer_estimates = pointers_.data() + at;
            at += 2 * buffer.size();
            arguments_.push_back(argument);
        }
    }

    std::vector<ArgumentShape> shapes(const std::optional<Size> &size) const {
        const halide_filter_metadata_t metadata{halide_filter_metadata_t::VERSION, int32_t(arguments_.size()),
                                                arguments_.data(), "host", "made_up"};
        return shapes_from_estimates(metadata, size);
    }

private:
    std::vector<std::unique_ptr<int64_t>> numbers_;
    std::vector<const int64_t *> pointers_;
    std::vector<halide_filter_argument_t> arguments_;
};

std::vector<int> extents(const ArgumentShape &shape) {
    std::vector<int> extents;
    for (const auto &[min, extent] : shape.dimensions) {
        extents.push_back(extent);
    }
    return extents;
}

TEST(Arguments, AnotherSizeKeepsHalosAndScalesAndLeavesTablesAlone) {
    const Metadata metadata({{1602, 1202, 3}, {800, 600}, {4, 3}, {1600}, {1600, 1200, 3}});
    const std::vector<ArgumentShape> shapes = metadata.shapes(Size{100, 50});
    EXPECT_EQ(extents(shapes[0]), (std::vector<int>{102, 52, 3}));  // a halo
    EXPECT_EQ(extents(shapes[1]), (std::vector<int>{50, 25}));      // half as large
    EXPECT_EQ(extents(shapes[2]), (std::vector<int>{4, 3}));        // a matrix
    EXPECT_EQ(extents(shapes[3]), (std::vector<int>{1600}));        // a table
    EXPECT_EQ(extents(shapes[4]), (std::vector<int>{100, 50, 3}));
    EXPECT_EQ(extents(metadata.shapes(std::nullopt)[0]), (std::vector<int>{1602, 1202, 3}));
}

/// A pipeline that wants channels side by side and one pixel more of its input, and says so when it is asked.
int interleaved(void **arguments) {
    for (int i = 0; i < 2; i++) {
        halide_dimension_t *const dim = static_cast<halide_buffer_t *>(arguments[i])->dim;
        dim[0].extent += i == 0;
        dim[2].stride = 1;
        dim[0].stride = dim[2].extent;
        dim[1].stride = dim[0].stride * dim[0].extent;
    }
    return 0;
}

TEST(Arguments, BuffersLieInMemoryAsAPipelineAsks) {
    const Metadata metadata({{64, 48, 3}, {64, 48, 3}});
    std::vector<ArgumentShape> shapes = metadata.shapes(std::nullopt);
    fit_to(shapes, Pipeline{interleaved, nullptr});
    EXPECT_EQ(extents(shapes[0]), (std::vector<int>{65, 48, 3}));
    EXPECT_EQ(extents(shapes[1]), (std::vector<int>{64, 48, 3}));
    EXPECT_EQ(shapes[0].layout, (std::vector<int>{2, 0, 1}));
    GuardedBuffer buffer(shapes[0].type, shapes[0].dimensions, shapes[0].layout);
    EXPECT_EQ(buffer.buffer().dim(2).stride(), 1);
    EXPECT_EQ(buffer.buffer().dim(0).stride(), 3);
    EXPECT_EQ(buffer.buffer().dim(1).stride(), 3 * 65);
    GuardedBuffer in_order(shapes[0].type, shapes[0].dimensions);
    EXPECT_EQ(in_order.buffer().dim(1).stride(), 65);
}

TEST(Arguments, APointerWithoutAnEstimateIsNull) {
    halide_filter_argument_t pointer{};
    pointer.name = "context";
    pointer.kind = halide_argument_kind_input_scalar;
    pointer.type = halide_type_t(halide_type_handle, 64);
    halide_filter_argument_t number = pointer;
    number.type = halide_type_of<float>();
    const auto shapes = [](const halide_filter_argument_t &argument) {
        return shapes_from_estimates({halide_filter_metadata_t::VERSION, 1, &argument, "host", "made_up"},
                                     std::nullopt);
    };
    EXPECT_EQ(shapes(pointer).at(0).value.u.handle, nullptr);
    EXPECT_THROW(shapes(number), std::runtime_error);
}

TEST(Arguments, SizesAreReadOrRefused) {
    EXPECT_EQ(parse_size("192x320").width, 192);
    EXPECT_EQ(parse_size("192x320").height, 320);
    for (const char *const text : {"", "192", "192x", "x320", "192x320x3", "0x5", "a x b"}) {
        EXPECT_THROW(parse_size(text), std::invalid_argument) << text;
    }
}

}  // namespace
}  // namespace warptile::bench
