// A part of a plan on its own is lowered to the kernel that it is in the whole, whatever the others compute for it.

#include <gtest/gtest.h>

#include "test/support/plans.h"
#include "verify/isolate.h"
#include "verify/trial.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

Var x("x"), y("y");

/// Two sums, the second of the first, and an output of the second. Both are kernels through copies of theirs, or the
/// first is a kernel with an update of its own.
Plan sums(const Func &out, bool copied) {
    Plan plan = empty_plan({out});
    const FuncRef first = ref(plan, "first"), second = ref(plan, "second");
    plan.derived = {copy_of(first), copy_of(second)};
    if (!copied) {
        plan.derived.erase(plan.derived.begin());
    }
    const FuncRef copy = plan.funcs, last = plan.funcs + static_cast<FuncRef>(plan.derived.size()) - 1;
    const std::vector<AxisTile> threads = {{0, 1, 32}, {1, 1, 4}};
    Group group = kernel_of(copied ? copy : first, threads);
    if (copied) {
        group.members = {member(first, Placement::Thread, copy, {}, {1, 1})};
    } else {
        group.updates = {kernel_of(first, threads).tile};
        group.atomic = {false};
    }
    plan.groups.push_back(group);
    group = kernel_of(last, threads);
    group.members = {member(second, Placement::Thread, last, {}, {1, 1})};
    plan.groups.push_back(group);
    plan.groups.push_back(kernel_of(ref(plan, "out"), threads));
    return plan;
}

Func pipeline() {
    const ImageParam in(Halide::Float(32), 2, "in");
    const RDom r(0, 8, "r");
    Func first("first"), second("second"), out("out");
    first(x, y) = 0.0f;
    first(x, y) += in(x, y + r);
    second(x, y) = 0.0f;
    second(x, y) += first(x, y + r) * 2.0f;
    out(x, y) = second(x, y) + second(x + 1, y);
    out.set_estimates({{0, 640}, {0, 480}});
    ImageParam(in).set_estimates({{0, 641}, {0, 494}});
    return out;
}

class Isolate : public testing::TestWithParam<bool> {};

TEST_P(Isolate, EachPartIsOneLowering) {
    for (size_t part = 0; part < 3; part++) {
        const Func out = pipeline();
        const Plan plan = sums(out, GetParam());
        const std::optional<Isolated> alone = isolate(plan, part, {out});
        ASSERT_TRUE(alone) << part;
        const Trial trial = lower(alone->pipeline, cuda_80());
        const size_t kernels = part == 0 && !GetParam() ? 2 : 1;
        EXPECT_EQ(trial.kernels.size(), kernels) << part;
    }
}

INSTANTIATE_TEST_SUITE_P(Producers, Isolate, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &p) { return p.param ? "Copied" : "WithUpdates"; });

}  // namespace
}  // namespace warptile
