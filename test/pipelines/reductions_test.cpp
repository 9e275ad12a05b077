// Reductions by hand, in parts that lanes or threads find: Halide accepts each form, the loops and memories are the
// ones asked for, and the host mirror of each computes what the unscheduled pipeline computes, at every length.

#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "test/support/lowered.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

/// Softmax of rows of 256: two reductions and what they feed in one kernel.
Built softmax() {
    const ImageParam in(Halide::Float(32), 2, "scores");
    Var x("x"), y("y");
    Func top("top"), power("power"), sum("sum"), out("out");
    Halide::RDom r(0, 256, "r");
    top(y) = in(0, y);
    top(y) = Halide::max(top(y), in(r, y));
    power(x, y) = Halide::exp(in(x, y) - top(y));
    sum(y) = 0.0f;
    sum(y) += power(r, y);
    out(x, y) = power(x, y) / sum(y);
    out.output_buffer().dim(0).set_bounds(0, 256);
    return {{out}, {in}};
}

/// A warp a row: partial results a lane by rfactor, the last steps at the lanes that read them.
Plan softmax_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), power = ref(plan, "power"), top = ref(plan, "top"), sum = ref(plan, "sum");
    plan.derived = {partial_of(top), partial_of(sum)};
    const FuncRef top_lanes = plan.funcs, sum_lanes = plan.funcs + 1;
    Group g = kernel_of(out, {{0, 256, 1}, {1, 1, 4}});
    g.tile.lane_axis = 0;
    g.members = {
        member(sum, Placement::Thread, out, {}, {}), member(sum_lanes, Placement::Warp, out, {{1, 1, 1}}, {1, 32}),
        member(power, Placement::Warp, out, {{0, 1, 1}}, {256, 1}), member(top, Placement::Thread, power, {}, {}),
        member(top_lanes, Placement::Warp, out, {{1, 1, 1}}, {1, 32})};
    plan.groups = {g};
    return plan;
}

TEST(Softmax, OneKernelWithoutBarrier) {
    const Built b = softmax();
    const std::string text = lowered(b, softmax_plan(b));
    EXPECT_EQ(count(text, ".visible .entry"), 1U);
    EXPECT_EQ(count(text, "bar.sync"), 0U);
    EXPECT_GE(count(text, "shfl.sync"), 64U);
}

TEST(Softmax, HostMirrorAgrees) {
    expect_mirror_agrees<float>(softmax, softmax_plan, {{{numbers<float>({256, 9}, 0, 8)}, {256, 9}}}, 1e-6);
}

/// Sums down columns, of as many rows as the input has, and their halves.
Built columns() {
    const ImageParam in(Halide::Int(32), 2, "numbers");
    Var x("x");
    Func sum("sum"), out("out");
    Halide::RDom r(0, in.height(), "r");
    sum(x) = 0;
    sum(x) += in(x, r);
    out(x) = sum(x) / 2;
    return {{out}, {in}};
}

/// Four threads a column, which take three rows together; a thread adds up what they found.
Plan columns_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), sum = ref(plan, "sum"), parts = plan.funcs;
    plan.derived = {partial_of(sum, 4)};
    Group g = kernel_of(out, {{0, 1, 32}});
    g.members = {member(sum, Placement::Thread, out, {}, {1}),
                 member(parts, Placement::Block, out, {{0, 1, 32}, {1, 1, 4}}, {32, 4})};
    g.members[0].full = true;
    g.members[1].steps = steps_along(0, 3);
    plan.groups = {g};
    return plan;
}

TEST(Columns, FullPartsAndStepsTogetherAreDirectives) {
    const Built b = columns();
    const Plan plan = columns_plan(b);
    const std::string text = print(make_directives(plan, b.outputs));
    // The sum has a part in each of four threads once it has four rows.
    expect_words(text, {"sum_extent_0_0 = sum.update(0).get_schedule().rvars()[0].extent",
                        "sum_full = sum.update(0).specialize(sum_extent_0_0 >= 4)",
                        "_outer_turn, r_x_outer_step, 3, TailStrategy::GuardWithIf)"});
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), b.outputs)));
    EXPECT_EQ(count(lowered(b, plan), ".visible .entry"), 1U);
}

TEST(Columns, HostMirrorAgreesAtEveryNumberOfRows) {
    std::vector<Call> calls;
    for (const int rows : {1, 2, 3, 4, 5, 11, 12, 13, 24, 100}) {
        calls.push_back({{numbers({45, rows})}, {45}});
    }
    expect_mirror_agrees<int>(columns, columns_plan, calls);
}

/// A block a row: 32 threads find two sums of their parts, and one adds them up.
Built moments() {
    const ImageParam in(Halide::Int(32), 2, "numbers");
    Var y("y");
    Func sums("sums"), out("out");
    Halide::RDom r(0, in.width(), "r");
    sums(y) = {0, 0};
    sums(y) = {sums(y)[0] + in(r, y), sums(y)[1] + in(r, y) * in(r, y)};
    out(y) = sums(y)[0] * 1000 + sums(y)[1];
    return {{out}, {in}};
}

Plan moments_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), sums = ref(plan, "sums"), parts = plan.funcs;
    plan.derived = {partial_of(sums)};
    Group g = kernel_of(out);
    g.members = {member(sums, Placement::Thread, out, {}, {1}),
                 member(parts, Placement::Block, out, {{1, 1, 32}}, {1, 32})};
    plan.groups = {g};
    return plan;
}

TEST(OneThread, IsMadeWhereAMemberNeedsOne) {
    const Built b = moments();
    expect_words(print(make_directives(moments_plan(b), b.outputs)),
                 {"one_thread, 1, TailStrategy::GuardWithIf", "sums.compute_at(out, one_thread)"});
    const std::string text = lowered(b, moments_plan(b));
    EXPECT_EQ(count(text, ".visible .entry"), 1U);
    // Partial results begin, go on, and are read: no barrier stands between the steps of the total.
    EXPECT_LE(count(text, "bar.sync"), 4U);
}

TEST(OneThread, HostMirrorAgrees) {
    std::vector<Call> calls;
    for (const int width : {1, 31, 32, 33, 100}) {
        calls.push_back({{numbers({width, 7})}, {7}});
    }
    expect_mirror_agrees<int>(moments, moments_plan, calls);
}

/// Rows as long as the input is wide, each divided by the sum of what it exceeds its largest value by: the second
/// reduction and the output read the first.
Built excesses() {
    const ImageParam in(Halide::Float(32), 2, "scores");
    Var x("x"), y("y");
    Func top("top"), sum("sum"), out("out");
    Halide::RDom r(in.dim(0).min(), in.width(), "r");
    top(y) = in(0, y);
    top(y) = Halide::max(top(y), in(r, y));
    sum(y) = 1.0f;
    sum(y) += top(y) - in(r, y);
    out(x, y) = (top(y) - in(x, y)) / sum(y);
    return {{out}, {in}};
}

/// A warp a row; the largest values through shared memory, and steps unrolled for rows of 128.
Plan excesses_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), top = ref(plan, "top"), sum = ref(plan, "sum");
    plan.derived = {partial_of(sum), partial_of(top)};
    for (Derived &d : plan.derived) {
        d.usual_extent = 128;
    }
    const FuncRef sum_lanes = plan.funcs, top_threads = plan.funcs + 1;
    Group g = kernel_of(out, {{0, 128, 1}, {1, 1, 4}});
    g.tile.lane_axis = 0;
    g.members = {member(sum, Placement::Thread, out, {}, {1}),
                 member(sum_lanes, Placement::Warp, out, {{1, 1, 1}}, {1, 32}),
                 member(top, Placement::Block, out, {{0, 1, 32}}, {4}),
                 member(top_threads, Placement::Block, out, {{1, 1, 32}, {0, 1, 4}}, {4, 32})};
    plan.groups = {g};
    return plan;
}

TEST(RowsOfAnyLength, OneKernelWithTheUsualLengthUnrolled) {
    const Built b = excesses();
    const std::string text = lowered(b, excesses_plan(b));
    EXPECT_EQ(count(text, ".visible .entry"), 1U);
    EXPECT_GE(count(text, "shfl.sync"), 32U);
    // Four steps of each reduction unrolled, one of each in a loop, the output's four, and the first largest value.
    EXPECT_EQ(count(text, "ld.global"), 4U + 4U + 1U + 1U + 4U + 1U);
    const Built again = excesses();
    const std::string calls = print(make_directives(excesses_plan(again), again.outputs));
    EXPECT_EQ(count(calls, "get_schedule().rvars()[0].extent"), 2U);
    EXPECT_EQ(count(calls, "_extent == 128);"), 4U);
}

TEST(RowsOfAnyLength, HostMirrorAgrees) {
    std::vector<Call> calls;
    for (const int width : {128, 1, 7, 33, 130, 300}) {
        calls.push_back({{numbers<float>({width, 9})}, {width, 9}});
    }
    expect_mirror_agrees<float>(excesses, excesses_plan, calls, 1e-5);
}

/// Sums of a constant number of rows, all of which another sum reads.
Built sums_of_54_rows() {
    const ImageParam in(Halide::Float(32), 2, "in");
    Var x("x");
    Func sums("sums"), out("out");
    Halide::RDom q(0, 300, "q"), r(0, 54, "r");
    sums(x) = 0.0f;
    sums(x) += in(q, x);
    out(x) = 0.0f;
    out(x) += sums(r);
    return {{out}, {in}};
}

/// A warp a row, eight rows a block: the last block has two too many.
Plan sums_of_54_rows_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), sums = ref(plan, "sums"), copy = plan.funcs, lanes = plan.funcs + 1;
    plan.derived = {copy_of(sums), partial_of(sums)};
    Group rows = kernel_of(copy, {{0, 1, 8}});
    rows.tile.lane_axis = 0;
    rows.tail = Tail::Guard;
    rows.members = {member(sums, Placement::Thread, copy, {}, {1}),
                    member(lanes, Placement::Warp, copy, {{1, 1, 1}}, {1, 32})};
    Group total = kernel_of(out);
    total.tail = Tail::Guard;
    total.updates.resize(1);
    plan.groups = {rows, total};
    return plan;
}

TEST(RowsOfConstantNumber, AreReadNoFurtherThanThereAre) {
    const Built b = sums_of_54_rows();
    apply_directives(make_directives(sums_of_54_rows_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
    Halide::Pipeline mirror(b.outputs);
    mirror.infer_input_bounds({3});
    Halide::Parameter in = b.inputs[0].parameter();
    EXPECT_EQ(in.buffer().dim(1).extent(), 54);
    EXPECT_EQ(in.buffer().dim(0).extent(), 300);
}

}  // namespace
}  // namespace warptile
