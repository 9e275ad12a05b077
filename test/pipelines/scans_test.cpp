// Scans by hand: steps of an update at root taken together.

#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "test/support/lowered.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// A running sum down each column of the input, and up again: the second is the output.
Built scans() {
    const Halide::ImageParam in(Halide::Int(32), 2, "numbers");
    Var x("x"), y("y");
    Func down("down"), up("up");
    Halide::RDom r(0, in.height(), "r");
    const Expr last = in.height() - 1;
    down(x, y) = Halide::undef<int>();
    down(x, r) = Halide::select(r == 0, 0, down(x, Halide::max(r - 1, 0)) % 1000) + in(x, r);
    up(x, y) = Halide::undef<int>();
    up(x, last - r) = Halide::select(r == 0, 0, up(x, last - Halide::max(r - 1, 0)) % 1000) + down(x, last - r);
    return {{up}, {in}};
}

/// Each walk takes four steps together, in blocks of 32 columns.
Plan scans_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    for (const char *walk : {"down", "up"}) {
        Group g = kernel_of(ref(plan, walk));
        KernelTile tile;
        tile.axes = {{0, 1, 32}};
        tile.steps = steps_along(0, 4);
        g.updates = {tile};
        g.atomic = {false};
        plan.groups.push_back(g);
    }
    return plan;
}

TEST(Scans, StepsTogetherAreDirectives) {
    const Built b = scans();
    const Plan plan = scans_plan(b);
    const std::string text = print(make_directives(plan, b.outputs));
    expect_words(text, {"_turn, r_x_step, 4, TailStrategy::GuardWithIf)", ".unroll(r_x_step)"});
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), b.outputs)));
    EXPECT_EQ(count(lowered(b, plan), ".visible .entry"), 2U);
}

TEST(Scans, HostMirrorAgreesAtEveryLength) {
    std::vector<Call> calls;
    for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 31, 100}) {
        calls.push_back({{numbers({45, rows})}, {45, rows}});
    }
    expect_mirror_agrees<int>(scans, scans_plan, calls);
}

}  // namespace
}  // namespace warptile
