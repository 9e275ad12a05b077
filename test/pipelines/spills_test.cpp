// A spill is a price, not a verdict: a kernel that spills is taken where it is still the cheapest, and gives way where
// the next one is cheaper.

#include "test/support/h100.h"
#include "test/support/plans.h"
#include "verify/verify.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

/// Sums of a length that is not known, 32 of them a thread: more than fit 32 registers.
struct Sums {
    Halide::ImageParam in{Halide::Float(32), 1, "in"};
    Halide::Var x{"x"};
    Halide::Func sum{"sum"}, out{"out"};
    std::vector<Halide::Func> outputs;
    Plan plan;

    Sums() {
        const Halide::RDom r(0, in.dim(0).extent() / 2, "r");
        sum(x) = 0.0f;
        sum(x) += in(x + r) * in(r);
        out(x) = sum(x) * 2.0f;
        in.set_estimates({{0, 4096}});
        out.set_estimates({{0, 2048}});
        outputs = {out};
        plan = empty_plan(outputs);
    }

    Plan with(int points_a_thread) const {
        Plan made = plan;
        const FuncRef output = ref(plan, "out");
        Group kernel = kernel_of(output, {{0, points_a_thread, 32}});
        kernel.tail = Tail::Guard;
        kernel.members = {member(ref(plan, "sum"), Placement::Thread, output, {}, {points_a_thread})};
        made.groups = {kernel};
        return made;
    }

    Verified verified(const std::vector<double> &costs) const {
        Candidates candidates;
        candidates.groups = {std::vector<int>(costs.size(), 1)};
        candidates.costs = {costs};
        candidates.assemble = [&](const std::vector<int> &choice) { return with(choice[0] == 0 ? 32 : 1); };
        VerifyOptions options;
        options.max_registers = 32;
        return verify(candidates, outputs, cuda_80(), h100(), options);
    }
};

TEST(Spills, AreTakenWhereTheNextIsDearer) {
    const Verified v = Sums().verified({10, 1000});
    EXPECT_EQ(v.choice, std::vector<int>{0}) << v.log;
    EXPECT_TRUE(v.ok) << v.log;
    EXPECT_TRUE(v.notices.empty());
    EXPECT_NE(v.log.find("part 0, candidate 0: with what it spills it costs"), std::string::npos) << v.log;
    EXPECT_EQ(v.trials, 1) << v.log;
}

TEST(Spills, GiveWayToWhatIsCheaper) {
    const Verified v = Sums().verified({10, 10.01, 1000});
    EXPECT_EQ(v.choice, std::vector<int>{1}) << v.log;
    EXPECT_TRUE(v.ok) << v.log;
}

TEST(Spills, GiveWayWhereNothingIsKnownOfCosts) {
    const Sums sums;
    Candidates candidates;
    candidates.groups = {{1, 1}};
    candidates.assemble = [&](const std::vector<int> &choice) { return sums.with(choice[0] == 0 ? 32 : 1); };
    VerifyOptions options;
    options.max_registers = 32;
    EXPECT_EQ(verify(candidates, sums.outputs, cuda_80(), h100(), options).choice, std::vector<int>{1});
}

}  // namespace
}  // namespace warptile
