// What a point costs once Funcs are inlined, counted by hand.

#include "model/expansion.h"

#include <gtest/gtest.h>

#include "hand_pipelines.h"

namespace warptile {
namespace {

const ExpandedLoad *load_of(const Expansion &e, int producer) {
    for (const ExpandedLoad &load : e.loads) {
        if (load.producer == producer) {
            return &load;
        }
    }
    return nullptr;
}

TEST(Expansion, TapsOfInlinedProductsCoincide) {
    const HarrisDag h;
    std::vector<bool> inlined(h.dag.nodes.size(), false);
    for (const int f : {h.xx, h.xy, h.yy, h.sxx, h.sxy, h.syy}) {
        inlined[static_cast<size_t>(f)] = true;
    }
    const Expansion e = expand(h.dag, h.out, 0, inlined);
    // Three products of nine taps each, but only nine places of each gradient.
    ASSERT_EQ(e.loads.size(), 2u);
    EXPECT_EQ(load_of(e, h.gx)->count, 9);
    EXPECT_EQ(load_of(e, h.gy)->count, 9);
    // 8 of its own, three sums of 8, three products at nine places.
    EXPECT_EQ(e.float_ops, 8 + 3 * 8 + 3 * 9);
}

TEST(Expansion, NothingInlinedLoadsTheProducers) {
    const HarrisDag h;
    const Expansion e = expand(h.dag, h.out, 0, std::vector<bool>(h.dag.nodes.size(), false));
    EXPECT_EQ(e.loads.size(), 3u);
    EXPECT_EQ(e.load_count(), 3);
    EXPECT_EQ(e.float_ops, 8);
}

TEST(Expansion, NeighboursShareTheirTaps) {
    const SharpenDag s;
    const Expansion e = expand(s.dag, s.by, 0, std::vector<bool>(s.dag.nodes.size(), false));
    const ExpandedLoad *taps = load_of(e, s.src);
    ASSERT_TRUE(taps);
    EXPECT_EQ(taps->distinct({1, 1}), 5);
    // Four rows of a column: eight rows of the source.
    EXPECT_EQ(taps->distinct({1, 4}), 8);
    // Two columns share nothing: the taps are in the column.
    EXPECT_EQ(taps->distinct({2, 4}), 16);
}

TEST(Expansion, FromMemoryEachNeighbourLoadsItsOwn) {
    const SharpenDag s;
    const Expansion e = expand(s.dag, s.by, 0, std::vector<bool>(s.dag.nodes.size(), false));
    const ExpandedLoad *taps = load_of(e, s.src);
    ASSERT_TRUE(taps);
    EXPECT_EQ(taps->repeated({1, 1}), 5);
    EXPECT_EQ(taps->repeated({1, 4}), 20);
    // What does not move with a loop is loaded once for all its points.
    ExpandedLoad row = *taps;
    row.axes[1].slope = {0, 0};
    EXPECT_EQ(row.repeated({2, 4}), 10);
}

TEST(Expansion, ScalesAreMultipliedThrough) {
    HandDag b;
    const int in = b.input("in", box(1024, 1024));
    const int half = b.func("half", box(512, 1024), 3);
    const int quarter = b.func("quarter", box(256, 1024), 3);
    b.reads(half, in, {HandDag::along(0, -1, 1, 2), HandDag::along(1)}, 3);
    b.reads(quarter, half, {HandDag::along(0, -1, 1, 2), HandDag::along(1)}, 3);
    const FunctionDag dag = b.done({quarter});
    std::vector<bool> inlined(dag.nodes.size(), false);
    inlined[static_cast<size_t>(half)] = true;
    const Expansion e = expand(dag, quarter, 0, inlined);
    ASSERT_EQ(e.loads.size(), 1u);
    // 2 (2 x + [-1, 1]) + [-1, 1] = 4 x + [-3, 3]: seven places for nine loads.
    EXPECT_EQ(e.loads[0].axes[0].slope[0], 4);
    EXPECT_EQ(e.loads[0].axes[0].lo, -3);
    EXPECT_EQ(e.loads[0].axes[0].hi, 3);
    EXPECT_EQ(e.loads[0].count, 7);
    EXPECT_EQ(e.float_ops, 3 + 3 * 3);
}

}  // namespace
}  // namespace warptile
