// About how far an index moves that floats are rounded to, and what follows for the lanes that walk it.

#include "dag/halide/drift.h"

#include <gtest/gtest.h>

#include "dag/read.h"
#include "model/expansion.h"
#include "test/support/plans.h"

namespace warptile {
namespace {

using Halide::cast;
using Halide::ceil;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Param;
using Halide::RDom;
using Halide::Var;

const Var x("x"), y("y");

/// What out(x, y) = in(index, y) reads along the first dimension, at an estimate of 2 for `scale`.
AxisAccess first_axis(const Expr &index, ImageParam &in) {
    Func out("out");
    out(x, y) = in(index, y);
    in.set_estimates({{0, 2048}, {0, 1024}});
    out.set_estimates({{0, 1024}, {0, 1024}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    for (const Edge &edge : dag.edges) {
        if (edge.consumer == dag.outputs[0]) {
            return edge.accesses[0].axes[0];
        }
    }
    return {};
}

std::vector<std::pair<int, double>> steps(const AxisAccess &axis) {
    std::vector<std::pair<int, double>> all;
    for (const Drift &d : axis.drift) {
        all.emplace_back(d.loop, d.step);
    }
    return all;
}

using Steps = std::vector<std::pair<int, double>>;

TEST(Drift, OfWhatFloatsAreRoundedTo) {
    ImageParam in(Halide::Float(32), 2, "in");
    Param<float> scale("scale", 2.0f);
    const AxisAccess ends = first_axis(Halide::clamp(cast<int>(ceil((x + 0.5f) * scale - 0.5f)), 0, 2047), in);
    EXPECT_TRUE(ends.follows);
    EXPECT_EQ(steps(ends), (Steps{{0, 2.0}}));  // though a clamp holds it still where x is 1100
}

TEST(Drift, OfAPlaceThatTurns) {
    ImageParam in(Halide::Float(32), 2, "in");
    const AxisAccess turned = first_axis(Halide::clamp(cast<int>(0.75f * x - 0.5f * y + 600.0f), 0, 2047), in);
    EXPECT_TRUE(turned.follows);
    EXPECT_EQ(steps(turned), (Steps{{0, 0.75}, {1, -0.5}}));
}

TEST(Drift, IsNeverNone) {
    ImageParam in(Halide::Float(32), 2, "in");
    EXPECT_EQ(steps(first_axis(x % 4, in)), (Steps{{0, 1.0 / 16}}));
}

TEST(Drift, IsNotAskedForWhereTheAccessMatrixSaysItAll) {
    ImageParam in(Halide::Float(32), 2, "in");
    EXPECT_FALSE(first_axis(Halide::clamp(2 * x + 1, 0, 2047), in).follows);
}

TEST(Drift, IsUnknownWhereDataChoose) {
    ImageParam in(Halide::Float(32), 2, "in"), table(Halide::Int(32), 1, "table");
    table.set_estimates({{0, 1024}});
    EXPECT_FALSE(first_axis(Halide::clamp(2 * x + table(x), 0, 2047), in).follows);
}

// Rows that are resampled: the Func's first dimension is the row.
TEST(Drift, TellsLanesThatWalkFromRowToRow) {
    ImageParam in(Halide::Float(32), 2, "in");
    const RDom r(0, 8);
    Func sum("sum"), out("out");
    const Expr row = Halide::clamp(cast<int>(ceil((y + 0.5f) * 2.0f - 4.5f)), 0, 2040) + r;
    sum(y, x) = 0.0f;
    sum(y, x) += in(x, row);
    out(x, y) = sum(y, x);
    in.set_estimates({{0, 1024}, {0, 2048}});
    out.set_estimates({{0, 1024}, {0, 1024}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    const int node = dag.edges[static_cast<size_t>(dag.edges_into[static_cast<size_t>(dag.outputs[0])][0])].producer;
    const Expansion e = expand(dag, node, 1, std::vector<bool>(dag.nodes.size(), false));
    ASSERT_FALSE(e.loads.empty());
    const ExpandedLoad &load = e.loads[0];
    EXPECT_FALSE(load.known());
    EXPECT_EQ(load.axes[1].slope, (std::vector<double>{2, 0, 1}));
    EXPECT_TRUE(load.walks_across(0));
    EXPECT_FALSE(load.walks_across(1));
    // Four rows side by side read four places, four columns too.
    EXPECT_EQ(load.distinct({4, 1, 1}), 4);
    EXPECT_EQ(load.distinct({1, 4, 1}), 4);
}

}  // namespace
}  // namespace warptile
