// What the search decides on its way to plans, each over a pipeline by hand: what is inlined, what is fused, tiles,
// where members go, and by which sizes a kernel is specialised.

#include <gtest/gtest.h>

#include <ctime>
#include <set>

#include "hand_pipelines.h"
#include "model/work.h"
#include "search/cutting/fusion.h"
#include "search/graph/inline.h"
#include "search/placing/placement.h"
#include "search/search.h"
#include "search/tiling/tails.h"
#include "search/tiling/tiles.h"
#include "test/support/h100.h"

namespace warptile {
namespace {

TEST(Inline, ProductsAndSumsButNotStencils) {
    const HarrisDag h;
    const std::vector<bool> inlined = choose_inlined(h.dag);
    for (const int f : {h.xx, h.xy, h.yy, h.sxx, h.sxy, h.syy}) {
        EXPECT_TRUE(inlined[static_cast<size_t>(f)]) << h.dag.node(f).name;
    }
    for (const int f : {h.gray, h.gx, h.gy, h.out}) {
        EXPECT_FALSE(inlined[static_cast<size_t>(f)]) << h.dag.node(f).name;
    }
}

TEST(Inline, WrappersAloneWhereNothingElseFits) {
    const HarrisDag h;
    const std::vector<bool> inlined = choose_inlined(h.dag, Inlining::Wrappers);
    for (const Node &node : h.dag.nodes) {
        EXPECT_EQ(inlined[static_cast<size_t>(node.id)], node.wraps_input) << node.name;
    }
}

/// By what its indices cost, not by what its values do.
TEST(Unrolling, FewStepsBehindBoundaryConditionsStayALoop) {
    HandDag b;
    const int sum = b.func("sum", box(640, 480), 0);
    b.reduce(sum, 25, 30);
    const Stage &update = b.node(sum).stages[1];
    Expansion e;
    e.float_ops = 1000;
    e.index_ops = 4;
    EXPECT_FALSE(too_large_to_unroll(update, e));
    e.index_ops = 69;
    EXPECT_TRUE(too_large_to_unroll(update, e));
    EXPECT_FALSE(too_large_to_unroll(b.node(sum).stages[0], e));
}

TEST(Inline, ALongChainDoesNotBecomeOneExpression) {
    HandDag b;
    int last = b.input("in", box(1024, 1024));
    for (int i = 0; i < 300; i++) {
        const int f = b.func("f" + std::to_string(i), box(1024, 1024), 3);
        b.reads_point(f, last);
        last = f;
    }
    const FunctionDag dag = b.done({last});
    const std::vector<bool> inlined = choose_inlined(dag);
    double most = 0;
    for (const Node &node : dag.nodes) {
        if (node.kind == NodeKind::Func && !inlined[static_cast<size_t>(node.id)]) {
            most = std::max(most, expand(dag, node.id, 0, inlined).float_ops);
        }
    }
    EXPECT_GT(most, 3);
    EXPECT_LE(most, kMostOps);
}

TEST(Inline, NotWhatAnExternStageTakes) {
    HandDag b;
    const int in = b.input("in", box(64, 64));
    const int f = b.func("f", box(64, 64), 1);
    const int e = b.func("e", box(64, 64), 1);
    b.reads_point(f, in);
    b.reads_point(e, f);
    b.node(e).kind = NodeKind::Extern;
    b.node(e).stages.clear();
    FunctionDag dag = b.done({e});
    Edge &handed = dag.edges[static_cast<size_t>(dag.edges_into[static_cast<size_t>(e)].front())];
    handed.loads = 0;
    EXPECT_FALSE(can_inline(dag, f));
    const SearchResult result = search(dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 2u);
    EXPECT_FALSE(result.groups[0].candidates[0].group.on_host);
    EXPECT_TRUE(result.groups[1].candidates[0].group.on_host);

    // Values of it are asked for before anything is computed.
    handed.loads = 1;
    EXPECT_TRUE(can_inline(dag, f));
    EXPECT_EQ(search(dag, h100(), {}).groups.size(), 1u);
}

TEST(Fusion, TakesWhatIsCheapest) {
    const ChainDag c(6);
    const KeptGraph graph = make_kept_graph(c.dag, nothing_inlined(c.dag));
    // A kernel costs 10, and a member more than two members costs 100.
    const auto cost = [](int, const std::vector<int> &m) { return 10.0 + (m.size() > 2 ? 100.0 : 0.0); };
    const Fusion fusion = fuse(graph, cost, {});
    ASSERT_EQ(fusion.groups.size(), 2u);
    EXPECT_EQ(fusion.cost, 20);
    EXPECT_EQ(fusion.groups[1].output, c.funcs[5]);
    const std::vector<int> &members = fusion.groups[1].members;
    EXPECT_EQ(std::set<int>(members.begin(), members.end()), (std::set<int>{c.funcs[3], c.funcs[4]}));
    EXPECT_EQ(fusion.groups[0].output, c.funcs[2]);
}

TEST(Fusion, AMemberHasAllItsReadersInTheGroup) {
    HandDag b;
    const int in = b.input("in", box(64, 64));
    const int a = b.func("a", box(64, 64), 1), l = b.func("l", box(64, 64), 1), r = b.func("r", box(64, 64), 1);
    for (const auto &[f, g] : std::vector<std::pair<int, int>>{{a, in}, {l, a}, {r, a}}) {
        b.reads_point(f, g);
    }
    const FunctionDag two_outputs = b.done({l, r});
    const KeptGraph graph = make_kept_graph(two_outputs, nothing_inlined(two_outputs));
    const Fusion fusion = fuse(graph, [](int, const std::vector<int> &) { return 1.0; }, {});
    EXPECT_EQ(fusion.groups.size(), 3u);  // `a` is read by two kernels
}

TEST(Fusion, AThousandStagesInTime) {
    const ChainDag c(1000);
    const std::clock_t start = std::clock();  // the processor's time: other programs may run beside this one
    const SearchResult result = search(c.dag, h100(), {});
    EXPECT_LT(std::clock() - start, 180 * CLOCKS_PER_SEC);  // 30 to 60 s, as fast as the machine is at the time
    size_t funcs = 0;
    for (const GroupChoices &g : result.groups) {
        funcs += 1 + g.members.size();
    }
    EXPECT_LT(result.groups.size(), 1000u);
    EXPECT_GT(funcs, 0u);
}

TEST(Tiles, RowsLeaveRoomForTheWidestMember) {
    const HarrisDag h;
    const GroupView view(h.dag, h.out, {h.gray, h.gx, h.gy}, choose_inlined(h.dag));
    std::set<int> widths;
    for (const KernelTile &tile : lane_tiles(view, Effort::Full)) {
        widths.insert(tile.axes[0].width);
    }
    // Gray is four columns wider than the output.
    EXPECT_TRUE(widths.count(28));
    EXPECT_TRUE(widths.count(60));
    EXPECT_TRUE(widths.count(92));
}

TEST(Tiles, AThreadMayTakeAllOfAFewPoints) {
    for (const int64_t levels : {3, 7, 9}) {
        HandDag b;
        const int out = b.func("out", {{0, 1023}, {0, 1023}, {0, levels - 1}}, 1);
        const FunctionDag dag = b.done({out});
        const GroupView view(dag, out, {}, nothing_inlined(dag));
        for (const Effort effort : {Effort::Coarse, Effort::Full}) {
            const std::vector<KernelTile> tiles = block_tiles(view, effort);
            const auto takes = [&](const KernelTile &tile) {
                return tile.axes.back().dim == 2 && tile.axes.back().width == levels;
            };
            EXPECT_EQ(std::any_of(tiles.begin(), tiles.end(), takes), levels <= 8) << levels;
            EXPECT_FALSE(std::all_of(tiles.begin(), tiles.end(), takes));
        }
    }
}

TEST(Placement, SixtyFourBitsDoNotGoIntoLanes) {
    for (const int bytes : {4, 8}) {
        HandDag b;
        const int in = b.input("in", box(1024, 1024), bytes);
        const int f = b.func("f", box(1024, 1024), 5, bytes), out = b.func("out", box(1024, 1024), 5, bytes);
        b.reads(f, in, {HandDag::along(0, -1, 1), HandDag::along(1)}, 3);
        b.reads(out, f, {HandDag::along(0, -1, 1), HandDag::along(1)}, 3);
        const FunctionDag dag = b.done({out});
        const GroupView view(dag, out, {f}, nothing_inlined(dag));
        Kernel kernel;
        kernel.tile.axes = {{0, 30, 1}, {1, 2, 4}};
        kernel.tile.lane_axis = 0;
        EXPECT_EQ(arrange(view, {}, Form::Warp, Permissions{}, kernel), bytes == 4);
    }
}

TEST(Placement, ProducersAreNeverFurtherInThanTheirReaders) {
    const HarrisDag h;
    const GroupView view(h.dag, h.out, {h.gray, h.gx, h.gy}, choose_inlined(h.dag));
    Kernel kernel;
    kernel.tile.axes = {{0, 28, 1}, {1, 4, 4}};
    kernel.tile.lane_axis = 0;
    Wishes wishes;
    wishes.places[h.gray] = {Placement::Block, -1};
    ASSERT_TRUE(arrange(view, {}, Form::Warp, Permissions{}, kernel, wishes));
    ASSERT_EQ(kernel.parts.size(), 3u);
    EXPECT_EQ(kernel.parts[2].node, h.gray);
    EXPECT_EQ(kernel.parts[2].placement, Placement::Block);
    EXPECT_EQ(kernel.parts[0].placement, Placement::Warp);
    EXPECT_EQ(kernel.parts[1].placement, Placement::Warp);
    // Dealt to 32 lanes and four warps.
    ASSERT_EQ(kernel.parts[2].axes.size(), 2u);
    EXPECT_EQ(kernel.parts[2].axes[0].threads, 32);
    EXPECT_EQ(kernel.parts[2].axes[1].threads, 4);
}

TEST(Tails, SizesThatEnsureATile) {
    HandDag b;
    const int in = b.input("in", box(1024, 1024));
    const int wide = b.func("wide", {{-2, 1025}, {0, 1023}}, 1), half = b.func("half", box(512, 1024), 1);
    const int out = b.func("out", box(1024, 1024), 1);
    b.reads_point(wide, in);
    b.reads_point(half, in);
    b.reads(out, wide, {HandDag::along(0, -2, 2), HandDag::along(1)}, 5);
    b.reads(out, half, {HandDag::along(0, 0, 0, 1, 2), HandDag::along(1)}, 1);
    const FunctionDag dag = b.done({out});
    LeastRegions least(dag);
    // wide is four columns wider.
    EXPECT_EQ(size_that_ensures(least, wide, 0, 64)->extent, 60);
    EXPECT_EQ(size_that_ensures(least, wide, 1, 64)->extent, 64);
    // half is computed at floor(x / 2): 127 columns are 64 of them only where they start at an even one.
    const auto condition = size_that_ensures(least, half, 0, 64);
    ASSERT_TRUE(condition);
    EXPECT_GE(condition->extent, 127);
    EXPECT_LE(condition->extent, 130);
    EXPECT_EQ(condition->dim, 0);
    EXPECT_EQ(size_that_ensures(least, out, 1, 32)->extent, 32);
}

TEST(Tails, WhatOneWalkSaysOfAllFuncsIsRememberedByExtentAndPlace) {
    const ChainDag chain(12);
    const int out = chain.dag.outputs[0];
    LeastRegions remembers(chain.dag);
    for (int round = 0; round < 2; round++) {
        for (const int64_t extent : {1, 64, 60}) {
            for (int node = 1; node < out; node++) {
                LeastRegions fresh(chain.dag);
                EXPECT_EQ(remembers.least_extent(node, 0, out, 0, extent), fresh.least_extent(node, 0, out, 0, extent));
                EXPECT_EQ(remembers.extent(node, 0, out, 0, round, extent),
                          fresh.extent(node, 0, out, 0, round, extent));
            }
        }
    }
    EXPECT_GT(remembers.least_extent(1, 0, out, 0, 64), remembers.least_extent(out - 1, 0, out, 0, 64));
}

TEST(Tails, SumsThatAreCopiedAreRoundedUpWhereNoInputIsReadFurther) {
    HandDag b;
    const int in = b.input("in", box(1024, 1024));
    const int sum = b.func("sum", box(1024, 1024), 0), out = b.func("out", box(1024, 1024), 1);
    b.reduce(sum, 100, 1);
    b.reads(sum, in, {HandDag::along(0), HandDag::along(1)}, 1, 1);
    b.reads(out, sum, {HandDag::along(0, -1, 1), HandDag::along(1)}, 3);
    FunctionDag dag = b.done({out});
    const auto tail = [&] {
        const KeptGraph graph = make_kept_graph(dag, nothing_inlined(dag));
        EXPECT_EQ(graph.form[static_cast<size_t>(sum)], RootForm::Wrapped);
        return choose_tail(graph, sum, {32, 8}).tail;
    };
    EXPECT_EQ(tail(), Tail::RoundUp);
    Node &node = dag.nodes[static_cast<size_t>(sum)];
    node.stages[1].has_predicate = true;
    EXPECT_EQ(tail(), Tail::Guard);
    node.stages[1].has_predicate = false;
    node.raw_dims = {false, true};
    EXPECT_EQ(tail(), Tail::Guard);
}

TEST(Tails, AClampEnsuresNothing) {
    HandDag b;
    const int in = b.input("in", box(1024, 1024));
    const int f = b.func("f", box(1024, 1024), 1), out = b.func("out", box(1024, 1024), 1);
    b.reads_point(f, in);
    AxisAccess clamped = HandDag::along(0);
    clamped.clamped = true;
    b.reads(out, f, {clamped, HandDag::along(1)}, 1);
    const FunctionDag dag = b.done({out});
    LeastRegions least(dag);
    EXPECT_FALSE(size_that_ensures(least, f, 0, 32));
    EXPECT_TRUE(size_that_ensures(least, f, 1, 32));
}

}  // namespace
}  // namespace warptile
