// Regions that are the same at every size of the pipeline.
#include <gtest/gtest.h>

#include "dag/constant_regions.h"
#include "test/support/plans.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

struct Counted {
    ImageParam in{Halide::UInt(8), 2, "in"};
    Var x{"x"}, y{"y"}, i{"i"};
    Func count{"count"}, out{"out"};

    /// A histogram of the image at `cell`, read by `out` as `read` says.
    template<typename Cell, typename Read>
    std::optional<Interval> cells(const Cell &cell, const Read &read) {
        const RDom r(0, in.width(), 0, in.height());
        count(i) = 0;
        count(cell(Expr(in(r.x, r.y)))) += 1;
        out(x, y) = read(Expr(in(x, y)));
        in.set_estimates({{0, 640}, {0, 480}});
        out.set_estimates({{0, 640}, {0, 480}});
        const FunctionDag dag = read_function_dag({out}, cuda_80());
        for (const Node &node : dag.nodes) {
            if (node.name.rfind("count", 0) == 0) {
                return constant_regions(dag)[static_cast<size_t>(node.id)].at(0);
            }
        }
        return std::nullopt;
    }
};

const auto byte = [](const Expr &v) { return Halide::cast<int>(v); };

TEST(ConstantRegions, OfABytesHistogramAreItsCells) {
    Counted c;
    const auto cells = c.cells(byte, [&](const Expr &v) { return c.count(Halide::cast<int>(v)); });
    ASSERT_TRUE(cells);
    EXPECT_EQ(*cells, (Interval{0, 255}));
}

TEST(ConstantRegions, HoldWhatIsWrittenAndWhatIsRead) {
    Counted c;
    const auto cells = c.cells([](const Expr &v) { return Halide::clamp(Halide::cast<int>(v) * 3 - 9, 5, 70); },
                               [&](const Expr &v) { return c.count(Halide::cast<int>(v) / 2 - 4); });
    ASSERT_TRUE(cells);
    EXPECT_EQ(*cells, (Interval{-4, 123}));
}

TEST(ConstantRegions, NoneWhereTheReaderGoesAsFarAsTheImage) {
    Counted c;
    EXPECT_FALSE(c.cells(byte, [&](const Expr &) { return c.count(c.x); }));
}

TEST(ConstantRegions, NoneWhereTheImagesSizeChoosesTheCell) {
    Counted c;
    EXPECT_FALSE(c.cells([&](const Expr &v) { return Halide::clamp(Halide::cast<int>(v), 0, c.in.width() - 1); },
                         [&](const Expr &v) { return c.count(Halide::cast<int>(v)); }));
}

TEST(ConstantRegions, AreHandedOnByReadersOfTheSamePlace) {
    Counted c;
    Func twice("twice");
    const auto cells = c.cells(byte, [&](const Expr &v) {
        twice(c.i) = c.count(c.i + 1) * 2;
        return twice(Halide::cast<int>(v));
    });
    ASSERT_TRUE(cells);
    EXPECT_EQ(*cells, (Interval{0, 256}));
}

TEST(ConstantRegions, OfAnOutputOnlyWhereItIsBound) {
    Func out("out"), bound("bound");
    Var i("i");
    out(i) = i;
    bound(i) = out(i);
    bound.bound(i, 3, 10);
    bound.set_estimates({{3, 10}});
    const FunctionDag dag = read_function_dag({bound}, cuda_80());
    const auto regions = constant_regions(dag);
    ASSERT_EQ(regions.size(), 2u);
    EXPECT_EQ(*regions[0][0], (Interval{3, 12}));
    EXPECT_EQ(*regions[1][0], (Interval{3, 12}));
    out.set_estimates({{0, 10}});
    EXPECT_FALSE(constant_regions(read_function_dag({out}, cuda_80()))[0][0]);
}

}  // namespace
}  // namespace warptile
