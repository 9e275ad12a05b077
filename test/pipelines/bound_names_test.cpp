// The guard of a kernel is in the first code that a process makes for it, as in any later one.

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"
#include "verify/trial.h"

namespace warptile {
namespace {

/// The sum of a few rows, at root, in points that are not unrolled: what a row's number is stays a let. Which rows
/// there are is the outcome of two outputs, and stays a variable.
Built rows_of_three() {
    Halide::ImageParam in(Halide::Int(32), 2, "in");
    Halide::Var x("x"), y("y");
    Halide::Func rows("rows_of_three"), out("out"), other("other");
    rows(x, y) = in(x, y) + in(x, y + 1) + in(x, y + 2);
    out(x, y) = rows(x, y) + rows(x, y + 1);
    in.set_estimates({{0, 64}, {0, 64}});
    other(x, y) = rows(x + 1, y);
    out.set_estimates({{0, 64}, {0, 61}});
    other.set_estimates({{0, 62}, {0, 61}});
    return {{out, other}, {in}};
}

Plan rows_of_three_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    Group rows = kernel_of(ref(plan, "rows_of_three"), {{0, 2, 1}, {1, 3, 2}});
    rows.tile.unroll = false;
    rows.tail = Tail::Guard;
    plan.groups = {rows, kernel_of(ref(plan, "out"), {{0, 1, 32}}), kernel_of(ref(plan, "other"), {{0, 1, 32}})};
    return plan;
}

TEST(BoundNames, AGuardIsNotLostInTheFirstCodeOfAProcess) {
    const Built b = rows_of_three();
    const Plan plan = rows_of_three_plan(b);
    ASSERT_TRUE(std::count(plan.names.begin(), plan.names.end(), "rows_of_three"))
        << "another test has taken the name, with which nothing can go wrong here";
    apply_directives(make_directives(plan, b.outputs), b.outputs);
    LowerOptions options;
    options.lowered_text = true;
    const std::string code = lower(Halide::Pipeline(b.outputs), cuda_80(), options).lowered_text;
    // Code for the last blocks, in which each point is tested, is apart.
    EXPECT_NE(code.find("if (rows_of_three.s0.y.y_block.block_id_y <"), std::string::npos) << code;
}

TEST(BoundNames, APrintedScheduleTakesThemToo) {
    const Built b = rows_of_three();
    const std::string text = print(make_directives(rows_of_three_plan(b), b.outputs));
    EXPECT_NE(text.find("BoundNames::take(rows_of_three);"), std::string::npos) << text;
}

}  // namespace
}  // namespace warptile
