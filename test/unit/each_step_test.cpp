// A member inside the reduction loop of the member that reads it: what a step needs, which plans may have it there, and
// what it costs.
#include <gtest/gtest.h>

#include <functional>

#include "dag/footprint.h"
#include "model/resources.h"
#include "model/work.h"
#include "schedule/rules/check_plan.h"
#include "schedule/tile_extents.h"
#include "search/placing/placement.h"
#include "test/support/plans.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

constexpr int kSteps = 40, kTaps = 5;

/// inner(x, k) is a sum of taps, outer(x) the sum of what `reads` makes of it at each of its steps.
struct Sums {
    Halide::ImageParam in{Halide::Float(32), 2, "in"};
    Func inner{"inner"}, outer{"outer"}, out{"out"};
    Var x{"x"}, k{"k"};
    Halide::RDom r{0, kTaps, "r"}, s{0, kSteps, "s"};
    FunctionDag dag;

    explicit Sums(const std::function<Expr(Sums &)> &reads, const std::function<Expr(Sums &)> &first = {}) {
        inner(x, k) += in(x + r, k);
        outer(x) = first ? first(*this) : 0.0f;
        outer(x) += reads(*this);
        out(x) = outer(x);
        in.set_estimates({{0, 2048}, {0, 128}});
        out.set_estimates({{0, 1024}});
        dag = read_function_dag({out}, cuda_80());
    }

    int id(const std::string &name) const {
        for (const Node &n : dag.nodes) {
            if (n.name.substr(0, n.name.find('$')) == name) {
                return n.id;
            }
        }
        ADD_FAILURE() << "no node " << name;
        return 0;
    }

    GroupView view() const {
        return {dag, id("out"), {id("outer"), id("inner")}, std::vector<bool>(dag.nodes.size(), false)};
    }

    Plan plan() const {
        Plan plan = empty_plan({out});
        plan.fingerprint = dag.fingerprint;
        const FuncRef o = ref(plan, "out"), sum = ref(plan, "outer");
        Group kernel = kernel_of(o, {{0, 4, 32}});
        kernel.members = {member(sum, Placement::Thread, o, {}, {4}),
                          member(ref(plan, "inner"), Placement::Thread, sum, {}, {4, 1})};
        kernel.members[1].each_step = true;
        plan.groups = {kernel};
        return plan;
    }
};

Expr at_the_step(Sums &p) { return p.inner(p.x, p.s) * 2.0f; }

std::vector<int64_t> step_needs(const Sums &p, const std::vector<int64_t> &tile, bool &fixed) {
    const GroupView view = p.view();
    fixed = view.fixed_step_extents(p.id("outer"), p.id("inner"));
    return view.step_extents(p.id("outer"), tile, p.id("inner"));
}

TEST(EachStep, NeedsWhatTheStepReads) {
    bool fixed = false;
    const Sums one(at_the_step);
    EXPECT_EQ(step_needs(one, {4}, fixed), (std::vector<int64_t>{4, 1}));
    EXPECT_TRUE(fixed);
    EXPECT_EQ(one.view().extents({4}, one.id("inner")), (std::vector<int64_t>{4, kSteps}));
    const Sums two([](Sums &p) { return p.inner(p.x, p.s) * p.inner(p.x + 2, p.s + 1); });
    EXPECT_EQ(step_needs(two, {4}, fixed), (std::vector<int64_t>{6, 2}));
    EXPECT_TRUE(fixed);
    const Sums moved([](Sums &p) { return p.inner(p.x + p.s, p.s); });
    EXPECT_EQ(step_needs(moved, {4}, fixed), (std::vector<int64_t>{4, 1}));
    EXPECT_TRUE(fixed);
}

TEST(EachStep, WhatDriftsApartFromStepToStepHasNoFixedSize) {
    bool fixed = true;
    step_needs(Sums([](Sums &p) { return p.inner(p.x, p.s) * p.inner(p.x, 2 * p.s); }), {4}, fixed);
    EXPECT_FALSE(fixed);
}

struct Broken {
    const char *name;
    std::function<void(Plan &)> change;
    std::vector<std::string> says;
};

TEST(EachStep, PlansThatMayHaveIt) {
    const Sums p(at_the_step);
    EXPECT_EQ(check_plan(p.plan(), p.dag), "");
    const std::vector<Broken> all = {
        {"room", [](Plan &plan) { plan.groups[0].members[1].storage[0] = 3; }, {"'inner'", "stores 3", "4"}},
        {"shared", [](Plan &plan) { plan.groups[0].members[1].placement = Placement::Block; }, {"'inner'", "step"}},
        {"output",
         [](Plan &plan) { plan.groups[0].members[1].at = plan.groups[0].output; },
         {"'inner'", "'out'", "copy"}},
        {"once", [](Plan &plan) { plan.groups[0].members[1].each_step = false; }, {"'inner'", "no thread loops"}},
        {"several", [](Plan &plan) { plan.groups[0].members[0].steps = steps_along(0, 4); }, {"'outer'", "together"}},
    };
    for (const Broken &broken : all) {
        Plan plan = p.plan();
        broken.change(plan);
        SCOPED_TRACE(broken.name);
        expect_words(check_plan(plan, p.dag), broken.says);
    }
}

TEST(EachStep, NotWhereSomethingElseReadsIt) {
    const Sums before(at_the_step, [](Sums &p) { return p.inner(p.x, 0); });
    expect_words(check_plan(before.plan(), before.dag), {"'inner'", "'outer'", "another loop"});
}

TEST(EachStep, NotWhereAWhereLeavesStepsOut) {
    const Sums p([](Sums &p) {
        p.s.where(p.s < 30);
        return at_the_step(p);
    });
    expect_words(check_plan(p.plan(), p.dag), {"'inner'", "'outer'", "`where`"});
}

/// As the search places them, everything in the thread: four points of each.
Kernel in_thread(const Sums &p, const GroupView &view) {
    Kernel kernel;
    kernel.tile = p.plan().groups[0].tile;
    EXPECT_TRUE(arrange(view, {}, Form::Thread, Permissions{}, kernel));
    return kernel;
}

TEST(EachStep, IsFoundWhereTheWholeFitsNoThread) {
    const Sums p(at_the_step);
    const Kernel kernel = in_thread(p, p.view());
    ASSERT_EQ(kernel.parts.size(), 2);
    EXPECT_FALSE(kernel.parts[0].each_step);
    EXPECT_TRUE(kernel.parts[1].each_step);
    EXPECT_EQ(kernel.parts[1].at, 0);
}

TEST(EachStep, CostsAllStepsAndTheRegistersOfOne) {
    const Sums p(at_the_step);
    const GroupView view = p.view();
    const Kernel kernel = in_thread(p, view);
    const Geometry g = geometry(view, kernel);
    EXPECT_EQ(part_extents(view, kernel, g, kernel.parts[1]), (std::vector<int64_t>{4, 1}));
    const std::vector<Work> works = work_of(view, kernel, g);
    ASSERT_EQ(works.size(), 5);           // the output; two stages each
    EXPECT_EQ(works[2].repeats, kSteps);  // of the one warp, a step at a time
    for (const size_t stage : {3, 4}) {
        EXPECT_EQ(works[stage].repeats, kSteps);
        EXPECT_EQ(works[stage].around, kSteps);
    }
    EXPECT_EQ(works[4].points(), 4 * kTaps);
    // The four sums stay while four values of a step are made.
    Kernel alone = kernel;
    alone.parts.pop_back();
    const double with = resources_of(view, kernel, g, works).registers;
    const double without = resources_of(view, alone, g, {works.begin(), works.end() - 2}).registers;
    EXPECT_GE(with, without);
    EXPECT_LT(with, without + 4 * kTaps);
}

}  // namespace
}  // namespace warptile
