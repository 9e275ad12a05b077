// Tiles with points along several dimensions a thread, for sums of products.

#include "search/tiling/contraction_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hand_pipelines.h"
#include "model/instructions.h"
#include "model/resources.h"
#include "schedule/rules/check_plan.h"
#include "search/placing/placement.h"
#include "search/search.h"
#include "search/tiling/sum_steps.h"
#include "test/support/h100.h"

namespace warptile {
namespace {

/// product(x, y) += left(k, y) * right(x, k), and a copy of it.
struct ProductDag {
    FunctionDag dag;
    int product = 0, out = 0;

    ProductDag(int64_t width, int64_t height) {
        HandDag b;
        const int left = b.input("left", box(1024, height)), right = b.input("right", box(width, 1024));
        product = b.func("product", box(width, height), 0);
        b.reduce(product, 1024, 2);
        b.reads(product, left, {HandDag::along(2), HandDag::along(1)}, 1, 1);
        b.reads(product, right, {HandDag::along(0), HandDag::along(2)}, 1, 1);
        out = b.func("out", box(width, height), 0);
        b.reads(out, product, {HandDag::along(0), HandDag::along(1)}, 1);
        dag = b.done({out});
    }

    GroupView view() const { return {dag, out, {product}, std::vector<bool>(dag.nodes.size(), false)}; }
};

/// sum(c, x, y) += filter(c, k, l, m) * in(k, x + l, y + m) over 128 channels and 3x3 pixels, and a copy of it.
struct ConvolutionDag {
    FunctionDag dag;
    int sum = 0, out = 0;

    ConvolutionDag() {
        HandDag b;
        const Region region = {{0, 127}, {0, 99}, {0, 79}};
        const int filter = b.input("filter", {{0, 127}, {0, 2}, {0, 2}, {0, 127}});
        const int in = b.input("in", {{0, 127}, {0, 101}, {0, 81}});
        sum = b.func("sum", region, 0);
        b.reduce(sum, 128, 2);
        Stage &update = b.node(sum).stages[1];
        for (int i = 0; i < 2; i++) {
            update.loops.push_back(update.loops.back());
            update.loops.back().estimate = {0, 2};
        }
        b.reads(sum, filter, {HandDag::along(0), HandDag::along(4), HandDag::along(5), HandDag::along(3)}, 1, 1);
        b.reads(sum, in, {HandDag::along(3), both(1, 4), both(2, 5)}, 1, 1);
        out = b.func("out", region, 0);
        b.reads(out, sum, {HandDag::along(0), HandDag::along(1), HandDag::along(2)}, 1);
        dag = b.done({out});
    }

    GroupView view() const { return {dag, out, {sum}, std::vector<bool>(dag.nodes.size(), false)}; }

private:
    static AxisAccess both(int loop, int other) {
        AxisAccess axis = HandDag::along(loop);
        axis.terms.push_back(HandDag::along(other).terms.front());
        return axis;
    }
};

/// The kernel of a view with its members in the thread.
Kernel in_thread(const GroupView &view, const std::vector<AxisTile> &axes) {
    Kernel kernel;
    kernel.tile.axes = axes;
    EXPECT_TRUE(arrange(view, {}, Form::Thread, Permissions{}, kernel));
    return kernel;
}

double registers(const GroupView &view, const std::vector<AxisTile> &axes) {
    const Kernel kernel = in_thread(view, axes);
    const Geometry g = geometry(view, kernel);
    return resources_of(view, kernel, g, work_of(view, kernel, g)).registers;
}

TEST(Contraction, BothFactorsOfAProductAreShared) {
    const ProductDag p(1024, 1024);
    EXPECT_EQ(contracted_dims(p.view(), false), (std::vector<int>{0, 1}));
    std::set<std::pair<int, int>> points;
    for (const KernelTile &tile : contraction_tiles(p.view(), false, Effort::Full)) {
        ASSERT_EQ(tile.axes.size(), 2u);
        const int threads = tile.axes[0].threads * tile.axes[1].threads;
        EXPECT_GE(threads, 32);
        EXPECT_LE(threads, 256);
        points.insert({tile.axes[0].width, tile.axes[1].width});
    }
    // Points along one dimension are the other tiles'; 2x2 are too few.
    EXPECT_EQ(points, (std::set<std::pair<int, int>>{{2, 4}, {2, 8}, {2, 16}}));
}

TEST(Contraction, NoTileIsCutWhereADivisorIsNear) {
    const ConvolutionDag c;
    EXPECT_EQ(contracted_dims(c.view(), false), (std::vector<int>{0, 1, 2}));
    std::set<std::vector<int>> points;
    for (const KernelTile &tile : contraction_tiles(c.view(), false, Effort::Full)) {
        points.insert({tile.axes[0].width, tile.axes[1].width, tile.axes.size() > 2 ? tile.axes[2].width : 1});
    }
    EXPECT_TRUE(points.count({1, 5, 5}));
    EXPECT_TRUE(points.count({2, 5, 2}));
    EXPECT_TRUE(points.count({2, 4, 4}));
    for (const std::vector<int> &p : points) {
        EXPECT_EQ(100 % p[1], 0);
        EXPECT_EQ(80 % p[2], 0);
    }
    // Of 1023 = 3 * 11 * 31 rows none of the widths is a divisor, but one cut tile in 127 is little.
    const ProductDag odd(1024, 1023);
    EXPECT_FALSE(contraction_tiles(odd.view(), false, Effort::Full).empty());
}

TEST(Contraction, AStencilIsNone) {
    const HarrisDag h;
    const GroupView view(h.dag, h.out, {h.gray, h.gx, h.gy}, std::vector<bool>(h.dag.nodes.size(), false));
    EXPECT_TRUE(contraction_tiles(view, false, Effort::Full).empty());
    // Nor is a sum down columns, all of whose loads move with its one dimension.
    HandDag b;
    const int in = b.input("in", box(1024, 1024)), sum = b.func("sum", box(1024, 1024), 0);
    const int out = b.func("out", box(1024, 1024), 0);
    b.reduce(sum, 64, 1);
    b.reads(sum, in, {HandDag::along(0), HandDag::along(2)}, 1, 1);
    b.reads(out, sum, {HandDag::along(0), HandDag::along(1)}, 1);
    const FunctionDag dag = b.done({out});
    const GroupView columns(dag, out, {sum}, std::vector<bool>(dag.nodes.size(), false));
    EXPECT_TRUE(contracted_dims(columns, false).empty());
}

// A step of 2 x 8 products loads 2 + 8 numbers, one of 1 x 8 loads 9 for half the products.
TEST(Contraction, TwoColumnsShareTheRows) {
    const ProductDag p(1024, 1024);
    const GroupView view = p.view();
    const auto loads = [&](int columns, int rows) {
        const Kernel kernel = in_thread(view, {{0, columns, 32}, {1, rows, 8}});
        for (const Work &work : work_of(view, kernel, geometry(view, kernel))) {
            if (work.part == 0 && work.stage == 1) {
                double n = 0;
                for (const ExpandedLoad &load : work.expansion().loads) {
                    n += load.distinct(work.unrolled);
                }
                return n;
            }
        }
        return 0.0;
    };
    EXPECT_EQ(loads(1, 8), 9);
    EXPECT_EQ(loads(2, 8), 10);
    EXPECT_EQ(loads(4, 8), 12);
}

// Assembled for 64 registers, 2 channels at 8 pixels and 4 at 5 fit; 1 channel at 4x4 and 4 channels at 4x2 lack 19,
// and 1 at 5x5 lacks 71.
TEST(Contraction, RowsOfNestedSumsHaveAddresses) {
    const ConvolutionDag c;
    const GroupView view = c.view();
    EXPECT_NEAR(registers(view, {{0, 2, 32}, {1, 8, 2}}), 64, 4);
    EXPECT_LT(registers(view, {{0, 4, 32}, {1, 5, 2}}), 64);
    EXPECT_NEAR(registers(view, {{0, 1, 64}, {1, 4, 1}, {2, 4, 1}}), 83, 10);
    EXPECT_NEAR(registers(view, {{0, 4, 32}, {1, 4, 2}, {2, 2, 1}}), 83, 10);
    EXPECT_GT(registers(view, {{0, 1, 32}, {1, 5, 1}, {2, 5, 4}}), 110);
    // A matrix product has one loop: 23 words, 32 sums and less than half a word for each of 12 loads. The copy of the
    // sums that ends the kernel needs no more.
    const ProductDag p(1024, 1024);
    EXPECT_NEAR(registers(p.view(), {{0, 4, 32}, {1, 8, 8}}), 23 + 32 + 12 * 0.45, 1e-9);
}

/// The kernel of a view whose sums are in the lanes, `steps` of them together.
Kernel in_lanes(const GroupView &view, const std::vector<AxisTile> &axes, int steps) {
    Kernel kernel;
    kernel.tile.axes = axes;
    kernel.tile.lane_axis = 0;
    EXPECT_TRUE(arrange(view, {}, Form::Warp, Permissions{}, kernel));
    EXPECT_EQ(kernel.parts[0].placement, Placement::Warp);
    for (const Kernel &k : with_steps(view, kernel)) {
        if (k.parts[0].steps.together() == steps) {
            return k;
        }
    }
    ADD_FAILURE() << "no kernel with " << steps << " steps";
    return kernel;
}

TEST(Contraction, ALaneHasEvery32ndColumn) {
    const ProductDag p(1024, 1024);
    std::set<std::vector<int>> points;
    for (const KernelTile &tile : contraction_rows(p.view(), false, Effort::Full)) {
        EXPECT_EQ(tile.lane_axis, 0);
        EXPECT_EQ(tile.axes[0].threads, 1);
        points.insert({tile.axes[0].width, tile.axes[1].width});
    }
    EXPECT_EQ(points, (std::set<std::vector<int>>{{64, 4}, {64, 8}, {128, 2}, {128, 4}, {128, 8}}));
}

// Four columns and four rows, eight steps: 128 multiplications that add, 8 * (4 + 4) loads, the addresses of 4 rows and
// of 8 of the other matrix, at two instructions each, and 6 for the turn of the loop. The assembler makes 221 of it.
TEST(Contraction, InstructionsOfATurnAreCounted) {
    const ProductDag p(1024, 1024);
    const GroupView view = p.view();
    const Kernel kernel = in_lanes(view, {{0, 128, 1}, {1, 4, 8}}, 8);
    const Geometry g = geometry(view, kernel);
    const std::vector<Work> works = work_of(view, kernel, g);
    const auto update = std::find_if(works.begin(), works.end(), [](const Work &w) { return w.stage == 1; });
    ASSERT_NE(update, works.end());
    EXPECT_EQ(update->points(), 128);
    EXPECT_EQ(update->repeats, 8 * 128);  // 8 warps, 1024 / 8 turns
    double loads = 0, addresses = 0;
    for (const ExpandedLoad &load : update->expansion().loads) {
        loads += update->distinct(load);
        addresses += update->addresses(view, load);
    }
    EXPECT_EQ(loads, 64);
    EXPECT_EQ(addresses, 4 + 8);
    const double others = 8 * 150;  // beginning and end, a warp
    EXPECT_NEAR(demand_of(h100(), view, kernel, g, works).issue, 8 * 128 * (128 + 64 + 24 + 6), others);
}

// Eight loads a step: with registers for 16 the next step's are under way, with 15 each of the eight steps of a turn
// waits for its own, seven times more often than once, 128 turns of each 261 cycles of the L2 cache.
TEST(Contraction, StepsWithoutRegistersForTheNextOnesLoadsWait) {
    const ProductDag p(1024, 1024);
    const GroupView view = p.view();
    const Kernel kernel = in_lanes(view, {{0, 128, 1}, {1, 4, 8}}, 8);
    const Geometry g = geometry(view, kernel);
    const std::vector<Work> works = work_of(view, kernel, g);
    EXPECT_EQ(demand_of(h100(), view, kernel, g, works, 16).exposed, 0);
    EXPECT_EQ(demand_of(h100(), view, kernel, g, works, 15).exposed, 7 * 128 * 261);
}

// Assembled for 64 registers: 8 rows of 4 columns fit with two steps and spill 88 bytes with four; 4 rows fit with
// eight.
TEST(Contraction, RowsReadAtManyStepsKeepTheirAddresses) {
    const ProductDag p(1024, 1024);
    const GroupView view = p.view();
    const auto needed = [&](int rows, int steps) {
        const Kernel kernel = in_lanes(view, {{0, 128, 1}, {1, rows, 4}}, steps);
        const Geometry g = geometry(view, kernel);
        return resources_of(view, kernel, g, work_of(view, kernel, g)).registers;
    };
    EXPECT_LT(needed(8, 2), 64);
    EXPECT_GT(needed(8, 4), 64);
    EXPECT_LT(needed(4, 8), 64);
}

// The steps are along the rows of the left matrix, which are adjacent in memory; of the convolution, along the
// channels.
TEST(Contraction, StepsWalkAlongMemory) {
    const ProductDag p(1024, 1024);
    const GroupView product = p.view();
    const Kernel kernel = in_thread(product, {{0, 2, 32}, {1, 8, 8}});
    const std::vector<Kernel> kernels = with_steps(product, kernel);
    ASSERT_EQ(kernels.size(), 4u);
    EXPECT_EQ(kernels[0].parts[0].steps.together(), 1);
    EXPECT_EQ(kernels[3].parts[0].steps.together(), 8);
    const ConvolutionDag c;
    const GroupView sum = c.view();
    EXPECT_EQ(with_steps(sum, in_thread(sum, {{0, 2, 32}, {1, 4, 2}}))[1].parts[0].steps.counts, std::vector<int>{2});
}

using Counts = std::vector<int>;

// Four points along y read six places of three steps of the window along it; nothing is shared along the other one, of
// which a thread has one point. The filter and the channels are read once each.
TEST(Contraction, TheStepsOfAWindowAreABody) {
    const ConvolutionDag c;
    const GroupView view = c.view();
    const std::vector<Kernel> kernels = with_steps(view, in_thread(view, {{0, 2, 32}, {1, 4, 2}}));
    ASSERT_EQ(kernels.size(), 8u);
    EXPECT_EQ(kernels[4].parts[0].steps.counts, (Counts{1, 3, 1}));
    EXPECT_EQ(kernels[7].parts[0].steps.counts, (Counts{8, 3, 1}));
    const Geometry g = geometry(view, kernels[5]);
    const Work work = work_of(view, kernels[5], g).back();
    EXPECT_EQ(kernels[5].parts[0].steps.counts, (Counts{2, 3, 1}));
    EXPECT_EQ(work.steps, 6);
    EXPECT_EQ(work.turn_loops, 2);        // 64 turns along the channels, 3 along the other window
    EXPECT_EQ(work.serial, 64 * 3);       // of the 1,152 steps that there are
    EXPECT_EQ(work.points(), 2 * 4 * 6);  // two channels and four points of each, at six steps
    for (const ExpandedLoad &load : work.expansion().loads) {
        const bool filter = c.dag.node(load.producer).name == "filter";
        EXPECT_EQ(work.distinct(load), filter ? 2 * 3 * 2 : 6 * 2) << c.dag.node(load.producer).name;
        // Rows of the input are a stride apart that is not known; a stride that is a number is part of the load.
        EXPECT_EQ(work.addresses(view, load), filter ? 3 * 2 : 6) << c.dag.node(load.producer).name;
    }
}

TEST(Contraction, RowsAreOneAddressWhereStridesAreNumbers) {
    ConvolutionDag c;
    c.dag.nodes[1].known_strides = true;
    const GroupView view = c.view();
    const Kernel kernel = with_steps(view, in_thread(view, {{0, 2, 32}, {1, 4, 2}}))[5];
    const Work work = work_of(view, kernel, geometry(view, kernel)).back();
    for (const ExpandedLoad &load : work.expansion().loads) {
        EXPECT_EQ(work.addresses(view, load), load.producer == 1 ? 1 : 6);
    }
}

TEST(Contraction, TheSearchTakesTwoDimensionsAThread) {
    const ProductDag p(1024, 1024);
    const ConvolutionDag c;
    for (const FunctionDag *dag : {&p.dag, &c.dag}) {
        const SearchResult result = search(*dag, h100(), {});
        ASSERT_EQ(result.groups.size(), 1u);
        const KernelTile &tile = result.groups[0].candidates[0].group.tile;
        int wide = 0;
        for (const AxisTile &axis : tile.axes) {
            wide += axis.width > 1 ? 1 : 0;
        }
        EXPECT_GE(wide, 2) << result.groups[0].candidates[0].why;
        EXPECT_EQ(check_plan(assemble(result, {0}), *dag), "");
    }
}

// Of a window of 3 x 3 steps, 9 loads of the filter and 7 x 7 places of the input where the steps apart make 9 * (1 +
// 25): a step finds what it needs loaded for the one before it, however few registers are left.
TEST(Contraction, TheStepsOfAWindowDoNotWaitForEachOther) {
    const ConvolutionDag c;
    const GroupView view = c.view();
    Kernel kernel = in_thread(view, {{0, 1, 32}, {1, 5, 1}, {2, 5, 1}});
    const auto exposed = [&](const std::vector<int> &counts) {
        kernel.parts[0].steps.counts = counts;
        const Geometry g = geometry(view, kernel);
        return demand_of(h100(), view, kernel, g, work_of(view, kernel, g), 1).exposed;
    };
    EXPECT_EQ(exposed({1, 3, 3}), 0);
    EXPECT_GT(exposed({8, 1, 1}), 0);
}

}  // namespace
}  // namespace warptile
