// Device code made in shares, and not made again, is the device code made at once.

#include "verify/processes/child.h"
#include "verify/ptx/device_code.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

using Halide::Func;
using Halide::Var;

const Halide::Target kCuda("x86-64-linux-cuda-cuda_capability_80-no_runtime");

/// Four pointwise kernels: stage k has k + 1 square roots, the last `more` besides.
Trial roots(int more, const LowerOptions &options) {
    Var x("x"), xi("xi");
    Halide::ImageParam input(Halide::Float(32), 1, "input");
    Func previous;
    for (int k = 0; k < 4; k++) {
        Func f("stage_" + std::to_string(k));
        Halide::Expr value = k == 0 ? input(x) : previous(x);
        for (int i = 0; i < (k == 3 ? 4 + more : k + 1); i++) {
            value = Halide::sqrt(value) + 1.5f;
        }
        f(x) = value;
        f.compute_root().gpu_tile(x, xi, 64);
        previous = f;
    }
    return lower(Halide::Pipeline(previous), kCuda, options);
}

LowerOptions assembled() {
    LowerOptions options;
    options.sm = 80;
    return options;
}

/// What a kernel is known by, without the names, which count on from test to test.
std::vector<std::vector<int>> facts(const Trial &trial) {
    std::vector<std::vector<int>> all;
    for (const TrialKernel &k : trial.kernels) {
        all.push_back({k.ptx->counts.special_ops, k.ptx->counts.float_ops, k.ptx->registers, k.resources->registers});
    }
    return all;
}

TEST(DeviceCode, IsTheSameInShares) {
    const Trial whole = roots(0, assembled());
    ASSERT_EQ(whole.kernels.size(), 4u);
    for (int k = 0; k < 4; k++) {
        EXPECT_GE(whole.kernels[static_cast<size_t>(k)].ptx->counts.special_ops, k + 1);
    }
    EXPECT_NE(whole.ptx.find(".visible .entry"), std::string::npos);
    LowerOptions options = assembled();
    options.least_share = 1;
    for (const int at_once : {2, 3, 9}) {
        options.at_once = at_once;
        EXPECT_EQ(facts(roots(0, options)), facts(whole)) << at_once;
    }
}

TEST(DeviceCode, WhatIsKnownIsNotMadeAgain) {
    // In children, so that names are the same in both trials, as they are for a verifier.
    const auto in_child = [](int more, const LowerOptions &options) {
        const ChildResult r = run_in_child([&] { return to_json_text(roots(more, options)); }, 60);
        EXPECT_TRUE(r.ok()) << r.message;
        return trial_from_json_text(r.bytes);
    };
    LowerOptions options = assembled();
    const Trial first = in_child(0, options);
    options.known = kernels_of(first);
    EXPECT_EQ(options.known.size(), 4u);
    EXPECT_EQ(kernels_from_json_text(to_json_text(options.known)).size(), 4u);

    const Trial again = in_child(0, options);
    EXPECT_EQ(facts(again), facts(first));
    EXPECT_EQ(again.ptx, "");

    const Trial changed = in_child(5, options);
    EXPECT_EQ(changed.kernels[2].resources->registers, first.kernels[2].resources->registers);
    EXPECT_GT(changed.kernels[3].ptx->counts.special_ops, first.kernels[3].ptx->counts.special_ops);
    EXPECT_EQ(read_ptx(changed.ptx).size(), 1u);
}

TEST(DeviceCode, IsMadeOfWhatIsWorthItAsLowered) {
    LowerOptions options = assembled();
    size_t asked = 0;
    const auto answer = [&](bool worth) {
        options.worth_code = [&asked, worth](const Trial &lowered) {
            asked = lowered.kernels.size();
            return worth;
        };
        return roots(0, options);
    };
    const Trial not_worth = answer(false);
    EXPECT_EQ(asked, 4u);
    ASSERT_EQ(not_worth.kernels.size(), 4u);
    EXPECT_EQ(not_worth.ptx, "");
    EXPECT_FALSE(not_worth.kernels[0].resources);
    EXPECT_TRUE(kernels_of(not_worth).empty());
    EXPECT_EQ(facts(answer(true)), facts(roots(0, assembled())));
}

TEST(DeviceCode, WithoutAKernelThereIsNone) {
    Var x("x");
    Func f("f");
    f(x) = x;
    const Trial trial = lower(Halide::Pipeline(f), kCuda, assembled());
    EXPECT_TRUE(trial.kernels.empty());
    EXPECT_EQ(trial.ptx, "");
}

}  // namespace
}  // namespace warptile
