// Streamed kernels: a warp goes down the rows of its tile with all members on their way. Each computes what the
// unscheduled pipeline computes, also where tiles do not fit, in registers alone and without a spill.
#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "schedule/rules/check_plan.h"
#include "test/support/found_plan.h"
#include "test/support/h100.h"
#include "test/support/lowered.h"
#include "test/support/words.h"
#include "verify/verify.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// A pipeline, and plans for it by the columns of a lane.
struct Case {
    std::string name;
    std::function<Built()> build;
    std::function<Plan(const Built &, int columns)> plan;
    std::vector<std::vector<int>> sizes;
};

/// The kernel of `out`: rows of a warp that leave room for `rim` columns on either side, its last axis streamed.
Group streamed_kernel(FuncRef out, int columns, int rim, const std::vector<AxisTile> &others) {
    const int width = 32 * columns - 2 * rim;
    Group g = kernel_of(out, {{0, width, 1}});
    g.tile.axes.insert(g.tile.axes.end(), others.begin(), others.end());
    g.tile.lane_axis = 0;
    g.tile.stream = static_cast<int>(others.size());
    if (columns > 1) {
        g.tile.layout = LaneLayout::Adjacent;
        g.tile.adjacent = columns;
    }
    g.tail = Tail::Both;
    for (const AxisTile &a : g.tile.axes) {
        g.conditions.push_back({0, a.dim, a.width * a.threads});
    }
    return g;
}

Member in_stream(FuncRef func, FuncRef out, std::vector<int64_t> storage) {
    return member(func, Placement::Warp, out, {{0, 1, 1}}, std::move(storage));
}

// ---- Three steps of the heat equation on a plate

Built plate() {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Var x("x"), y("y");
    const auto step = [&](const Func &f) {
        return f(x, y) + (f(x - 1, y) + f(x + 1, y)) + 2 * (f(x, y - 1) + f(x, y + 1));
    };
    const Func start = Halide::BoundaryConditions::mirror_image(in);
    Func one("one"), two("two"), out("out");
    one(x, y) = step(start);
    two(x, y) = step(one);
    out(x, y) = step(two);
    in.set_estimates({{0, 500}, {0, 400}});
    out.set_estimates({{0, 500}, {0, 400}});
    return {{out}, {in}};
}

Plan plate_plan(const Built &b, int columns) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), one = ref(plan, "one"), two = ref(plan, "two");
    plan.derived = {copy_of(ref(plan, "mirror_image"), {one})};
    const int64_t w = 32 * columns;
    Group g = streamed_kernel(out, columns, 3, {{1, 8, 2}});
    g.members = {in_stream(two, out, {w - 4, 0}), in_stream(one, out, {w - 2, 0}), in_stream(plan.funcs, out, {w, 0})};
    plan.groups = {g};
    return plan;
}

// ---- What is sharpened is also read where it began: two lags

Built mask() {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Var x("x"), y("y");
    const Func start = Halide::BoundaryConditions::repeat_edge(in);
    Func one("one"), out("out"), sum("sum");
    one(x, y) = start(x - 1, y - 1) + start(x, y) + 2 * start(x + 1, y + 1);
    sum(x, y) = one(x, y - 2) + one(x - 1, y);  // inlined
    out(x, y) = 3 * start(x, y) - sum(x + 1, y + 1);
    in.set_estimates({{0, 500}, {0, 400}});
    out.set_estimates({{0, 500}, {0, 400}});
    return {{out}, {in}};
}

Plan mask_plan(const Built &b, int columns) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), one = ref(plan, "one");
    plan.derived = {copy_of(ref(plan, "repeat_edge"), {one, out})};
    const int64_t w = 32 * columns;
    Group g = streamed_kernel(out, columns, 2, {{1, 6, 4}});
    g.members = {in_stream(one, out, {w - 3, 0}), in_stream(plan.funcs, out, {w - 1, 0})};
    plan.groups = {g};
    return plan;
}

// ---- Two steps in a block of three dimensions

Built block() {
    Halide::ImageParam in(Halide::Float(32), 3, "in");
    Var x("x"), y("y"), z("z");
    const auto step = [&](const Func &f) {
        return f(x, y, z) + (f(x - 1, y, z) + f(x + 1, y, z)) + 2 * (f(x, y - 1, z) + f(x, y + 1, z)) +
               3 * (f(x, y, z - 1) + f(x, y, z + 1));
    };
    const Func start = Halide::BoundaryConditions::repeat_edge(in);
    Func one("one"), out("out");
    one(x, y, z) = step(start);
    out(x, y, z) = step(one);
    in.set_estimates({{0, 200}, {0, 100}, {0, 100}});
    out.set_estimates({{0, 200}, {0, 100}, {0, 100}});
    return {{out}, {in}};
}

Plan block_plan(const Built &b, int columns) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), one = ref(plan, "one");
    plan.derived = {copy_of(ref(plan, "repeat_edge"), {one})};
    const int64_t w = 32 * columns;
    Group g = streamed_kernel(out, columns, 2, {{1, 1, 4}, {2, 6, 1}});
    g.members = {in_stream(one, out, {w - 2, 3, 0}), in_stream(plan.funcs, out, {w, 5, 0})};
    plan.groups = {g};
    return plan;
}

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"plate", plate, plate_plan, {{100, 50}, {58, 16}, {61, 3}, {3, 40}, {1, 1}}},
        {"mask", mask, mask_plan, {{100, 50}, {60, 24}, {61, 3}, {3, 40}, {1, 1}}},
        {"block", block, block_plan, {{70, 9, 13}, {60, 4, 6}, {29, 2, 9}, {3, 4, 5}, {1, 1, 1}}},
    };
    return all;
}

class Stream : public testing::TestWithParam<std::tuple<size_t, int>> {
protected:
    const Case &c() const { return cases()[std::get<0>(GetParam())]; }

    int columns() const { return std::get<1>(GetParam()); }
};

TEST_P(Stream, IsLegal) {
    const Built b = c().build();
    EXPECT_EQ(check_plan(c().plan(b, columns()), read_function_dag(b.outputs, cuda_80())), "");
}

TEST_P(Stream, KeepsRowsInRegisters) {
    const Built b = c().build();
    const Plan plan = c().plan(b, columns());
    EXPECT_GT(count(print(make_directives(plan, b.outputs)), "store_at"), 0U);
    const std::string text = lowered(b, plan);
    EXPECT_GT(count(text, "shfl.sync"), 0U);
    EXPECT_EQ(count(text, "bar.sync") + count(text, "barrier.sync"), 0U);
    EXPECT_EQ(count(text, "halide_device_malloc"), 0U);
    EXPECT_EQ(count(text, ".local"), 0U) << "an array in local memory";
}

TEST_P(Stream, HoldsWithoutASpill) {
    const Built b = c().build();
    const Plan plan = c().plan(b, columns());
    const Candidates only{{{1}}, [&](const std::vector<int> &) { return plan; }};
    VerifyOptions options;
    options.max_registers = 96;  // of the block, two columns by three planes
    const Verified v = verify(only, b.outputs, cuda_80(), h100(), options);
    EXPECT_TRUE(v.ok) << v.log;
}

TEST_P(Stream, HostMirrorAgreesAtEverySize) {
    const auto plan = [&](const Built &b) { return c().plan(b, columns()); };
    std::vector<Call> calls;
    for (const std::vector<int> &size : c().sizes) {
        calls.push_back({{numbers<float>(size)}, size});
    }
    expect_mirror_agrees<float>(c().build, plan, calls);
}

TEST_P(Stream, PlanSurvivesJson) {
    const Built b = c().build();
    const Plan plan = c().plan(b, columns());
    const std::string json = to_json(plan);
    EXPECT_EQ(json, to_json(plan_from_json(json)));
    EXPECT_EQ(plan_from_json(json).groups[0].tile.stream, plan.groups[0].tile.stream);
    EXPECT_EQ(print(make_directives(plan, b.outputs)), print(make_directives(plan_from_json(json), b.outputs)));
}

/// Six steps on a plate so large that each would go to memory and back.
Built long_chain() {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Var x("x"), y("y");
    Func last = Halide::BoundaryConditions::mirror_image(in);
    for (int i = 1; i <= 6; i++) {
        Func next(i < 6 ? "step_" + std::to_string(i) : "out");
        next(x, y) =
            0.5f * last(x, y) + 0.125f * ((last(x - 1, y) + last(x + 1, y)) + (last(x, y - 1) + last(x, y + 1)));
        last = next;
    }
    in.set_estimates({{0, 4096}, {0, 4096}});
    last.set_estimates({{0, 4096}, {0, 4096}});
    return {{last}, {in}};
}

TEST(Streams, AreWhatTheSearchFindsForAChain) {
    const Plan plan = found_plan(long_chain());
    EXPECT_LE(plan.groups.size(), 3U);
    for (const Group &g : plan.groups) {
        EXPECT_GE(g.tile.stream, 0) << print(make_directives(plan, long_chain().outputs));
    }
    expect_mirror_agrees<float>(long_chain, [&](const Built &) { return plan; },
                                {{{numbers<float>({70, 50})}, {70, 50}}, {{numbers<float>({300, 140})}, {300, 140}}});
}

INSTANTIATE_TEST_SUITE_P(Forms, Stream, testing::Combine(testing::Values(0, 1, 2), testing::Values(1, 2)),
                         [](const auto &info) {
                             return cases()[std::get<0>(info.param)].name + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace warptile
