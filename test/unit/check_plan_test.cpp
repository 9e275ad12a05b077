// The rules of plans: a legal plan, and for each rule one change that breaks it and what the message then says.
#include "schedule/rules/check_plan.h"
#include "schedule/rules/check_steps.h"

#include <gtest/gtest.h>

#include <functional>

#include "test/support/plans.h"
#include "test/support/words.h"

using namespace warptile;

namespace {

/// out = a row stencil of a column stencil of a raw input, over the row's sum; and `wide`, an output of 64 bits.
struct Example {
    FunctionDag dag;
    Plan empty;
    FuncRef down, sum, out, wide;

    Example() {
        Halide::ImageParam in(Halide::Float(32), 2, "in");
        Halide::Func d("down"), s("sum"), o("out"), w("wide");
        Halide::Var x("x"), y("y");
        Halide::RDom r(0, 64, "r");
        d(x, y) = in(x, y) + in(x, y + 1);
        s(y) = 0.0f;
        s(y) += d(r, y);
        o(x, y) = (d(x - 1, y) + d(x + 1, y)) / s(y);
        w(x, y) = Halide::cast<double>(o(x, y));
        in.set_estimates({{-1, 258}, {0, 200}});
        for (Halide::Func f : {o, w}) {
            f.set_estimates({{0, 256}, {0, 128}});
        }
        dag = read_function_dag({o, w}, cuda_80());
        empty = empty_plan({o, w});
        empty.fingerprint = dag.fingerprint;
        down = ref(empty, "down");
        sum = ref(empty, "sum");
        out = ref(empty, "out");
        wide = ref(empty, "wide");
    }

    /// `down` in lane registers of `out`, whose rows are 30 wide; `sum` and `wide` kernels of their own.
    Plan legal() const {
        Plan plan = empty;
        plan.derived = {copy_of(down, {out})};
        Group kernel = kernel_of(out, {{0, 30, 1}, {1, 2, 4}});
        kernel.tile.lane_axis = 0;
        kernel.tail = Tail::Both;
        kernel.conditions = {{0, 0, 30}, {0, 1, 8}};
        kernel.members = {member(plan.funcs, Placement::Warp, out, {{0, 1, 1}}, {32, 2})};
        plan.groups = {kernel_of(sum, {{0, 1, 32}}), kernel_of(down, {{0, 1, 32}, {1, 1, 8}}), kernel,
                       kernel_of(wide, {{0, 1, 32}})};
        return plan;
    }
};

constexpr size_t kSum = 0, kDown = 1, kKernel = 2, kWide = 3;

Group &kernel(Plan &p) { return p.groups[kKernel]; }

Member &staged(Plan &p) { return p.groups[kKernel].members[0]; }

/// `sum` becomes a member of the kernel of its copy.
Member &sum_in_a_thread(Plan &p, const Example &e) {
    p.derived.push_back(copy_of(e.sum));
    Group &group = p.groups[kSum];
    group.output = p.funcs + 1;
    group.members = {member(e.sum, Placement::Thread, group.output, {}, {1})};
    return group.members[0];
}

/// Of the update of `sum`, a kernel of its own.
Steps &steps_of_sum(Plan &p) {
    p.groups[kSum].updates = {KernelTile()};
    return p.groups[kSum].updates[0].steps;
}

struct Broken {
    const char *name;
    std::function<void(Plan &, const Example &)> change;
    std::vector<std::string> says;  ///< parts of the message
};

const std::vector<Broken> &broken_plans() {
    static const std::vector<Broken> all = {
        {"fingerprint", [](Plan &p, const Example &) { p.fingerprint = "0123"; }, {"another pipeline", "anew"}},
        {"funcs", [](Plan &p, const Example &) { p.funcs++; }, {"Funcs", "anew"}},
        {"reference", [](Plan &p, const Example &) { p.groups[kSum].output = 99; }, {"99"}},
        {"twice", [](Plan &p, const Example &e) { p.groups[kWide].output = e.sum; }, {"'sum'", "two places"}},
        {"output_missing",
         [](Plan &p, const Example &) { p.groups.erase(p.groups.begin() + kWide); },
         {"'wide'", "output"}},
        {"update_missing", [](Plan &p, const Example &) { p.groups.erase(p.groups.begin()); }, {"'sum'", "updates"}},
        {"axis", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].dim = 2; }, {"'down'", "dimension 2"}},
        {"axis_twice", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].dim = 1; }, {"'down'", "twice"}},
        {"width", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].width = 0; }, {"'down'", "below 1"}},
        {"threads",
         [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].threads = 256; },
         {"'down'", "2048", "1024"}},
        {"lane_axis", [](Plan &p, const Example &) { kernel(p).tile.lane_axis = 2; }, {"'out'", "lane axis"}},
        {"lanes",
         [](Plan &p, const Example &) {
             kernel(p).tile.layout = LaneLayout::Adjacent;
             kernel(p).tile.axes[0].width = 40;
         },
         {"'out'", "40 lanes", "32"}},
        {"round_up_output",
         [](Plan &p, const Example &) { kernel(p).tail = Tail::RoundUp; },
         {"'out'", "output", "guard"}},
        {"round_up_raw",
         [](Plan &p, const Example &) { p.groups[kDown].tail = Tail::RoundUp; },
         {"'down'", "boundary condition", "guard"}},
        {"condition_missing", [](Plan &p, const Example &) { kernel(p).conditions.pop_back(); }, {"'out'", "8 points"}},
        {"condition_small",
         [](Plan &p, const Example &) { kernel(p).conditions[0].extent = 29; },
         {"'out'", "30 points"}},
        {"condition_output", [](Plan &p, const Example &) { kernel(p).conditions[0].output = 7; }, {"output 7"}},
        {"no_lanes", [](Plan &p, const Example &) { kernel(p).tile.lane_axis = -1; }, {"down", "'out'", "lane"}},
        {"rolled", [](Plan &p, const Example &) { staged(p).unroll = false; }, {"down", "unroll"}},
        {"storage_small", [](Plan &p, const Example &) { staged(p).storage[0] = 31; }, {"down", "31", "32"}},
        {"storage_missing", [](Plan &p, const Example &) { staged(p).storage = {}; }, {"down", "storage", "32"}},
        {"lane_dimension", [](Plan &p, const Example &) { staged(p).axes.clear(); }, {"down", "one axis"}},
        {"place", [](Plan &p, const Example &e) { staged(p).at = e.wide; }, {"down", "'out'"}},
        {"copy_consumer", [](Plan &p, const Example &e) { p.derived[0].consumers = {e.wide}; }, {"'wide'", "'down'"}},
        {"copy_source", [](Plan &p, const Example &) { p.derived[0].source = 50; }, {"50", "earlier"}},
        {"elsewhere",
         [](Plan &p, const Example &e) {
             p.groups.erase(p.groups.begin() + kDown);
             p.groups[kKernel - 1].members.push_back(member(e.down, Placement::Block, e.out, {{0, 1, 32}}, {32, 8}));
         },
         {"'down'", "'sum'", "root"}},
        {"update_reads",
         [](Plan &p, const Example &e) {
             p.derived[0].consumers = {e.sum};
             staged(p).at = e.sum;
             p.groups[kSum].members = {staged(p)};
             p.groups[kSum].members[0].placement = Placement::Block;
             kernel(p).members.clear();
         },
         {"update", "'sum'"}},
        {"shared",
         [](Plan &p, const Example &) {
             staged(p).placement = Placement::Block;
             staged(p).storage = {400, 40};
         },
         {"'out'", "64000", "49152"}},
        {"partial_update",
         [](Plan &p, const Example &e) {
             p.derived.push_back(partial_of(e.sum));
             p.derived.back().update = 1;
         },
         {"'sum'", "update 1"}},
        {"partial_variable",
         [](Plan &p, const Example &e) { p.derived.push_back(partial_of(e.sum, 32, 1)); },
         {"'sum'", "number 1"}},
        {"partial_of_nothing",
         [](Plan &p, const Example &e) { p.derived.push_back(partial_of(e.out)); },
         {"'out'", "0 updates"}},
        {"race",
         [](Plan &p, const Example &) {
             KernelTile tile;
             tile.axes = {{1, 1, 8}};
             p.groups[kSum].updates = {tile};
         },
         {"'sum'", "race"}},
        {"wide_in_lanes",
         [](Plan &p, const Example &e) {
             p.derived.push_back(copy_of(e.out, {e.wide}));
             Member m = staged(p);
             m.func = p.funcs + 1;
             m.at = e.wide;
             p.groups[kWide].members = {m};
         },
         {"out", "'wide'", "lane"}},
        {"steps_of_a_pure_func",
         [](Plan &p, const Example &) { staged(p).steps = steps_along(0, 4); },
         {"the copy of down", "of the 0 reduction loops"}},
        {"steps_of_a_pure_stage",
         [](Plan &p, const Example &) { kernel(p).tile.steps = steps_along(0, 4); },
         {"'out'", "4 steps", "of the 0 reduction loops"}},
        {"too_many_steps_of_an_update",
         [](Plan &p, const Example &) { steps_of_sum(p) = steps_along(0, 33); },
         {"'sum'", "update 0", "33 steps", "1 to 32"}},
        {"steps_of_another_loop",
         [](Plan &p, const Example &) { steps_of_sum(p) = steps_along(1, 4); },
         {"'sum'", "1 x 4 steps", "of the 1 reduction loops"}},
        {"steps_that_threads_share",
         [](Plan &p, const Example &) {
             steps_of_sum(p) = steps_along(0, 4);
             p.groups[kSum].atomic = {true};
         },
         {"'sum'", "which threads share"}},
        {"steps_of_a_loop_with_an_axis",
         [](Plan &p, const Example &) {
             steps_of_sum(p) = steps_along(0, 4);
             p.groups[kSum].updates[0].axes = {{1, 4, 1}};
         },
         {"'sum'", "reduction loop 0", "race", "atomic"}},
        {"too_many_steps",
         [](Plan &p, const Example &e) { sum_in_a_thread(p, e).steps = steps_along(0, 33); },
         {"'sum'", "33 steps", "1 to 32"}},
        {"steps_in_whole_tiles_of_an_update",
         [](Plan &p, const Example &) { steps_of_sum(p).whole_tiles = true; },
         {"'sum'", "whole tiles only", "for members"}},
        {"steps_in_whole_tiles_of_a_guarded_kernel",
         [](Plan &p, const Example &e) { sum_in_a_thread(p, e).steps.whole_tiles = true; },
         {"'sum'", "whole tiles only", "tests whether tiles are whole"}},
        {"two_pieces_of_code_of_one_thread_of_a_block",
         [](Plan &p, const Example &e) {
             Member &sum = sum_in_a_thread(p, e);
             sum.placement = Placement::Block;
             sum.full = true;
         },
         {"'sum'", "one thread of a block", "\"full\" to false"}},
        {"steps_that_read_a_member",
         [](Plan &p, const Example &e) {
             Member down = sum_in_a_thread(p, e);
             p.groups[kSum].members[0].steps = steps_along(0, 4);
             down.func = e.down;
             p.groups[kSum].members.push_back(down);
             p.groups.erase(p.groups.begin() + kDown);
         },
         {"'sum'", "same kernel computes"}},
        {"one_point_along_the_lanes",
         [](Plan &p, const Example &) {
             kernel(p).tile.axes[1].width = 1;
             staged(p).axes = {{1, 1, 1}};
             staged(p).storage = {32, 32};
         },
         {"the copy of down", "one point along the lanes", "another dimension"}},
        {"host", [](Plan &p, const Example &) { kernel(p).on_host = true; }, {"'out'", "host", "members"}},
    };
    return all;
}

}  // namespace

TEST(CheckPlan, TakesALegalPlan) {
    const Example e;
    EXPECT_EQ(check_plan(e.legal(), e.dag), "");
}

TEST(CheckPlan, TakesStepsTogetherOfWhatIsInMemory) {
    const Example e;
    Plan plan = e.legal();
    Member &sum = sum_in_a_thread(plan, e);
    sum.steps = steps_along(0, 4);
    sum.full = true;
    EXPECT_EQ(check_plan(plan, e.dag), "");
}

TEST(CheckPlan, TakesStepsTogetherOfAnUpdateAtRoot) {
    const Example e;
    Plan plan = e.legal();
    steps_of_sum(plan) = steps_along(0, 4);
    EXPECT_EQ(check_plan(plan, e.dag), "");
}

TEST(CheckPlan, RefusesEachBrokenPlanWithWordsThatNameTheFuncAndTheMend) {
    const Example e;
    for (const Broken &broken : broken_plans()) {
        Plan plan = e.legal();
        broken.change(plan, e);
        SCOPED_TRACE(broken.name);
        expect_words(check_plan(plan, e.dag), broken.says);
    }
}

TEST(CheckPlan, TakesThePlainPlan) {
    Halide::ImageParam in(Halide::UInt(8), 2, "in");
    Halide::Func f("f"), g("g");
    Halide::Var x("x"), y("y");
    f(x, y) = in(x, y) * 2;
    g(x) = Halide::cast<uint8_t>(0);
    Halide::RDom r(0, 256);
    g(Halide::cast<int>(in(r, 0))) += f(r, 1);
    g.set_estimates({{0, 256}});
    in.set_estimates({{0, 256}, {0, 2}});
    const FunctionDag dag = read_function_dag({g}, cuda_80());
    EXPECT_EQ(check_plan(plain_plan({g}), dag), "");
}

TEST(CheckPlan, SeveralValuesWithAnUpdateAreNotOneThreadsInSharedMemory) {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Halide::Func sums("sums"), out("out");
    Halide::Var y("y");
    Halide::RDom r(0, 500, "r");
    sums(y) = {0.0f, 0.0f};
    sums(y) = {sums(y)[0] + in(r, y), sums(y)[1] + in(r, y) * in(r, y)};
    out(y) = sums(y)[0] / sums(y)[1];
    in.set_estimates({{0, 500}, {0, 100}});
    out.set_estimates({{0, 100}});
    Plan plan = empty_plan({out});
    const FuncRef total = ref(plan, "sums"), output = ref(plan, "out"), parts = plan.funcs;
    plan.derived = {partial_of(total)};
    plan.groups = {kernel_of(output)};  // a block for each row
    plan.groups[0].members = {member(total, Placement::Block, output, {}, {1}),
                              member(parts, Placement::Block, output, {{1, 1, 32}}, {1, 32})};
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    expect_words(check_plan(plan, dag), {"'sums' has several values and an update, and one thread of 32"});
    plan.groups[0].members[0].placement = Placement::Thread;
    EXPECT_EQ(check_plan(plan, dag), "");
}

TEST(CheckPlan, RefusesAnEmptyPlan) { EXPECT_NE(check_plan(Plan(), Example().dag), ""); }

TEST(CheckPlan, WhatAWhereReadsOfAnInputStaysInTheThread) {
    Halide::ImageParam in(Halide::Int(32), 1, "in");
    Halide::Var v("v");
    Halide::RDom r(0, 32, "r");
    Halide::Func doubled("doubled"), sum("sum"), last("last");
    doubled(v) = in(v)*2;
    r.where(r < v + 2);
    sum(v) = 0;
    sum(v) += doubled(r);
    last(v) = sum(v) + 1;
    last.set_estimate(v, 0, 1000);
    in.set_estimates({{0, 32}});
    const FunctionDag dag = read_function_dag({last}, cuda_80());
    Plan plan = empty_plan({last});
    const FuncRef out = ref(plan, "last");
    Group kernel = kernel_of(out, {{0, 1, 64}});
    kernel.tail = Tail::Guard;
    kernel.members = {member(ref(plan, "sum"), Placement::Thread, out, {}, {1}),
                      member(ref(plan, "doubled"), Placement::Block, out, {{0, 1, 64}}, {32})};
    plan.groups = {kernel};
    expect_words(check_plan(plan, dag), {"doubled", "has a `where`", "compute it at root or in the thread"});
    plan.groups[0].members[1] = member(ref(plan, "doubled"), Placement::Thread, out, {}, {32});
    EXPECT_EQ(check_plan(plan, dag), "");
    // Nor does the block compute the sum itself: of 64 points for the last 40, `r < v + 2` lets 24 places more through.
    plan.groups[0].members = {member(ref(plan, "sum"), Placement::Block, out, {{0, 1, 64}}, {64})};
    expect_words(check_plan(plan, dag),
                 {"'sum'", "a `where` that reads an input", "compute it at root or in the thread"});
}

TEST(CheckSteps, ABoxKeepsTheOrderWhereWhatIsInsideIsWhole) {
    PlanStage update;
    update.reductions = {3, 0, 8};
    Stepper stepper;
    stepper.what = "'sum'";
    stepper.loops = 3;
    stepper.dealt = [](int) { return false; };
    stepper.reads_here = [] { return false; };
    const auto checked = [&](const std::vector<int> &counts) { return check_steps(stepper, {counts, false}, update); };
    EXPECT_EQ(checked({3, 4}), "");
    EXPECT_EQ(checked({2}), "");
    EXPECT_EQ(checked({}), "");
    expect_words(checked({2, 4}), {"'sum'", "2 x 4 steps", "associative", "taken whole"});
    expect_words(checked({3, 4, 2}), {"3 x 4 x 2 steps", "associative"});  // of 24 some are left of the second loop
    expect_words(checked({3, 11}), {"3 x 11 steps", "1 to 32"});
    expect_words(checked({3, 0}), {"3 x 0 steps", "1 to 32"});
    expect_words(checked({1, 1, 1, 2}), {"of the 3 reduction loops"});
    update.associative = update.commutative = true;
    EXPECT_EQ(checked({2, 4, 4}), "");
    stepper.dealt = [](int loop) { return loop == 1; };
    expect_words(checked({3, 4}), {"loop 1", "an axis names"});
    EXPECT_EQ(checked({3, 1, 2}), "");
}

TEST(CheckSteps, AWholeLoopHasNoEndToBeSeen) {
    PlanStage update;
    update.reductions = {3, 0};
    update.where_bounds = true;
    Stepper stepper;
    stepper.loops = 2;
    stepper.dealt = [](int) { return false; };
    stepper.reads_here = [] { return true; };
    EXPECT_EQ(check_steps(stepper, steps_along(0, 3), update), "");
    expect_words(check_steps(stepper, steps_along(0, 2), update), {"`where`"});
    update.where_bounds = false;
    expect_words(check_steps(stepper, steps_along(0, 2), update), {"same kernel computes"});
}

TEST(CheckPlan, LoopsAreTakenInTurnAroundAllThatIsDealtOut) {
    Halide::Func u("u"), out("out");
    Halide::Var x("x"), y("y"), t("t");
    Halide::RDom r(1, 62, 1, 30, 1, 9, "r");
    u(x, y, t) = x + y;
    u(r.x, r.y, r.z) = u(r.x - 1, r.y, r.z - 1) + u(r.x + 1, r.y + 1, r.z - 1);
    out(x, y) = u(x, y, 9);
    out.set_estimates({{0, 64}, {0, 32}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    Plan plan = empty_plan({out});
    plan.fingerprint = dag.fingerprint;
    const int first = 3;  // reductions are numbered after the dimensions
    plan.groups = {kernel_of(ref(plan, "u")), kernel_of(ref(plan, "out"))};
    KernelTile tile;
    tile.turns = 1;
    tile.axes = {{first, 1, 32}, {first + 1, 1, 1}};
    plan.groups[0].updates = {tile};
    EXPECT_EQ(check_plan(plan, dag), "");

    KernelTile &update = plan.groups[0].updates[0];
    update.turns = 0;
    expect_words(check_plan(plan, dag), {"'u'", "deals reduction loop 0", "would race"});
    update.turns = 2;
    expect_words(check_plan(plan, dag), {"'u'", "takes 2 loops in turn", "take 1 or none"});
    update.turns = 1;
    update.axes = {{first, 1, 32}};
    expect_words(check_plan(plan, dag), {"'u'", "leaves out reduction loop 1", "name it"});
    update.axes = {{first, 1, 1}, {first + 1, 1, 32}};
    expect_words(check_plan(plan, dag), {"'u'", "cuts reduction loop 1", "innermost such loop alone"});
    update.axes.clear();
    expect_words(check_plan(plan, dag), {"'u'", "names none of those within"});
}
