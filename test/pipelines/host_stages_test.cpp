// What no GPU can compute is on the host at root, the rest on the GPU, and the whole computes what the unscheduled
// pipeline computes.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/analysis.h"
#include "schedule/rules/check_plan.h"
#include "test/support/h100.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"
#include "test/support/words.h"
#include "verify/trial.h"

namespace warptile {
namespace {

using namespace Halide;

constexpr int kSize = 100;
const Var x("x"), y("y");

Expr c_function(const std::string &name, const Expr &value) {
    return Internal::Call::make(Float(32), name, {value}, Internal::Call::Extern);
}

/// A stencil, `stage` of it at each point, and a stencil of that.
Built around(const std::function<Expr(Expr)> &stage, const Type &type = Float(32)) {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, kSize + 2}, {0, kSize + 1}});
    Func before("before"), middle("middle"), after("after");
    before(x, y) = in(x, y) + in(x + 1, y) * 2;
    middle(x, y) = cast(type, stage(before(x, y)));
    after(x, y) = cast<float>(middle(x, y)) + cast<float>(middle(x + 1, y + 1));
    after.set_estimates({{0, kSize}, {0, kSize}});
    return {{after}, {in}};
}

Analysis analysed(const Built &b) { return analyse(b.outputs, cuda_80(), h100(), Parameters(), Debug()); }

bool on_host(const Plan &plan, const std::string &func) {
    const FuncRef wanted = ref(plan, func);
    return std::any_of(plan.groups.begin(), plan.groups.end(),
                       [&](const Group &g) { return g.output == wanted && g.on_host; });
}

/// The stage alone is on the host and said to be, and the whole is right.
void expect_on_host(const std::function<Built()> &build, const std::vector<std::string> &reason) {
    const Built b = build();
    const Analysis analysis = analysed(b);
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(check_plan(analysis.plan, read_function_dag(b.outputs, cuda_80())), "");
    EXPECT_TRUE(on_host(analysis.plan, "middle"));
    EXPECT_FALSE(on_host(analysis.plan, "after"));
    EXPECT_EQ(std::count_if(analysis.plan.groups.begin(), analysis.plan.groups.end(),
                            [](const Group &g) { return g.on_host; }),
              1);
    ASSERT_EQ(analysis.notices.size(), 1U);
    EXPECT_EQ(analysis.notices[0].func, "middle");
    expect_words(analysis.notices[0].reason, {"on the host"});
    expect_words(analysis.notices[0].reason, reason);
    const auto plan_of = [](const Built &built) { return analysed(built).plan; };
    const Buffer<> in(numbers<float>({40, 40}));
    expect_mirror_agrees<float>(build, plan_of, {{{in}, {30, 30}}}, 1e-4);
}

TEST(HostStages, ACallOfACFunction) {
    expect_on_host([] { return around([](const Expr &e) { return c_function("cbrtf", e) + 1; }); },
                   {"C function 'cbrtf'"});
}

TEST(HostStages, AFunctionThatTheDeviceHasIsNone) {
    const Analysis analysis = analysed(around([](const Expr &e) { return sinh(e) + pow(e, 1.5f) + atan2(e, 2.0f); }));
    EXPECT_TRUE(analysis.notices.empty());
    EXPECT_TRUE(std::none_of(analysis.plan.groups.begin(), analysis.plan.groups.end(),
                             [](const Group &g) { return g.on_host; }));
}

TEST(HostStages, WhatPrints) {
    expect_on_host([] { return around([](const Expr &e) { return print_when(e < -1, e, "negative"); }); }, {"prints"});
}

TEST(HostStages, WhatRequires) {
    expect_on_host([] { return around([](const Expr &e) { return require(e >= 0, e, "negative"); }); }, {"require"});
}

TEST(HostStages, AValueOfATypeThatCudaDoesNotHave) {
    const auto build = [] { return around([](const Expr &e) { return e; }, BFloat(16)); };
    const Analysis analysis = analysed(build());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_FALSE(on_host(analysis.plan, "before"));
    EXPECT_TRUE(on_host(analysis.plan, "middle"));
    EXPECT_TRUE(on_host(analysis.plan, "after"));  // it reads them
    ASSERT_EQ(analysis.notices.size(), 2U);
    expect_words(analysis.notices[0].reason, {"bfloat16"});
    const auto plan_of = [](const Built &built) { return analysed(built).plan; };
    expect_mirror_agrees<float>(build, plan_of, {{{Buffer<>(numbers<float>({40, 40}))}, {30, 30}}});
}

/// What only hands on an input's values is inlined, on the host too.
TEST(HostStages, AnInputOfATypeThatCudaDoesNotHave) {
    ImageParam in(BFloat(16), 2, "in");
    in.set_estimates({{0, kSize}, {0, kSize}});
    Func middle("middle"), after("after");
    middle(x, y) = cast<float>(in(x, y)) + 1;
    after(x, y) = middle(x, y) * middle(x, y + 1);
    after.set_estimates({{0, kSize}, {0, kSize - 1}});
    const Analysis analysis = analysed({{after}, {in}});
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    ASSERT_EQ(analysis.plan.groups.size(), 2U);
    EXPECT_TRUE(on_host(analysis.plan, "middle"));
    EXPECT_FALSE(on_host(analysis.plan, "after"));
}

TEST(HostStages, AnUpdateThatCallsACFunction) {
    const auto build = [] {
        ImageParam in(Float(32), 2, "in");
        in.set_estimates({{0, kSize}, {0, kSize}});
        RDom r(0, kSize, "r");
        Func middle("middle"), after("after");
        middle(x) = 0.0f;
        middle(x) += c_function("cbrtf", in(x, r));
        after(x, y) = in(x, y) - middle(x);
        after.set_estimates({{0, kSize}, {0, kSize}});
        return Built{{after}, {in}};
    };
    const Built b = build();
    const Analysis analysis = analysed(b);
    EXPECT_TRUE(on_host(analysis.plan, "middle"));
    EXPECT_FALSE(on_host(analysis.plan, "after"));
    const auto plan_of = [](const Built &built) { return analysed(built).plan; };
    expect_mirror_agrees<float>(build, plan_of, {{{Buffer<>(numbers<float>({kSize, kSize}))}, {60, 50}}});
}

TEST(HostStages, TheOutputItself) {
    Func out("out");
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, kSize}, {0, kSize}});
    out(x, y) = print_when(in(x, y) > 9.0f, in(x, y) * 2, "large");
    out.set_estimates({{0, kSize}, {0, kSize}});
    const Analysis analysis = analysed({{out}, {in}});
    EXPECT_FALSE(analysis.failed);
    EXPECT_TRUE(on_host(analysis.plan, "out"));
}

TEST(HostStages, AnExternStageWithWhatItReadsAndWhoReadsIt) {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, kSize + 1}, {0, kSize}});
    Func before("before"), sorted("sorted"), after("after");
    before(x, y) = in(x, y) * 2;
    sorted.define_extern("sort_rows", {before}, Float(32), {x, y});
    after(x, y) = sorted(x, y) + sorted(x + 1, y);
    after.set_estimates({{0, kSize}, {0, kSize}});
    const Analysis analysis = analysed({{after}, {in}});
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_TRUE(on_host(analysis.plan, "sorted"));
    EXPECT_FALSE(on_host(analysis.plan, "before"));
    EXPECT_FALSE(on_host(analysis.plan, "after"));
    ASSERT_EQ(analysis.notices.size(), 1U);
    expect_words(analysis.notices[0].reason, {"'sort_rows'"});
}

/// A read of an image of no dimensions is handed to the C function: what is lowered calls the image by its name alone.
TEST(HostStages, AnExternStageThatIsHandedAValueOfAnImage) {
    ImageParam value(Float(32), 0, "value"), shape(Int(32), 1, "shape");
    shape.set_estimates({{0, 3}});
    Func made("made"), after("after");
    made.define_extern("make", {value() + 1, shape(2)}, Float(32), {x, y});
    after(x, y) = made(x, y) * 2;
    after.set_estimates({{0, kSize}, {0, kSize}});
    const Analysis analysis = analysed({{after}, {value, shape}});
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_TRUE(on_host(analysis.plan, "made"));
    EXPECT_FALSE(on_host(analysis.plan, "after"));

    Plan stored = analysis.plan;
    Group group;
    group.output = ref(stored, "value_im");
    stored.groups.insert(stored.groups.begin(), group);
    expect_words(check_plan(stored, read_function_dag({after}, cuda_80())), {"'value'", "'made'", "inlined"});
}

/// Which Funcs are on the host where something of a chain is traced: what Halide puts around the input, `before`,
/// `middle` and `after`, in this order.
std::vector<bool> on_host_traced(const std::function<void(Func before, Func middle, ImageParam in)> &trace) {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, kSize + 2}, {0, kSize + 1}});
    Func before("before"), middle("middle"), after("after");
    before(x, y) = in(x, y) + in(x + 1, y) * 2;
    middle(x, y) = sqrt(abs(before(x, y) + before(x + 1, y)));
    after(x, y) = middle(x, y) + middle(x, y + 1);
    after.set_estimates({{0, kSize}, {0, kSize}});
    trace(before, middle, in);
    const Analysis analysis = analysed({{after}, {in}});
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    std::vector<bool> result;
    for (const std::string name : {"in_im", "before", "middle", "after"}) {
        result.push_back(on_host(analysis.plan, name));
        const bool told = std::any_of(analysis.notices.begin(), analysis.notices.end(), [&](const Notice &n) {
            return n.func == (name == "in_im" ? "in" : name) && n.reason.find("traced") != std::string::npos;
        });
        EXPECT_EQ(told, result.back()) << name;
    }
    return result;
}

TEST(HostStages, WhatIsTraced) {
    using Hosts = std::vector<bool>;
    EXPECT_EQ(on_host_traced([](Func, Func middle, const ImageParam &) { middle.trace_stores(); }),
              (Hosts{false, false, true, false}));
    EXPECT_EQ(on_host_traced([](Func before, Func, const ImageParam &) { before.trace_realizations(); }),
              (Hosts{false, true, false, false}));
    // Loads are traced where they are made.
    EXPECT_EQ(on_host_traced([](Func, Func middle, const ImageParam &) { middle.trace_loads(); }),
              (Hosts{false, false, false, true}));
    EXPECT_EQ(on_host_traced([](Func, Func, ImageParam in) { in.trace_loads(); }), (Hosts{true, false, false, false}));
}

/// What the rules of plans say of a plan that puts it elsewhere.
TEST(HostStages, CannotBeInAKernel) {
    const Built b = around([](const Expr &e) { return c_function("cbrtf", e); });
    const FunctionDag dag = read_function_dag(b.outputs, cuda_80());
    Plan plan = analysed(b).plan;
    for (Group &g : plan.groups) {
        g.on_host = false;
    }
    expect_words(check_plan(plan, dag), {"'middle'", "cbrtf", "on_host"});
    Plan inlined = analysed(b).plan;
    inlined.groups.erase(
        std::find_if(inlined.groups.begin(), inlined.groups.end(), [](const Group &g) { return g.on_host; }));
    expect_words(check_plan(inlined, dag), {"'middle'", "cbrtf", "output of a group"});
}

}  // namespace
}  // namespace warptile
