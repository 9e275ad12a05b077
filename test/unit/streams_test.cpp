// Streamed kernels in the search: which tiles, which members, and what they take of the registers.

#include "search/placing/streams.h"

#include <gtest/gtest.h>

#include "hand_pipelines.h"
#include "model/resources.h"
#include "search/placing/placement.h"

namespace warptile {
namespace {

std::vector<AxisAccess> beside() { return {HandDag::along(0, -1, 1), HandDag::along(1, -1, 1)}; }

/// out and two stencils before it, of five points each, of an input that is the fourth.
struct ChainDag {
    HandDag b;
    int in, first, second, out;
    FunctionDag dag;

    ChainDag() {
        const Region r = box(4096, 4096);
        in = b.func("in", r, 1);
        first = b.func("first", r, 6);
        second = b.func("second", r, 6);
        out = b.func("out", r, 6);
        b.reads(first, in, beside(), 5);
        b.reads(second, first, beside(), 5);
        b.reads(out, second, beside(), 5);
    }

    GroupView view() {
        dag = b.done({out});
        return GroupView(dag, out, {second, first}, nothing_inlined(dag));
    }
};

KernelTile stream_tile() {
    KernelTile tile;
    tile.axes = {{0, 26, 1}, {1, 16, 4}};
    tile.lane_axis = 0;
    tile.stream = 1;
    return tile;
}

std::set<int> widths(const std::vector<KernelTile> &tiles) {
    std::set<int> found;
    for (const KernelTile &tile : tiles) {
        EXPECT_EQ(tile.axes[static_cast<size_t>(tile.stream)].dim, 1);
        found.insert(tile.axes[0].width);
    }
    return found;
}

TEST(Streams, RowsLeaveRoomForTheHaloOfAllThatIsKept) {
    ChainDag chain;
    const GroupView view = chain.view();
    EXPECT_EQ(widths(stream_tiles(view, {chain.in}, Effort::Full)), (std::set<int>{26, 58, 120}));
    EXPECT_EQ(widths(stream_tiles(view, {chain.in}, Effort::Coarse)), (std::set<int>{26, 58}));
    EXPECT_TRUE(stream_tiles(view, {}, Effort::Full).empty()) << "rows of the input would be loaded three times";
}

TEST(Streams, GoAlongAThirdDimensionToo) {
    HandDag b;
    const Region r = {{0, 255}, {0, 127}, {0, 63}};
    const int f = b.func("f", r, 1), out = b.func("out", r, 1);
    b.reads(out, f, {HandDag::along(0, -1, 1), HandDag::along(1, -1, 1), HandDag::along(2, -1, 1)}, 7);
    const FunctionDag dag = b.done({out});
    const GroupView view(dag, out, {f}, nothing_inlined(dag));
    std::set<int> dims;
    for (const KernelTile &tile : stream_tiles(view, {}, Effort::Full)) {
        dims.insert(tile.axes[static_cast<size_t>(tile.stream)].dim);
    }
    EXPECT_EQ(dims, (std::set<int>{1, 2}));
}

TEST(Streams, KeepAllMembersInTheLanes) {
    ChainDag chain;
    const GroupView view = chain.view();
    Kernel kernel;
    kernel.tile = stream_tile();
    ASSERT_TRUE(arrange(view, {chain.in}, Form::Stream, Permissions{}, kernel));
    ASSERT_EQ(kernel.parts.size(), 3U);
    for (const Part &part : kernel.parts) {
        EXPECT_EQ(part.placement, Placement::Warp);
        EXPECT_EQ(part.axes.front().dim, 0);
        EXPECT_EQ(part.stream_dim, 1);
    }
}

TEST(Streams, DoNotTakeWhatIsReadOtherwiseThanBesideThePoint) {
    const std::vector<std::vector<AxisAccess>> others = {
        {HandDag::along(0), HandDag::along(1, 0, 0, 2)},     // every second row
        {HandDag::along(0), HandDag::along(1, 0, 0, 1, 2)},  // each row twice
        {HandDag::along(1), HandDag::along(0)},              // transposed
        {HandDag::along(0), HandDag::at(0, 0)},              // one row for all
    };
    for (const std::vector<AxisAccess> &other : others) {
        ChainDag chain;
        chain.b.reads(chain.out, chain.first, other, 1);
        const GroupView view = chain.view();
        Kernel kernel;
        kernel.tile = stream_tile();
        EXPECT_FALSE(arrange(view, {}, Form::Stream, Permissions{}, kernel));
    }
}

TEST(Streams, DoNotTakeWhatReadsAnInputBeyondItsEndInLongRows) {
    ChainDag chain;
    chain.b.node(chain.first).raw_dims = {true, false};
    const GroupView view = chain.view();
    Kernel kernel;
    kernel.tile = stream_tile();
    EXPECT_FALSE(arrange(view, {}, Form::Stream, Permissions{}, kernel));
}

TEST(Streams, DoNotTakeWhatIsReadWithinLimits) {
    AxisAccess rows = HandDag::along(1);
    rows.clamped = true;
    ChainDag chain;
    chain.b.reads(chain.out, chain.first, {HandDag::along(0), rows}, 1);
    const GroupView view = chain.view();
    Kernel kernel;
    kernel.tile = stream_tile();
    EXPECT_FALSE(arrange(view, {}, Form::Stream, Permissions{}, kernel));
}

TEST(Streams, HoldTheRowsThatAreStillToBeRead) {
    const auto registers = [](ChainDag &chain, Form form, int rows) {
        const GroupView view = chain.view();
        Kernel kernel;
        kernel.tile = stream_tile();
        kernel.tile.axes[1].width = rows;
        kernel.tile.stream = form == Form::Stream ? 1 : -1;
        EXPECT_TRUE(arrange(view, {chain.in}, form, Permissions{}, kernel));
        const Geometry g = geometry(view, kernel);
        return resources_of(view, kernel, g, work_of(view, kernel, g)).registers;
    };
    ChainDag chain, late;
    late.b.reads(late.out, late.first, beside(), 5);
    // Three rows of each of the three, one of the output's and nothing of the loads (of one row) but their address.
    const double streamed = registers(chain, Form::Stream, 16);
    EXPECT_EQ(streamed, registers(chain, Form::Stream, 8));
    EXPECT_NEAR(streamed, 23 + 9 + 1, 1);
    EXPECT_GT(registers(chain, Form::Warp, 16), streamed + 16);
    // The output reads the row of `first` below its own too, one row after `second` was done with it.
    EXPECT_EQ(registers(late, Form::Stream, 16), streamed + 1);
}

}  // namespace
}  // namespace warptile
