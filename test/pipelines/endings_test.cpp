// Whatever a pipeline looks like, its analysis ends, soon and with a plan that lowers.
#include <algorithm>
#include <chrono>
#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "dag/halide/exprs.h"
#include "plugin/analysis.h"
#include "plugin/find_plan.h"
#include "plugin/progress.h"
#include "schedule/plain_plan.h"
#include "test/support/h100.h"
#include "test/support/plans.h"
#include "test/support/words.h"
#include "verify/processes/child.h"

namespace warptile {
namespace {

using namespace Halide;

const Var x("x"), y("y"), z("z");

/// Not failed, no Func left plain.
void expect_planned(const std::vector<Func> &outputs) {
    const Analysis analysis = analyse(outputs, cuda_80(), h100(), Parameters(), Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(analysis.fallbacks, 0);
    for (const Notice &n : analysis.notices) {
        ADD_FAILURE() << n.func << ": " << n.reason;
    }
}

ImageParam image(const std::string &name, const std::vector<int> &size, const Type &type = Float(32)) {
    ImageParam in(type, static_cast<int>(size.size()), name);
    Halide::Region estimates;
    for (const int n : size) {
        estimates.emplace_back(0, n);
    }
    in.set_estimates(estimates);
    return in;
}

Func sized(Func f, const std::vector<int> &size) {
    Halide::Region estimates;
    for (const int n : size) {
        estimates.emplace_back(0, n);
    }
    f.set_estimates(estimates);
    return f;
}

// ---- Funcs of no dimension
// -------------------------------------------------------------------------------------------

TEST(Endings, AnImageOverItsTotal) {
    const ImageParam in = image("in", {192, 108});
    RDom r(0, 192, 0, 108, "r");
    Func total("total"), out("out");
    total() = 0.0f;
    total() += in(r.x, r.y);
    out(x, y) = in(x, y) / total();
    expect_planned({sized(out, {192, 108})});
}

TEST(Endings, AStencilBetweenTwoConstants) {
    const ImageParam in = image("in", {194, 110}), scale = image("scale", {4});
    Func least("least"), most("most"), blur("blur"), out("out");
    least() = min(scale(0), scale(1));
    most() = exp(max(scale(2), scale(3)) + least());
    blur(x, y) = in(x, y) + in(x + 1, y) + in(x, y + 1) + most();
    out(x, y) = clamp(blur(x, y) + blur(x + 1, y) + blur(x, y + 1), least(), most());
    expect_planned({sized(out, {192, 108})});
}

TEST(Endings, ATotalOfATotal) {
    const ImageParam in = image("in", {1920});
    RDom r(0, 1920, "r");
    Func total("total"), mean("mean"), spread("spread");
    total() = 0.0f;
    total() += in(r);
    mean() = total() / 1920.0f;
    spread() = 0.0f;
    spread() += abs(in(r)-mean());
    expect_planned({spread});
}

// ---- Sizes that name themselves
// ----------------------------------------------------------------------------------------

TEST(Endings, ConstraintsThatNameThemselves) {
    ImageParam in = image("in", {1001, 800});
    in.dim(0).set_bounds(0, in.dim(0).extent());
    in.dim(1).set_min(in.dim(1).min() / 4 * 4).set_stride(in.dim(1).stride() / 16 * 16);
    Func out("out");
    out(x, y) = in(x, y) + in(x + 1, y);
    expect_planned({sized(out, {1000, 800})});
}

TEST(Endings, ConstraintsOfTwoInputsThatNameEachOther) {
    ImageParam a = image("a", {1000, 800}), b = image("b", {1000, 800});
    a.dim(0).set_extent(b.dim(0).extent());
    b.dim(0).set_extent(a.dim(0).extent());
    b.dim(1).set_min(a.dim(1).min());
    a.dim(1).set_min(b.dim(1).min() + b.dim(1).extent() - a.dim(1).extent());
    RDom r(0, a.dim(0).extent(), "r");
    Func out("out");
    out(y) = 0.0f;
    out(y) += a(r, y) * b(r, y);
    expect_planned({sized(out, {800})});
}

/// In any order of asking, each is found out once: not as often as there are ways through all of them.
TEST(Endings, ConstraintsOfManyInputsThatAllNameEachOther) {
    std::vector<ImageParam> inputs;
    for (int i = 0; i < 16; i++) {
        inputs.push_back(image("in" + std::to_string(i), {1000}));
    }
    Expr sum = 0.0f;
    for (ImageParam &in : inputs) {
        Expr most = 0;
        for (const ImageParam &other : inputs) {
            most = max(most, other.dim(0).extent());
        }
        in.dim(0).set_extent(most);
        sum += in(x);
    }
    Func out("out");
    out(x) = sum;
    expect_planned({sized(out, {1000})});
}

TEST(Endings, EstimatesOfParametersThatNameEachOther) {
    Param<int> a("a"), b("b");
    a.parameter().set_estimate(Expr(b));
    b.parameter().set_estimate(Expr(a));
    b.parameter().set_default_value(Expr(7));
    const ImageParam in = image("in", {1000});
    RDom r(0, b, "r");
    Func out("out");
    out(x) = 0.0f;
    out(x) += in(min(x + r, 999));
    sized(out, {900});
    const std::string message = error_of([&] { analyse({out}, cuda_80(), h100(), Parameters(), Debug()); });
    expect_words(message, {"estimate"});
}

TEST(Endings, ABoundThatNamesTheOutputsOwnBuffer) {
    const ImageParam in = image("in", {1000});
    Func out("out");
    out(x) = in(x)*2;
    out.output_buffer().dim(0).set_min(0).set_extent(out.output_buffer().dim(0).extent() / 4 * 4);
    expect_planned({sized(out, {1000})});
}

// ---- Sizes up to 2^31
// ----------------------------------------------------------------------------------------------------

TEST(Endings, TwoBillionPoints) {
    const ImageParam in = image("in", {2000000000});
    Func rooted("rooted"), out("out");
    rooted(x) = in(x) + 1;
    out(x) = rooted(x) * sqrt(rooted(x));
    expect_planned({sized(out, {2000000000})});
}

TEST(Endings, TwoBillionPointsInEachOfThreeDimensions) {
    constexpr int kMost = 2147483647;
    const ImageParam in = image("in", {kMost, kMost, kMost}, UInt(8));
    Func blur("blur"), out("out");
    blur(x, y, z) = cast<uint16_t>(in(x, y, z)) + in(x, min(y + 1, kMost - 1), z);
    out(x, y, z) = blur(x, y, z) * blur(x, y, z);
    expect_planned({sized(out, {kMost, kMost, kMost})});
}

TEST(Endings, ASumOfTwoBillionTimesTwoBillionTerms) {
    const ImageParam in = image("in", {2000000000, 2000000000}, UInt(8));
    RDom r(0, 2000000000, 0, 2000000000, "r");
    Func out("out");
    out() = cast<uint64_t>(0);
    out() += cast<uint64_t>(in(r.x, r.y));
    expect_planned({out});
}

// ---- Large expressions
// ---------------------------------------------------------------------------------------------------

/// Of one Func whose value is made of `deep`.
void expect_one_kernel(const Expr &deep) {
    Func out("out");
    out(x) = deep;
    const Analysis analysis = analyse({sized(out, {1000})}, cuda_80(), h100(), Parameters(), Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    ASSERT_EQ(analysis.plan.groups.size(), 1U);
    EXPECT_FALSE(analysis.plan.groups[0].on_host);
}

TEST(Endings, ASumOfThousandsOfTerms) {
    const ImageParam in = image("in", {1000});
    Expr deep = in(x);
    for (int i = 0; i < 20000; i++) {
        deep = deep + static_cast<float>(i);
    }
    expect_one_kernel(deep);
}

TEST(Endings, HundredsOfChoices) {
    const ImageParam in = image("in", {1000});
    Expr deep = in(x);
    for (int i = 0; i < 300; i++) {
        deep = select(in(x) > static_cast<float>(i), deep + static_cast<float>(i), static_cast<float>(i) * 0.5f);
    }
    expect_one_kernel(deep);
}

TEST(Endings, AValueOfProductsOfItself) {
    const ImageParam in = image("in", {1000});
    Expr value = in(x);
    for (int i = 0; i < 60; i++) {
        value = value * value + value;
    }
    expect_one_kernel(value);
}

/// As a tree it has more nodes than anybody can walk.
TEST(Endings, AnIndexOfSumsOfItself) {
    const ImageParam in = image("in", {1000});
    Expr index = x;
    for (int i = 0; i < 60; i++) {
        index = select(index > i, index - 1, index + i);
    }
    EXPECT_GT(tree_size(index), 1e15);
    expect_one_kernel(in(clamp(index, 0, 999)));
}

/// 25 taps of two images, each behind a boundary condition: unrolled they spill, also in a plain kernel.
void expect_differences_planned(Func (*bounded)(const ImageParam &, const Halide::Region &)) {
    const ImageParam a = image("a", {640, 480}, UInt(8)), b = image("b", {640, 480}, UInt(8));
    const Func p = bounded(a, {{0, 640}, {0, 480}}), q = bounded(b, {{0, 640}, {0, 480}});
    RDom r(-2, 5, -2, 5, "r");
    Func differences("differences"), out("out");
    differences(x, y, z) = cast<uint16_t>(0);
    differences(x, y, z) += cast<uint16_t>(absd(p(x + r.x + z, y + r.y), q(x + r.x, y + r.y)));
    out(x, y) = min(differences(x, y, 0), differences(x, y, 4));
    expect_planned({sized(out, {640, 480})});
}

TEST(Endings, DifferencesOfMirroredImages) {
    expect_differences_planned([](const ImageParam &in, const Halide::Region &bounds) {
        return BoundaryConditions::mirror_interior(in, bounds);
    });
}

TEST(Endings, DifferencesOfRepeatedImages) {
    expect_differences_planned([](const ImageParam &in, const Halide::Region &bounds) {
        return BoundaryConditions::repeat_image(in, bounds);
    });
}

// ---- A search that dies
// ----------------------------------------------------------------------------------------------------

TEST(Endings, ProgressTellsWhereAChildDied) {
    const Progress progress;
    const ChildResult result = run_in_child(
        [&]() -> std::string {
            Progress(progress).begin(Progress::Phase::Search, 7, "blur");
            std::abort();
        },
        10);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(progress.phase(), Progress::Phase::Search);
    EXPECT_EQ(progress.node(), 7);
    EXPECT_EQ(progress.func(), "blur");
}

TEST(Endings, AChildThatDoesNotEndIsKilledWhereItIs) {
    const auto start = std::chrono::steady_clock::now();
    const ChildResult result = run_in_child(
        [&]() -> std::string {
            Progress progress;
            progress.limit_cpu_seconds(1);
            progress.begin(Progress::Phase::Search, 7, "blur");
            volatile int forever = 1;
            while (forever != 0) {
            }
            return "";
        },
        100);
    EXPECT_EQ(result.end, ChildResult::End::crashed);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

/// Deeper than the stack of a thread; in a child it has room.
TEST(Endings, AChildHasAStackForDeepExpressions) {
    std::function<int(int)> depth = [&](int n) {
        volatile char frame[4096] = "";
        return n == 0 ? frame[0] : 1 + depth(n - 1);
    };
    const ChildResult result = run_in_child([&] { return std::to_string(depth(20000)); }, 60);
    ASSERT_TRUE(result.ok()) << result.message;
    EXPECT_EQ(result.bytes, "20000");
}

/// A candidate whose kernel calls a C function, and one that leaves the Func to the host.
TEST(Endings, WhatNoKernelCompilesIsLeftToTheHost) {
    const ImageParam in = image("in", {1000});
    Func odd("odd"), out("out");
    odd(x) = Internal::Call::make(Float(32), "cbrtf", {in(x)}, Internal::Call::Extern);
    out(x) = odd(x) + odd(x + 1);
    const std::vector<Func> outputs = {sized(out, {999})};
    const Plan plain = plain_plan(outputs);
    const auto group_of = [&](const Plan &plan, const std::string &func) {
        const auto is_it = [&](const Group &g) { return g.output == ref(plan, func); };
        return static_cast<size_t>(std::find_if(plan.groups.begin(), plan.groups.end(), is_it) - plan.groups.begin());
    };
    ASSERT_TRUE(plain.groups[group_of(plain, "odd")].on_host);
    Candidates candidates;
    candidates.groups = {{1, 1}, {1, 1}};
    candidates.plain = {0, 0};
    candidates.wanted = {1, 1};
    candidates.why_none = {"", ""};
    candidates.assemble = [&](const std::vector<int> &choice) {
        Plan plan = plain;
        for (size_t g = 0; g < choice.size(); g++) {
            plan.groups[g] = kernel_of(plain.groups[g].output, {{0, 1, 32}});
            plan.groups[g].on_host = choice[g] > 0;
        }
        return plan;
    };
    const Verified v = verify(candidates, outputs, cuda_80(), h100(), VerifyOptions());
    ASSERT_FALSE(v.choice.empty()) << v.log;
    EXPECT_EQ(v.choice[group_of(plain, "odd")], 1) << v.log;
    EXPECT_EQ(v.choice[group_of(plain, "out")], 0) << v.log;
    ASSERT_EQ(v.notices.size(), 1U);
    EXPECT_EQ(v.notices[0].func, "odd");
    expect_words(v.notices[0].reason, {"on the host"});
}

TEST(Endings, ThePlainPlanIsVerifiedToo) {
    const ImageParam in = image("in", {1000});
    Func odd("odd"), out("out");
    odd(x) = Internal::Call::make(Float(32), "cbrtf", {in(x)}, Internal::Call::Extern);
    out(x) = odd(x) + odd(x + 1);
    const Verified plain = find_plain_plan({sized(out, {999})}, cuda_80(), h100(), VerifyOptions());
    ASSERT_TRUE(plain.ok) << plain.log;
    for (const Group &g : plain.plan.groups) {
        EXPECT_EQ(g.on_host, g.output == ref(plain.plan, "odd"));
    }
}

}  // namespace
}  // namespace warptile
