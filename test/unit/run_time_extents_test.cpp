// How far the extents that a tile needs are known, and where a member of a kernel may have one that is not.

#include <gtest/gtest.h>

#include "dag/footprint.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "schedule/rules/check_plan.h"
#include "schedule/shared_layout.h"
#include "test/support/plans.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

/// A histogram of each column's neighbourhood, with as many bins as `weights` has values.
struct Bins {
    FunctionDag dag;
    Plan plan;
    FuncRef counts, out;

    Bins() {
        ImageParam in(Halide::UInt(8), 2, "in"), weights(Halide::Int(32), 1, "weights");
        Var x("x"), b("b");
        Func c("counts"), o("out");
        const RDom r(0, 16);
        c(x, b) = 0;
        c(x, Halide::clamp(Halide::cast<int>(in(x, r)), 0, weights.dim(0).extent() - 1)) += 1;
        o(x, b) = c(x - 1, b) + c(x + 1, Halide::max(b - 1, 0)) * weights(b);
        in.set_estimates({{0, 640}, {0, 16}});
        weights.set_estimates({{0, 12}});
        o.set_estimates({{1, 638}, {0, 12}});
        dag = read_function_dag({o}, cuda_80());
        plan = empty_plan({o});
        counts = ref(plan, "counts");
        out = ref(plan, "out");
        plan.groups = {kernel_of(out, {{0, 1, 32}, {1, 12, 1}})};
        plan.groups[0].members = {member(counts, Placement::Block, out, {{0, 1, 32}}, {34, 0})};
    }
};

TEST(RunTimeExtents, AreThoseThatDataSay) {
    const Bins bins;
    int counts = 0;
    for (const Node &n : bins.dag.nodes) {
        counts = n.name.rfind("counts", 0) == 0 ? n.id : counts;
    }
    Footprint footprint(bins.dag, bins.dag.outputs[0], {counts}, std::vector<bool>(bins.dag.nodes.size(), false));
    EXPECT_EQ(footprint.max_extents({32, 12})[static_cast<size_t>(counts)], (std::vector<int64_t>{34, 12}));
    EXPECT_EQ(footprint.known_extents(counts), (std::vector<Known>{Known::Fixed, Known::AtRunTime}));
    EXPECT_FALSE(footprint.fixed_extents(counts));
}

TEST(RunTimeExtents, AreNotThoseThatDriftApart) {
    ImageParam in(Halide::UInt(8), 1, "in");
    Var x("x");
    Func f("f"), out("out");
    f(x) = in(x) + Halide::cast<uint8_t>(1);
    out(x) = f(x) + f(2 * x);
    in.set_estimates({{0, 640}});
    out.set_estimates({{0, 320}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    int id = 0;
    for (const Node &n : dag.nodes) {
        id = n.name.substr(0, n.name.find('$')) == "f" ? n.id : id;
    }
    Footprint footprint(dag, dag.outputs[0], {id}, std::vector<bool>(dag.nodes.size(), false));
    EXPECT_EQ(footprint.known_extents(id), std::vector<Known>{Known::Drifting});
}

TEST(RunTimeExtents, AreForSharedMemoryAlone) {
    Bins bins;
    EXPECT_EQ(check_plan(bins.plan, bins.dag), "");
    Member &counts = bins.plan.groups[0].members[0];
    counts.placement = Placement::Thread;
    counts.axes.clear();
    counts.storage = {3, 0};
    expect_words(check_plan(bins.plan, bins.dag), {"'counts", "no largest size", "compute it at root"});
}

TEST(RunTimeExtents, HaveNoStorageBound) {
    Bins bins;
    bins.plan.groups[0].members[0].storage = {34, 12};
    expect_words(check_plan(bins.plan, bins.dag), {"'counts", "dimension 1", "store 0"});
    bins.plan.groups[0].members[0].storage = {0, 0};
    expect_words(check_plan(bins.plan, bins.dag), {"'counts", "dimension 0", "storage bound"});
}

TEST(RunTimeExtents, HaveRoomElsewhereInAPrintedScheduleToo) {
    ImageParam in(Halide::UInt(8), 1, "in");
    Var x("x");
    Func f("f"), out("out");
    f(x) = in(x) + Halide::cast<uint8_t>(1);
    out(x) = f(x) + f(x + 1);
    Plan plan = empty_plan({out});
    const FuncRef member_of_a_block = ref(plan, "f"), output = ref(plan, "out");
    plan.groups = {kernel_of(output, {{0, 1, 32}})};
    plan.groups[0].members = {member(member_of_a_block, Placement::Block, output, {{0, 1, 32}}, {33})};
    EXPECT_EQ(print(make_directives(plan, {out})).find("RoomElsewhere"), std::string::npos);
    plan.groups[0].members[0].storage = {0};
    EXPECT_NE(print(make_directives(plan, {out})).find("new RoomElsewhere"), std::string::npos);
}

TEST(RunTimeExtents, MayHaveRowsOfAMultiple) {
    Bins bins;
    bins.plan.groups[0].members[0].row_multiple = 3;  // rows of 34 columns
    expect_words(check_plan(bins.plan, bins.dag), {"'counts", "row_multiple"});
    // An odd number of 16 bytes.
    EXPECT_EQ(spread_row(32, {4}), 36);
    EXPECT_EQ(spread_row(12, {4}), 12);
    EXPECT_EQ(spread_row(13, {4, 2}), 20);
    EXPECT_EQ(spread_row(4, {8}), 6);
    EXPECT_EQ(spread_row(3, {1}), 16);
}

// 34 columns of 12 bins are 1,632 bytes; those of 400 bins would be 54,400.
TEST(RunTimeExtents, FitAtTheEstimates) {
    Bins bins;
    bins.plan.groups[0].tile.axes[0].threads = 1024;
    bins.plan.groups[0].members[0].axes[0].threads = 1024;
    bins.plan.groups[0].members[0].storage[0] = 1026;
    expect_words(check_plan(bins.plan, bins.dag), {"49248", "49152"});  // 1026 * 12 * 4
}

}  // namespace
}  // namespace warptile
