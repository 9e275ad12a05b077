// Updates at root: how many points a thread has, and into how many parts a reduction is cut whose steps may meet.

#include "search/pricing/update_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dag/dependences.h"
#include "dag/read.h"
#include "hand_pipelines.h"
#include "model/roofline.h"
#include "model/traffic.h"
#include "search/search.h"
#include "test/support/h100.h"

namespace warptile {
namespace {

/// in(r.x, …) stored at f(r.x, …), in `bytes` a value: each place is written once. `reads` times the update reads what
/// is there.
struct StoreDag {
    int in, out;
    FunctionDag dag;

    StoreDag(const Region &region, int bytes, int reads) {
        HandDag b;
        in = b.input("in", region, bytes);
        out = b.func("out", region, 0, bytes);
        Node &node = b.node(out);
        node.stages[0].undefined = true;
        Stage update = node.stages[0];
        update.undefined = false;
        update.scatters = true;
        Access own;
        std::vector<AxisAccess> axes;
        for (int d = 0; d < node.dims(); d++) {
            Loop &loop = update.loops[static_cast<size_t>(d)];
            loop.name = "r" + std::to_string(d);
            loop.reduction = loop.extent_known = true;
            update.pure_of_dim[static_cast<size_t>(d)] = -1;
            own.axes.push_back(HandDag::along(d));
            axes.push_back(HandDag::along(d));
        }
        own.loads = reads;
        update.own = {own};
        node.stages.push_back(update);
        b.reads(out, in, axes, 1, 1);
        dag = b.done({out});
    }

    Candidate best() const { return search(dag, h100(), {}).groups[0].candidates[0]; }
};

int points(const KernelTile &tile) {
    int n = 1;
    for (const AxisTile &axis : tile.axes) {
        n *= axis.width;
    }
    return n;
}

// An H200 took 0.0229 ms for one of 4 M places a thread, 0.0137 for the same over a variable, two a thread.
TEST(Stores, OverAReductionHaveAsManyPointsAThreadAsOverAVariable) {
    const Region list = {{0, (1 << 22) - 1}};
    const StoreDag store(list, 4, 0);
    HandDag b;
    const int in = b.input("in", list), out = b.func("out", list, 0);
    b.reads_point(out, in);
    const Candidate copy = search(b.done({out}), h100(), {}).groups[0].candidates[0], best = store.best();
    ASSERT_EQ(best.group.updates.size(), 1u);
    EXPECT_EQ(points(best.group.updates[0]), points(copy.group.tile));
    EXPECT_GT(points(best.group.updates[0]), 1);
    EXPECT_EQ(best.group.updates[0].axes[0].threads, copy.group.tile.axes[0].threads);
    EXPECT_NEAR(best.cost, copy.cost, 0.05 * copy.cost);
}

TEST(Stores, OfRowsBytesAndWhatIsThereToo) {
    for (const int reads : {0, 1}) {
        for (const int bytes : {1, 2, 4}) {
            EXPECT_GT(points(StoreDag(box(1920, 1080), bytes, reads).best().group.updates[0]), 2) << bytes;
            EXPECT_GT(points(StoreDag({{0, (1 << 22) - 1}}, bytes, reads).best().group.updates[0]), 1) << bytes;
        }
        EXPECT_EQ(points(StoreDag({{0, 4095}}, 4, reads).best().group.updates[0]), 1);  // few fill no card
    }
}

// 10,240 steps, each of which reads and stores a place of its own in the cache: half a sector either way, and 12 bins a
// column once if they are added to at that place.
TEST(Stores, WhereDataSayGoThroughTheCacheAtEachStep) {
    Halide::ImageParam in(Halide::UInt(8), 2, "in");
    Halide::Var x("x"), b("b");
    Halide::Func counts("counts");
    const Halide::RDom r(0, 16);
    counts(x, b) = 0;
    counts(x, Halide::clamp(Halide::cast<int>(in(x, r)), 0, 11)) += 1;
    in.set_estimates({{0, 640}, {0, 16}});
    counts.set_estimates({{0, 640}, {0, 12}});
    const FunctionDag dag = read_function_dag({counts}, Halide::get_host_target());
    const GroupView view(dag, dag.outputs[0], {}, std::vector<bool>(dag.nodes.size(), false));
    const auto l2_bytes = [&](bool atomic) {
        Kernel kernel;
        kernel.stage = 1;
        kernel.tile.axes = {{0, 1, 32}};
        kernel.atomic = atomic;
        const Geometry g = geometry(view, kernel);
        return traffic_of(h100(), view, kernel, g, demand_of(h100(), view, kernel, g, work_of(view, kernel, g)))
            .l2_bytes;
    };
    EXPECT_DOUBLE_EQ(l2_bytes(false) - l2_bytes(true), 2 * 10240 * 16 - 2 * 640 * 12 * 4);
}

TEST(Stores, OfAWiderTileReachNoMoreOfWhatTheyRead) {
    const StoreDag s({{0, (1 << 22) - 1}}, 4, 0), adds({{0, (1 << 22) - 1}}, 4, 1);
    const double all = 4.0 * (1 << 22);
    const auto l2_bytes = [&](const StoreDag &store, int width) {
        const GroupView view(store.dag, store.out, {}, std::vector<bool>(2, false));
        Kernel kernel;
        kernel.stage = 1;
        kernel.tile.axes = {{1, width, 128}};
        const Geometry g = geometry(view, kernel);
        return traffic_of(h100(), view, kernel, g, demand_of(h100(), view, kernel, g, work_of(view, kernel, g)))
            .l2_bytes;
    };
    for (const int width : {1, 2, 4}) {
        EXPECT_NEAR(l2_bytes(s, width), 2 * all, 0.05 * all) << width;
        EXPECT_NEAR(l2_bytes(adds, width), 3 * all, 0.05 * all) << width;
    }
}

TEST(Stores, AreTestedInTheLastBlockOfAGridOfOneLoop) {
    const StoreDag list({{0, 4095}}, 4, 0), image(box(64, 64), 4, 0);
    KernelTile of_list, of_image;
    of_list.axes = {{1, 2, 128}};
    of_image.axes = {{2, 1, 32}, {3, 4, 8}};
    EXPECT_FALSE(tests_points(list.dag.node(list.out), 1, of_list));
    EXPECT_TRUE(tests_points(image.dag.node(image.out), 1, of_image));
    HandDag b;  // a dimension without an axis is a loop of the grid too
    const int sum = b.func("sum", box(64, 64), 0);
    b.reduce(sum, 100, 1);
    of_list.axes[0].dim = 0;
    EXPECT_TRUE(tests_points(b.node(sum), 1, of_list));
}

}  // namespace
}  // namespace warptile
