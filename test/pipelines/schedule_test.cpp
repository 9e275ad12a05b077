// Plans written by hand, one for each form that the plan's space has, turned into directives and lowered: the forms
// that DESIGN lists are accepted by Halide, the loops and memories are the ones asked for, and the host mirror of each
// computes what the unscheduled pipeline computes, at the tile's size and at sizes far from it.

#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "schedule/apply.h"
#include "schedule/directives.h"
#include "schedule/plain_plan.h"
#include "schedule/plan_json.h"
#include "schedule/print.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

const Halide::Target kCuda("x86-64-linux-cuda-cuda_capability_80");

AxisTile axis(int dim, int width, int threads) {
    AxisTile a;
    a.dim = dim;
    a.width = width;
    a.threads = threads;
    return a;
}

Member member(FuncRef func, Placement placement, FuncRef at, std::vector<AxisTile> axes, std::vector<int64_t> storage) {
    Member m;
    m.func = func;
    m.placement = placement;
    m.at = at;
    m.axes = std::move(axes);
    m.storage = std::move(storage);
    return m;
}

/// A pipeline with everything it needs to be built again: Funcs cannot be unscheduled.
struct Built {
    std::vector<Func> outputs;
    Halide::ImageParam input;
};

/// The number of the Func whose name starts with `name`, as plans count.
FuncRef ref(const Built &built, const std::string &name) {
    const Plan plain = plain_plan(built.outputs);
    for (int i = 0; i < plain.funcs; i++) {
        if (plain.names[static_cast<size_t>(i)].substr(0, plain.names[static_cast<size_t>(i)].find('$')) == name) {
            return i;
        }
    }
    ADD_FAILURE() << "no Func " << name;
    return -1;
}

Plan empty_plan(const Built &built) {
    Plan plan = plain_plan(built.outputs);
    plan.groups.clear();
    return plan;
}

/// A sharpening mask from a separable five-tap blur: `src` wraps the input, `by` and `bx` are stencils, `out` reads
/// both.
Built sharpen() {
    Built b;
    b.input = Halide::ImageParam(Halide::Float(32), 2, "photo");
    Var x("x"), y("y");
    const Func src = Halide::BoundaryConditions::repeat_edge(b.input);
    Func by("by"), bx("bx"), out("out");
    by(x, y) = src(x, y - 2) + 4 * src(x, y - 1) + 6 * src(x, y) + 4 * src(x, y + 1) + src(x, y + 2);
    bx(x, y) = by(x - 2, y) + 4 * by(x - 1, y) + 6 * by(x, y) + 4 * by(x + 1, y) + by(x + 2, y);
    out(x, y) = 2 * src(x, y) - bx(x, y) / 256;
    b.outputs = {out};
    return b;
}

/// The group of `out` over warps: W columns by 4 rows a warp, 4 warps a block.
Group warp_group(const Built &b, int width) {
    Group g;
    g.output = ref(b, "out");
    g.tile.axes = {axis(0, width, 1), axis(1, 4, 4)};
    g.tile.lane_axis = 0;
    g.tail = Tail::Both;
    g.conditions = {{0, 0, width}, {0, 1, 16}};
    return g;
}

/// The plans of the sharpening mask, by name.
Plan sharpen_plan(const Built &b, const std::string &form) {
    Plan plan = empty_plan(b);
    const FuncRef out = ref(b, "out"), by = ref(b, "by"), src = ref(b, "repeat_edge");
    Group g = warp_group(b, form == "two chunks" ? 60 : form == "adjacent" ? 56 : 28);
    if (form == "plain") {
        return plain_plan(b.outputs);
    }
    if (form == "block" || form == "thread") {
        g.tile = KernelTile();
        g.tile.axes = {axis(0, 1, 32), axis(1, 4, 4)};
        g.conditions = {{0, 0, 32}, {0, 1, 16}};
    }
    if (form == "block") {
        g.members = {member(by, Placement::Block, out, {axis(0, 1, 32), axis(1, 1, 4)}, {36, 16})};
    } else if (form == "thread") {
        g.members = {member(by, Placement::Thread, out, {}, {5, 4})};
    } else if (form == "adjacent") {
        g.tile.layout = LaneLayout::Adjacent;
        g.tile.adjacent = 2;
        g.members = {member(by, Placement::Warp, out, {axis(0, 1, 1)}, {60, 4})};
    } else {
        g.members = {member(by, Placement::Warp, out, {axis(0, 1, 1)}, {form == "two chunks" ? 64 : 32, 4})};
    }
    if (form == "hybrid" || form == "staged") {
        Derived d;
        d.source = src;
        d.consumers = {by, out};
        plan.derived = {d};
        const FuncRef tile = plan.funcs;
        g.members.push_back(form == "hybrid"
                                ? member(tile, Placement::Block, out, {axis(0, 1, 32), axis(1, 1, 4)}, {32, 20})
                                : member(tile, Placement::Warp, out, {axis(0, 1, 1)}, {32, 8}));
    }
    plan.groups = {g};
    return plan;
}

std::string lowered(const Built &b, const Plan &plan) {
    std::ostringstream text;
    try {
        apply_directives(make_directives(plan, b.outputs), b.outputs);
    } catch (const Halide::Error &e) {
        throw std::runtime_error(e.what());
    }
    Halide::Module m("none", kCuda);
    try {
        m = Halide::Pipeline(b.outputs).compile_to_module({b.input}, "pipeline", kCuda);
    } catch (const Halide::Error &e) {
        throw std::runtime_error(e.what());
    }
    for (const auto &f : m.functions()) {
        text << f.body << "\n";
    }
    for (const auto &buffer : m.buffers()) {
        text << std::string(reinterpret_cast<const char *>(buffer.data()), buffer.size_in_bytes()) << "\n";
    }
    return text.str();
}

size_t count(const std::string &text, const std::string &what) {
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        n++;
    }
    return n;
}

class Sharpen : public testing::TestWithParam<const char *> {};

TEST_P(Sharpen, LowersToTheMemoryAskedFor) {
    const std::string form = GetParam();
    const Built b = sharpen();
    const std::string text = lowered(b, sharpen_plan(b, form));
    const bool lanes = form != "plain" && form != "block" && form != "thread";
    EXPECT_EQ(lanes, count(text, "shfl.sync") > 0);
    EXPECT_EQ(form == "block" || form == "hybrid", count(text, "bar.sync") + count(text, "barrier.sync") > 0);
    EXPECT_EQ(form == "plain", count(text, "halide_device_malloc") > 0) << "an intermediate in global memory";
}

TEST_P(Sharpen, HostMirrorAgreesAtEverySize) {
    Built plain = sharpen(), mirror = sharpen();
    apply_directives(make_directives(sharpen_plan(mirror, GetParam()), mirror.outputs), mirror.outputs,
                     ApplyTo::HostMirror);
    for (const auto &size : {std::pair{100, 50}, {28, 16}, {33, 17}, {7, 5}, {1, 1}}) {
        const int width = size.first, height = size.second;
        Halide::Buffer<float> photo(width, height);
        photo.for_each_element([&](int x, int y) { photo(x, y) = static_cast<float>((x * 7 + y * 13) % 101); });
        plain.input.set(photo);
        mirror.input.set(photo);
        const Halide::Buffer<float> expected = plain.outputs[0].realize({width, height});
        const Halide::Buffer<float> found = mirror.outputs[0].realize({width, height});
        expected.for_each_element([&](int x, int y) {
            ASSERT_EQ(expected(x, y), found(x, y)) << "at " << x << ", " << y << " of " << width << "x" << height;
        });
    }
}

TEST_P(Sharpen, PlanSurvivesJson) {
    const Built b = sharpen();
    const Plan plan = sharpen_plan(b, GetParam());
    const std::string json = to_json(plan);
    EXPECT_EQ(json, to_json(plan_from_json(json)));
    EXPECT_EQ(print(make_directives(plan, b.outputs)), print(make_directives(plan_from_json(json), b.outputs)));
}

INSTANTIATE_TEST_SUITE_P(Forms, Sharpen,
                         testing::Values("plain", "block", "thread", "warp", "two chunks", "adjacent", "hybrid",
                                         "staged"),
                         [](const auto &info) {
                             std::string name = info.param;
                             name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
                             return name;
                         });

/// Softmax of rows of 256: two reductions and what they feed in one kernel.
Built softmax() {
    Built b;
    b.input = Halide::ImageParam(Halide::Float(32), 2, "scores");
    Var x("x"), y("y");
    Func top("top"), power("power"), sum("sum"), out("out");
    Halide::RDom r(0, 256, "r");
    top(y) = b.input(0, y);
    top(y) = Halide::max(top(y), b.input(r, y));
    power(x, y) = Halide::exp(b.input(x, y) - top(y));
    sum(y) = 0.0f;
    sum(y) += power(r, y);
    out(x, y) = power(x, y) / sum(y);
    out.output_buffer().dim(0).set_bounds(0, 256);
    b.outputs = {out};
    return b;
}

/// A warp a row: partial results a lane by rfactor, the last steps at the lanes that read them.
Plan softmax_plan(const Built &b) {
    Plan plan = empty_plan(b);
    const FuncRef out = ref(b, "out"), power = ref(b, "power"), top = ref(b, "top"), sum = ref(b, "sum");
    for (const FuncRef f : {top, sum}) {
        Derived d;
        d.kind = Derived::Kind::Partial;
        d.source = f;
        plan.derived.push_back(d);
    }
    const FuncRef top_lanes = plan.funcs, sum_lanes = plan.funcs + 1;
    Group g;
    g.output = out;
    g.tile.axes = {axis(0, 256, 1), axis(1, 1, 4)};
    g.tile.lane_axis = 0;
    g.tail = Tail::Guard;
    g.members = {
        member(sum, Placement::Thread, out, {}, {}), member(sum_lanes, Placement::Warp, out, {axis(1, 1, 1)}, {1, 32}),
        member(power, Placement::Warp, out, {axis(0, 1, 1)}, {256, 1}), member(top, Placement::Thread, power, {}, {}),
        member(top_lanes, Placement::Warp, out, {axis(1, 1, 1)}, {1, 32})};
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
    Halide::Buffer<float> scores(256, 9);
    scores.for_each_element([&](int x, int y) { scores(x, y) = static_cast<float>((x * 37 + y * 11) % 64) / 16; });
    const auto run = [&](bool scheduled) {
        Built b = softmax();
        if (scheduled) {
            apply_directives(make_directives(softmax_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
        }
        b.input.set(scores);
        return Halide::Buffer<float>(b.outputs[0].realize({256, 9}));
    };
    const Halide::Buffer<float> expected = run(false), found = run(true);
    expected.for_each_element([&](int x, int y) { ASSERT_NEAR(expected(x, y), found(x, y), 1e-6); });
}

/// Sums down columns, of as many rows as the input has, and their halves.
Built columns() {
    Built b;
    b.input = Halide::ImageParam(Halide::Int(32), 2, "numbers");
    Var x("x");
    Func sum("sum"), out("out");
    Halide::RDom r(0, b.input.height(), "r");
    sum(x) = 0;
    sum(x) += b.input(x, r);
    out(x) = sum(x) / 2;
    b.outputs = {out};
    return b;
}

/// Four threads a column, which take three rows together; a thread adds up what they found.
Plan columns_plan(const Built &b) {
    Plan plan = empty_plan(b);
    Derived parts;
    parts.kind = Derived::Kind::Partial;
    parts.source = ref(b, "sum");
    parts.factor = 4;
    plan.derived = {parts};
    Group g;
    g.output = ref(b, "out");
    g.tile.axes = {axis(0, 1, 32)};
    g.members = {member(parts.source, Placement::Thread, g.output, {}, {1}),
                 member(plan.funcs, Placement::Block, g.output, {axis(0, 1, 32), axis(1, 1, 4)}, {32, 4})};
    g.members[0].full = true;
    g.members[1].steps.count = 3;
    plan.groups = {g};
    return plan;
}

TEST(Columns, FullPartsAndStepsTogetherAreDirectives) {
    const Built b = columns();
    const Plan plan = columns_plan(b);
    const std::string text = print(make_directives(plan, b.outputs));
    // The sum has a part in each of four threads once it has four rows.
    EXPECT_NE(text.find("sum_extent_0_0 = sum.update(0).get_schedule().rvars()[0].extent"), std::string::npos) << text;
    EXPECT_NE(text.find("sum_full = sum.update(0).specialize(sum_extent_0_0 >= 4)"), std::string::npos) << text;
    EXPECT_NE(text.find("_outer_turn, r_x_outer_step, 3, TailStrategy::GuardWithIf)"), std::string::npos) << text;
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), b.outputs)));
    EXPECT_EQ(count(lowered(b, plan), ".visible .entry"), 1U);
}

TEST(Columns, HostMirrorAgreesAtEveryNumberOfRows) {
    for (const int rows : {1, 2, 3, 4, 5, 11, 12, 13, 24, 100}) {
        Halide::Buffer<int> numbers(45, rows);
        numbers.for_each_element([&](int x, int y) { numbers(x, y) = (x * 37 + y * 11) % 64; });
        const auto run = [&](bool scheduled) {
            Built b = columns();
            if (scheduled) {
                apply_directives(make_directives(columns_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
            }
            b.input.set(numbers);
            return Halide::Buffer<int>(b.outputs[0].realize({45}));
        };
        const Halide::Buffer<int> expected = run(false), found = run(true);
        expected.for_each_element([&](int x) { ASSERT_EQ(expected(x), found(x)) << rows; });
    }
}

/// A block a row: 32 threads find two sums of their parts, and one adds them up.
Built moments() {
    Built b;
    b.input = Halide::ImageParam(Halide::Int(32), 2, "numbers");
    Var y("y");
    Func sums("sums"), out("out");
    Halide::RDom r(0, b.input.width(), "r");
    sums(y) = {0, 0};
    sums(y) = {sums(y)[0] + b.input(r, y), sums(y)[1] + b.input(r, y) * b.input(r, y)};
    out(y) = sums(y)[0] * 1000 + sums(y)[1];
    b.outputs = {out};
    return b;
}

Plan moments_plan(const Built &b) {
    Plan plan = empty_plan(b);
    Derived parts;
    parts.kind = Derived::Kind::Partial;
    parts.source = ref(b, "sums");
    plan.derived = {parts};
    Group g;
    g.output = ref(b, "out");
    g.members = {member(parts.source, Placement::Thread, g.output, {}, {1}),
                 member(plan.funcs, Placement::Block, g.output, {axis(1, 1, 32)}, {1, 32})};
    plan.groups = {g};
    return plan;
}

TEST(OneThread, IsMadeWhereAMemberNeedsOne) {
    const Built b = moments();
    const std::string calls = print(make_directives(moments_plan(b), b.outputs));
    EXPECT_NE(calls.find("one_thread, 1, TailStrategy::GuardWithIf"), std::string::npos) << calls;
    EXPECT_NE(calls.find("sums.compute_at(out, one_thread)"), std::string::npos) << calls;
    const std::string text = lowered(b, moments_plan(b));
    EXPECT_EQ(count(text, ".visible .entry"), 1U);
    // Partial results begin, go on, and are read: no barrier stands between the steps of the total.
    EXPECT_LE(count(text, "bar.sync"), 4U);
}

TEST(OneThread, HostMirrorAgrees) {
    for (const int width : {1, 31, 32, 33, 100}) {
        Halide::Buffer<int> numbers(width, 7);
        numbers.for_each_element([&](int x, int y) { numbers(x, y) = (x * 37 + y * 11) % 101; });
        const auto run = [&](bool scheduled) {
            Built b = moments();
            if (scheduled) {
                apply_directives(make_directives(moments_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
            }
            b.input.set(numbers);
            return Halide::Buffer<int>(b.outputs[0].realize({7}));
        };
        const Halide::Buffer<int> expected = run(false), found = run(true);
        expected.for_each_element([&](int y) { ASSERT_EQ(expected(y), found(y)) << width; });
    }
}

/// A running sum down each column of the input, and up again: the second is the output.
Built scans() {
    Built b;
    b.input = Halide::ImageParam(Halide::Int(32), 2, "numbers");
    Var x("x"), y("y");
    Func down("down"), up("up");
    Halide::RDom r(0, b.input.height(), "r");
    const Expr last = b.input.height() - 1;
    down(x, y) = Halide::undef<int>();
    down(x, r) = Halide::select(r == 0, 0, down(x, Halide::max(r - 1, 0)) % 1000) + b.input(x, r);
    up(x, y) = Halide::undef<int>();
    up(x, last - r) = Halide::select(r == 0, 0, up(x, last - Halide::max(r - 1, 0)) % 1000) + down(x, last - r);
    b.outputs = {up};
    return b;
}

/// Each walk takes four steps together, in blocks of 32 columns.
Plan scans_plan(const Built &b) {
    Plan plan = empty_plan(b);
    for (const char *walk : {"down", "up"}) {
        Group g;
        g.output = ref(b, walk);
        KernelTile tile;
        tile.axes = {axis(0, 1, 32)};
        tile.steps.count = 4;
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
    EXPECT_NE(text.find("_turn, r_x_step, 4, TailStrategy::GuardWithIf)"), std::string::npos) << text;
    EXPECT_NE(text.find(".unroll(r_x_step)"), std::string::npos) << text;
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), b.outputs)));
    EXPECT_EQ(count(lowered(b, plan), ".visible .entry"), 2U);
}

TEST(Scans, HostMirrorAgreesAtEveryLength) {
    for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 31, 100}) {
        Halide::Buffer<int> numbers(45, rows);
        numbers.for_each_element([&](int x, int y) { numbers(x, y) = (x * 37 + y * 11) % 64; });
        const auto run = [&](bool scheduled) {
            Built b = scans();
            if (scheduled) {
                apply_directives(make_directives(scans_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
            }
            b.input.set(numbers);
            return Halide::Buffer<int>(b.outputs[0].realize({45, rows}));
        };
        const Halide::Buffer<int> expected = run(false), found = run(true);
        expected.for_each_element([&](int x, int y) { ASSERT_EQ(expected(x, y), found(x, y)) << rows; });
    }
}

/// Rows as long as the input is wide, each divided by the sum of what it exceeds its largest value by: the second
/// reduction and the output read the first.
Built excesses() {
    Built b;
    b.input = Halide::ImageParam(Halide::Float(32), 2, "scores");
    Var x("x"), y("y");
    Func top("top"), sum("sum"), out("out");
    Halide::RDom r(b.input.dim(0).min(), b.input.width(), "r");
    top(y) = b.input(0, y);
    top(y) = Halide::max(top(y), b.input(r, y));
    sum(y) = 1.0f;
    sum(y) += top(y) - b.input(r, y);
    out(x, y) = (top(y) - b.input(x, y)) / sum(y);
    b.outputs = {out};
    return b;
}

/// A warp a row; the largest values through shared memory, and steps unrolled for rows of 128.
Plan excesses_plan(const Built &b) {
    Plan plan = empty_plan(b);
    const FuncRef out = ref(b, "out"), top = ref(b, "top"), sum = ref(b, "sum");
    for (const FuncRef f : {sum, top}) {
        Derived d;
        d.kind = Derived::Kind::Partial;
        d.source = f;
        d.usual_extent = 128;
        plan.derived.push_back(d);
    }
    Group g;
    g.output = out;
    g.tile.axes = {axis(0, 128, 1), axis(1, 1, 4)};
    g.tile.lane_axis = 0;
    g.tail = Tail::Guard;
    g.members = {member(sum, Placement::Thread, out, {}, {1}),
                 member(plan.funcs, Placement::Warp, out, {axis(1, 1, 1)}, {1, 32}),
                 member(top, Placement::Block, out, {axis(0, 1, 32)}, {4}),
                 member(plan.funcs + 1, Placement::Block, out, {axis(1, 1, 32), axis(0, 1, 4)}, {4, 32})};
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
    for (const int width : {128, 1, 7, 33, 130, 300}) {
        Halide::Buffer<float> scores(width, 9);
        scores.for_each_element([&](int x, int y) { scores(x, y) = static_cast<float>((x * 37 + y * 11) % 64) / 16; });
        const auto run = [&](bool scheduled) {
            Built b = excesses();
            if (scheduled) {
                apply_directives(make_directives(excesses_plan(b), b.outputs), b.outputs, ApplyTo::HostMirror);
            }
            b.input.set(scores);
            return Halide::Buffer<float>(b.outputs[0].realize({width, 9}));
        };
        const Halide::Buffer<float> expected = run(false), found = run(true);
        expected.for_each_element(
            [&](int x, int y) { ASSERT_NEAR(expected(x, y), found(x, y), 1e-5) << width << " at " << x << ' ' << y; });
    }
}

/// The wrapper of `f` for the first `consumers` of its two consumers: Halide's name of it, and the text that makes it.
std::pair<std::string, std::string> wrapper(size_t consumers) {
    Var x("x");
    Func f("wrapped_f"), g("wrapped_g"), h("wrapped_h"), out("wrapped_out");
    f(x) = x;
    g(x) = f(x) + 1;
    h(x) = f(x) + 2;
    out(x) = g(x) + h(x);
    Directive in;
    in.op = Op::In;
    in.func = "f";
    in.local = "f_tile";
    std::vector<Directive> calls;
    for (int i = 0; i < 3; i++) {
        Directive fetch;
        fetch.op = Op::FetchFunc;
        fetch.local = std::string(1, "fgh"[i]);
        fetch.numbers = {i};
        calls.push_back(fetch);
        if (i > 0 && in.names.size() < consumers) {
            in.names.push_back(fetch.local);
        }
    }
    calls.push_back(in);
    const std::string name = apply_directives(calls, {out}).at(0);
    // Only what Halide adds to the names of f and g tells the kinds of wrapper apart: `$0` may stand anywhere.
    return {name.substr(std::string("wrapped_f").size()), print(calls)};
}

TEST(Wrappers, AreMadeAsTheTextMakesThem) {
    EXPECT_NE(wrapper(0).first.find("_global_wrapper"), std::string::npos);
    EXPECT_NE(wrapper(1).first.find("_in_wrapped_g"), std::string::npos);
    EXPECT_NE(wrapper(2).first.find("_wrapper"), std::string::npos);
    EXPECT_EQ(wrapper(2).first.find("_global"), std::string::npos);
    EXPECT_NE(wrapper(0).second.find("f_tile = f.in();"), std::string::npos);
    EXPECT_NE(wrapper(1).second.find("f_tile = f.in(g);"), std::string::npos);
    EXPECT_NE(wrapper(2).second.find("f_tile = f.in({g, h});"), std::string::npos);
}

TEST(Plans, RefusesWhatDoesNotFit) {
    const Built b = sharpen();
    Plan plan = sharpen_plan(b, "warp");
    plan.groups[0].members[0].func = 99;
    EXPECT_THROW(make_directives(plan, b.outputs), std::exception);
    EXPECT_THROW(plan_from_json("{"), std::exception);
    EXPECT_THROW(plan_from_json("{\"gpu\": 3}"), std::exception);
}

}  // namespace
}  // namespace warptile
