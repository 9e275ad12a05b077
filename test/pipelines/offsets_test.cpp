// Costs at each of a few offsets, summed over windows and searched: dimensions of few points beside those of an image,
// costs that are stored, so that whole tiles of them may be computed, and a sum of sums.

#include <gtest/gtest.h>

#include "test/support/found_plan.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

constexpr int kOffsets = 7;

/// For each pixel the cheapest of seven offsets, the cost of each a sum over a square of pixels.
Built search_of_offsets() {
    ImageParam in(Halide::Int(32), 3, "in");
    in.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    const Func bounded = Halide::BoundaryConditions::repeat_edge(in);
    const Var x("x"), y("y"), d("d");
    Halide::Param<int> length("length", 5);  // not known, so that sums are loops
    length.set_estimate(5);
    Func cost("cost"), down("down"), sum("sum"), least("least"), out("out");
    const RDom r(-(length / 2), length), s(-(kOffsets / 2), kOffsets);
    Halide::Expr total = Halide::cast<uint32_t>(0);
    for (int channel = 0; channel < 3; channel++) {
        const Halide::Expr apart = Halide::abs(bounded(x, y, channel) - bounded(x + d, y + 1, channel));
        total += apart * apart;
    }
    cost(x, y, d) = total;
    down(x, y, d) = Halide::cast<uint32_t>(0);
    down(x, y, d) += cost(x, y + r, d);
    sum(x, y, d) = Halide::cast<uint32_t>(0);
    sum(x, y, d) += down(x + r, y, d);
    least(x, y) = sum(x, y, 0);
    least(x, y) = Halide::min(least(x, y), sum(x, y, s));
    out(x, y) = least(x, y) + 1;
    out.set_estimates({{0, 1536}, {0, 2560}});
    return {{out}, {in}};
}

TEST(Offsets, CostsAreComputedInWholeTilesAtAllOffsetsTogether) {
    const Built built = search_of_offsets();
    const Plan plan = found_plan(built);
    const FuncRef cost = ref(plan, "cost");
    int together = 0;
    for (const Group &g : plan.groups) {
        for (const AxisTile &axis : g.tile.axes) {
            together += g.output == cost && g.tail == Tail::RoundUp && axis.dim == 2 && axis.width == kOffsets;
        }
    }
    EXPECT_EQ(together, 1);
}

TEST(Offsets, ASumIsMadeForABlockThatSharesRowsAsLongAsTheWindowSays) {
    const Plan plan = found_plan(search_of_offsets());
    const FuncRef down = ref(plan, "down");
    ASSERT_EQ(plan.groups.size(), 2u);
    int shared = 0;
    for (const Member &m : plan.groups[1].members) {
        shared += m.func == down && m.placement == Placement::Block;
    }
    EXPECT_EQ(shared, 1);
}

// Where a block shares nothing.
TEST(Offsets, ASumIsMadeAtEachStepOfTheSumThatReadsIt) {
    Parameters parameters;
    parameters.space.block_tiles = false;
    const Plan plan = found_plan_with(parameters, search_of_offsets());
    const FuncRef down = ref(plan, "down"), sum = ref(plan, "sum");
    ASSERT_EQ(plan.groups.size(), 2u);
    int inside = 0;
    for (const Member &m : plan.groups[1].members) {
        inside += m.func == down && m.at == sum && m.each_step;
    }
    EXPECT_EQ(inside, 1);
}

TEST(Offsets, HostMirrorAgrees) {
    const Halide::Buffer<> values = numbers<int>({77, 61, 3});
    expect_mirror_agrees<uint32_t>(search_of_offsets, found_plan,
                                   {{{values}, {200, 70}}, {{values}, {33, 17}}, {{values}, {1, 1}}});
}

}  // namespace
}  // namespace warptile
