// The rules of histograms in several parts: a legal plan, and what is refused.
#include <gtest/gtest.h>

#include "schedule/check_plan.h"
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
    explicit Histogram(bool per_row = false) {
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

TEST(CheckHistogram, PartsOfAHistogramAreNoMember) {
    const Histogram h;
    Plan plan = h.plan;
    plan.derived.push_back(copy_of(h.parts));
    plan.groups[0].output = h.parts + 1;
    plan.groups[0].updates.clear();
    plan.groups[0].atomic.clear();
    plan.groups[0].members = {member(h.parts, Placement::Block, h.parts + 1, {}, {256, 2, 16})};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "output of a group"});
}

TEST(CheckHistogram, PartsOfAHistogramAreNotSplitAgainButTheirTotalIs) {
    const Histogram h;
    Plan plan = h.plan;
    plan.derived.push_back(partial_of(h.parts, 16));
    expect_words(check_plan(plan, h.dag), {"partial result of count", "loops of its own", "cannot be split"});
    plan.derived[1].source = h.count;
    plan.derived[1].factor = 4;
    plan.groups.insert(plan.groups.begin() + 1, kernel_of(h.parts + 1));
    EXPECT_EQ(check_plan(plan, h.dag), "");
}

TEST(CheckHistogram, AHistogramOfEachRowIsNotSplit) {
    const Histogram h(true);
    Plan plan = h.plan;
    plan.derived[0].rvar = 0;
    expect_words(check_plan(plan, h.dag), {"'count'", "loops of its own", "cannot be split"});
}
