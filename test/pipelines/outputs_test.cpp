// An output that other Funcs read, too: its buffer is the caller's, and ends where the unscheduled pipeline needs no
// more.

#include <gtest/gtest.h>

#include "test/support/found_plan.h"

namespace warptile {
namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

/// An image and, of sums that begin with its points, those of two neighbours.
Built two_outputs() {
    ImageParam in(Halide::Int(32), 2, "in");
    in.set_estimates({{0, 1536}, {0, 2560}});
    const Func bounded = Halide::BoundaryConditions::repeat_edge(in);
    const Var x("x"), y("y");
    Func image("image"), sum("sum"), both("both");
    const Halide::RDom r(0, 200);
    image(x, y) = bounded(x, y) + 1;
    sum(x, y) = image(x, y) * image(x, y);
    sum(x, y) += r;
    const Expr left = Halide::clamp(x - 1, 0, in.width() - 1), right = Halide::clamp(x + 1, 0, in.width() - 1);
    both(x, y) = sum(left, y) + sum(right, y);
    for (Func f : {image, both}) {
        f.set_estimates({{0, 1536}, {0, 2560}});
    }
    return {{image, both}, {in}};
}

std::vector<Buffer<int>> realized(const Built &built, const Buffer<int> &input) {
    ImageParam in = built.inputs[0];
    in.set(input);
    Buffer<int> image(input.width(), input.height()), both(input.width(), input.height());
    try {
        Halide::Pipeline(built.outputs).realize({image, both});
    } catch (const Halide::Error &e) {
        ADD_FAILURE() << e.what();
    }
    return {image, both};
}

TEST(Outputs, AreNotReadBeyondTheirEnds) {
    const Buffer<int> input = numbers<int>({77, 61});
    const std::vector<Buffer<int>> expected = realized(two_outputs(), input);
    const Built planned = two_outputs();
    apply_directives(make_directives(found_plan(planned), planned.outputs), planned.outputs, ApplyTo::HostMirror);
    const std::vector<Buffer<int>> found = realized(planned, input);
    for (size_t i = 0; i < expected.size(); i++) {
        expect_same_values<int>(expected[i], found[i]);
    }
}

}  // namespace
}  // namespace warptile
