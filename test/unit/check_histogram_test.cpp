// The rules of histograms in several parts: a legal plan, and what is refused.
#include <gtest/gtest.h>

#include "schedule/rules/check_plan.h"
#include "test/support/plans.h"
#include "test/support/words.h"

using namespace warptile;

namespace {

/// A histogram of an image, counted in 16 parts of its rows, and what is twice each count.
struct Histogram {
    FunctionDag dag;
    Plan plan;
    FuncRef count, out, parts;

    /// The parts and their total have two kernels each; the loops of the parts' update are numbered from 3.
    explicit Histogram(bool per_row = false, bool bounded = true) {
        Halide::ImageParam in(Halide::UInt(8), 2, "in");
        Halide::Func c("count"), o("out");
        Halide::Var i("i"), y("y");
        const Halide::RDom r(0, in.width(), 0, in.height());
        c(i, y) = 0;
        if (per_row) {
            c(Halide::cast<int>(in(r.x, y)), y) += 1;
        } else {
            c(Halide::cast<int>(in(r.x, r.y)), r.y % 2) += 1;
        }
        o(i, y) = c(i, y) * 2;
        in.set_estimates({{0, 640}, {0, 480}});
        o.set_estimates({{0, 256}, {0, 2}});
        if (bounded) {
            o.bound(i, 0, 256).bound(y, 0, 2);
        }
        dag = read_function_dag({o}, cuda_80());
        plan = empty_plan({o});
        count = ref(plan, "count");
        out = ref(plan, "out");
        parts = plan.funcs;
        plan.derived = {partial_of(count, 16, 1)};
        plan.groups = {kernel_of(parts), kernel_of(count), kernel_of(out)};
        plan.groups[0].updates.resize(1);
        plan.groups[0].updates[0].axes = {{3, 1, 32}, {4, 1, 8}};
        plan.groups[0].atomic = {true};
        plan.groups[1].updates.resize(1);
        plan.groups[1].updates[0].axes = {{0, 1, 32}, {1, 1, 2}};
        plan.groups[1].atomic = {false};
        plan.groups[1].full = true;
    }
};

/// The same, each part counted by a block, whose threads share the columns of a row.
Plan in_shared_memory(const Histogram &h) {
    Plan plan = h.plan;
    plan.derived.push_back(copy_of(h.parts));
    plan.groups[0] = kernel_of(h.parts + 1);
    plan.groups[0].tile.axes = {{0, 1, 256}, {1, 2, 1}};
    Member part = member(h.parts, Placement::Block, h.parts + 1, {{0, 1, 256}}, {511, 3, 1});
    part.atomic = {{3, 1, 512}};
    part.unroll = false;
    plan.groups[0].members = {part};
    return plan;
}

}  // namespace

TEST(CheckHistogram, TakesAHistogramInParts) {
    const Histogram h;
    EXPECT_EQ(check_plan(h.plan, h.dag), "");
}

TEST(CheckHistogram, PartsOfAHistogramHaveALoopOverPartsAlone) {
    const Histogram h;
    Plan plan = h.plan;
    plan.groups[0].updates[0].axes = {{0, 1, 32}};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "dimension 0", "no loop"});
    plan.groups[0].updates[0].axes = {{2, 1, 16}, {3, 1, 8}};
    EXPECT_EQ(check_plan(plan, h.dag), "");
}

TEST(CheckHistogram, PartsOfAHistogramRace) {
    const Histogram h;
    Plan plan = h.plan;
    plan.groups[0].atomic = {false};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "race"});
}

TEST(CheckHistogram, PartsOfAHistogramAreNoMemberWithoutAtomicAdditions) {
    const Histogram h;
    Plan plan = in_shared_memory(h);
    EXPECT_EQ(check_plan(plan, h.dag), "");
    plan.groups[0].members[0].atomic.clear();
    expect_words(check_plan(plan, h.dag), {"partial result of count", "\"atomic\" axes", "output of a group"});
}

TEST(CheckHistogram, AtomicAdditionsOfABlockNameLoopsThatAreThere) {
    const Histogram h;
    const Plan legal = in_shared_memory(h);
    const auto problem = [&](const std::vector<AxisTile> &axes) {
        Plan plan = legal;
        plan.groups[0].members[0].atomic = axes;
        return check_plan(plan, h.dag);
    };
    EXPECT_EQ(problem({{3, 1, 64}, {4, 1, 4}}), "");  // 256 x 4, with what clears the cells
    EXPECT_EQ(problem({{2, 1, 16}, {3, 1, 4}}), "");  // the parts of a block's, here one
    expect_words(problem({{0, 1, 32}}), {"atomic update of 'the partial result of count'", "loop 0"});
    expect_words(problem({{5, 1, 32}}), {"loop 5", "reductions from 3 on"});
    expect_words(problem({{3, 1, 32}, {3, 1, 2}}), {"loop 3", "once"});
    expect_words(problem({{3, 1, 0}}), {"loop 3", "0 threads"});
    expect_words(problem({{3, 1, 1024}, {4, 1, 2}}), {"2048 threads"});
}

TEST(CheckHistogram, AtomicAdditionsOfABlockAreToSharedMemoryInExactTiles) {
    const Histogram h;
    Plan plan = in_shared_memory(h);
    plan.groups[0].tail = Tail::RoundUp;
    expect_words(check_plan(plan, h.dag), {"partial result of count", "tiles that reach beyond"});
    plan = in_shared_memory(h);
    plan.groups[0].members[0].steps = steps_along(0, 4);
    expect_words(check_plan(plan, h.dag), {"partial result of count", "4 steps together", "an axis names"});
    plan.groups[0].members[0].steps = steps_along(1, 4);
    EXPECT_EQ(check_plan(plan, h.dag), "");
    // 256 cells, and the 255 points that a last tile may have beyond them.
    plan.groups[0].members[0].storage = {510, 3, 1};
    expect_words(check_plan(plan, h.dag), {"510 points", "can need 511"});
}

TEST(CheckHistogram, TilesOfPartsAreNoLargerThanAllOfThem) {
    const Histogram h;
    Plan plan = in_shared_memory(h);
    plan.groups[0].tail = Tail::Both;
    plan.groups[0].conditions = {{0, 0, 256}, {0, 1, 2}};
    EXPECT_EQ(check_plan(plan, h.dag), "");
    plan.groups[0].tile.axes.push_back({2, 32, 1});  // the last of 32 would be shifted to begin at -16
    plan.groups[0].members[0].storage = {511, 3, 32};
    expect_words(check_plan(plan, h.dag), {"copy of the partial result of count", "32 points", "which has 16"});
}

TEST(CheckHistogram, HasAsManyCellsInABlockAsAtEverySize) {
    const Histogram h(false, false);
    expect_words(check_plan(in_shared_memory(h), h.dag), {"partial result of count", "no largest size"});
}

TEST(CheckHistogram, TheTotalOfPartsIsSplitAgain) {
    const Histogram h;
    Plan plan = h.plan;
    plan.derived.push_back(partial_of(h.count, 4));
    plan.groups.insert(plan.groups.begin() + 1, kernel_of(h.parts + 1));
    EXPECT_EQ(check_plan(plan, h.dag), "");
}

TEST(CheckHistogram, PartsOfAHistogramOfEachRowHaveALoopOverRows) {
    const Histogram h(true);
    Plan plan = h.plan;
    plan.derived[0].rvar = 0;
    plan.groups[0].updates[0].axes = {{3, 1, 32}};
    EXPECT_EQ(check_plan(plan, h.dag), "");
    plan.groups[0].updates[0].axes = {{1, 1, 8}, {3, 1, 32}};
    EXPECT_EQ(check_plan(plan, h.dag), "");
    plan.groups[0].updates[0].axes = {{0, 1, 8}};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "dimension 0", "no loop"});
}
