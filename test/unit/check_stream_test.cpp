// The rules of streamed kernels: a legal plan, and for each rule one change that breaks it and what the message says.
#include "schedule/rules/check_stream.h"

#include <functional>

#include <gtest/gtest.h>

#include "schedule/rules/check_plan.h"
#include "schedule/stream_reads.h"
#include "test/support/plans.h"
#include "test/support/words.h"

using namespace warptile;
using Halide::Func;
using Halide::Var;

namespace {

/// out = two stencils in a row of an input, whose copy is read by both.
struct Example {
    FunctionDag dag;
    Plan empty;
    FuncRef start, one, out;

    Example() {
        Halide::ImageParam in(Halide::Float(32), 2, "in");
        Var x("x"), y("y");
        const Func s = Halide::BoundaryConditions::repeat_edge(in);
        Func o("one"), u("out");
        o(x, y) = s(x - 1, y) + s(x + 1, y + 1) + s(x, y - 1);
        u(x, y) = o(x, y) + o(x + 1, y - 1) + s(x, y);
        in.set_estimates({{0, 256}, {0, 128}});
        u.set_estimates({{0, 256}, {0, 128}});
        dag = read_function_dag({u}, cuda_80());
        empty = empty_plan({u});
        start = ref(empty, "repeat_edge"), one = ref(empty, "one"), out = ref(empty, "out");
    }

    /// `one` and the copy of the input in a stream of 16 rows of `out`, 28 wide.
    Plan legal() const {
        Plan plan = empty;
        plan.derived = {copy_of(start, {one, out})};
        Group kernel = kernel_of(out, {{0, 28, 1}, {1, 16, 4}});
        kernel.tile.lane_axis = 0;
        kernel.tile.stream = 1;
        kernel.tail = Tail::Both;
        kernel.conditions = {{0, 0, 28}, {0, 1, 64}};
        kernel.members = {member(one, Placement::Warp, out, {{0, 1, 1}}, {29, 0}),
                          member(plan.funcs, Placement::Warp, out, {{0, 1, 1}}, {31, 0})};
        plan.groups = {kernel};
        return plan;
    }
};

KernelTile &tile(Plan &p) { return p.groups[0].tile; }

Member &first(Plan &p) { return p.groups[0].members[0]; }

struct Broken {
    const char *name;
    std::function<void(Plan &)> change;
    std::vector<std::string> says;
};

const std::vector<Broken> &broken_plans() {
    static const std::vector<Broken> all = {
        {"axis", [](Plan &p) { tile(p).stream = 2; }, {"'out'", "axis 2 of 2"}},
        {"negative", [](Plan &p) { tile(p).stream = -2; }, {"'out'", "axis -2 of 2"}},
        {"lane_axis", [](Plan &p) { tile(p).stream = 0; }, {"'out'", "lanes share", "another axis"}},
        {"no_lanes", [](Plan &p) { tile(p).lane_axis = -1; }, {"'out'", "no lanes", "lane axis"}},
        {"chunks", [](Plan &p) { tile(p).axes[0].width = 60; }, {"'out'", "60", "at most 32"}},
        {"warps_of_a_row", [](Plan &p) { tile(p).axes[0].threads = 2; }, {"'out'", "several warps", "another axis"}},
        {"guard", [](Plan &p) { p.groups[0].tail = Tail::Guard; }, {"'out'", "guard", "\"both\""}},
        {"no_members",
         [](Plan &p) {
             p.groups[0].members.clear();
             p.derived.clear();
         },
         {"'out'", "no members"}},
        {"block",
         [](Plan &p) {
             Member &copy = p.groups[0].members[1];
             copy = member(copy.func, Placement::Block, copy.at, {{0, 1, 32}}, {31, 67});
         },
         {"'out'", "'the copy of", "lane registers"}},
        {"wide", [](Plan &p) { tile(p).axes[0].width = p.groups[0].conditions[0].extent = 30; }, {"copy", "33", "32"}},
        {"high",
         [](Plan &p) {
             tile(p).axes[1].width = 63;
             p.groups[0].conditions[1].extent = 252;
         },
         {"'the copy of", "66 rows", "at most 64"}},
        {"rows_stored", [](Plan &p) { first(p).storage[1] = 17; }, {"'one'", "17", "dimension 1", "store 0"}},
        {"row_not_stored", [](Plan &p) { first(p).storage[0] = 0; }, {"'one'", "storage bound", "29"}},
        {"other_lanes", [](Plan &p) { first(p).axes[0].dim = 1; }, {"'one'", "dimension 1", "dimension 0"}},
    };
    return all;
}

/// What is said of the kernel of `out`, which reads `one` as `read` says and streams its rows.
std::string streaming(const std::function<Halide::Expr(Func, Var, Var)> &read, bool raw = false) {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Var x("x"), y("y");
    const Func start = Halide::BoundaryConditions::repeat_edge(in);
    Func one("one"), out("out");
    one(x, y) = raw ? in(x, y) * 2 : start(x, y) * 2;
    out(x, y) = read(one, x, y);
    in.set_estimates({{0, 256}, {0, 128}});
    out.set_estimates({{0, 256}, {0, 128}});
    Plan plan = empty_plan({out});
    const FuncRef o = ref(plan, "out");
    Group kernel = kernel_of(o, {{0, 16, 1}, {1, 8, 4}});
    kernel.tile.lane_axis = 0;
    kernel.tile.stream = 1;
    kernel.tail = Tail::Both;
    kernel.conditions = {{0, 0, 16}, {0, 1, 32}};
    kernel.members = {member(ref(plan, "one"), Placement::Warp, o, {{0, 1, 1}}, {32, 0})};
    plan.groups = {kernel};
    return check_plan(plan, read_function_dag({out}, cuda_80()));
}

}  // namespace

TEST(CheckStream, TakesALegalPlan) {
    const Example e;
    EXPECT_EQ(check_plan(e.legal(), e.dag), "");
}

TEST(CheckStream, TheStreamWalksTheSameDimensionOfAllMembers) {
    const Example e;
    const Plan plan = e.legal();
    const StreamReads reads = stream_reads(plan, make_plan_graph(plan, e.dag), e.dag, plan.groups[0]);
    EXPECT_EQ(reads.error, "");
    EXPECT_EQ(reads.dims, (std::vector<int>{1, 1}));
}

TEST(CheckStream, RefusesEachBrokenPlanWithWordsThatNameTheFuncAndTheMend) {
    const Example e;
    for (const Broken &broken : broken_plans()) {
        Plan plan = e.legal();
        broken.change(plan);
        SCOPED_TRACE(broken.name);
        expect_words(check_plan(plan, e.dag), broken.says);
    }
}

TEST(CheckStream, RowsAreReadBesideThePoint) {
    EXPECT_EQ(streaming([](Func f, Var x, Var y) { return f(x, y - 1) + f(x + 2, y + 3); }), "");
    const std::vector<std::string> refused = {"'one'", "beside the point", "\"stream\" to -1"};
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y * 2); }), refused);
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y / 2); }), refused);
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y) + f(x, 7 - y); }), refused);
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y) + f(x, Halide::clamp(y, 0, 99)); }), refused);
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y) + f(x, 0); }), refused);
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y) + f(x + y, y); }), refused);
}

TEST(CheckStream, RowsOfAnInputBufferAreNotReadBeyondItsEnd) {
    // As long as the lanes hold: more than the tile needs.
    expect_words(streaming([](Func f, Var x, Var y) { return f(x, y); }, /* raw */ true),
                 {"'one'", "input buffer", "\"stream\" to -1"});
}

TEST(CheckStream, RowsAreReadBesideThePointThroughWhatIsInlined) {
    const auto through = [](const std::function<Halide::Expr(Func, Var, Var)> &read) {
        return streaming([&](const Func &f, const Var &x, const Var &y) {
            Func between("between");
            between(x, y) = read(f, x, y);
            return between(x - 1, y + 1) + between(x, y);
        });
    };
    EXPECT_EQ(through([](Func f, Var x, Var y) { return f(x, y - 1) + f(x, y); }), "");
    expect_words(through([](Func f, Var x, Var y) { return f(x, y / 2); }), {"'one'", "beside the point"});
}
