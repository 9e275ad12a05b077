#include "verify/lowered/known_numbers.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Var;

TEST(KnownNumbers, AreThoseOfTheBranchTheyStandIn) {
    const Var n("n");
    KnownNumbers numbers;
    const Expr blocks = (n + 31) / 32;
    const auto most = [&](const Expr &condition, bool holds) {
        const std::vector<std::string> assumed = numbers.assume(condition, holds);
        const std::optional<int64_t> at_most = numbers.number(blocks).at_most;
        numbers.forget(assumed);
        return at_most;
    };
    EXPECT_EQ(most(Expr(37) <= n, false), 2);  // 36 points at most
    EXPECT_EQ(most(n < 65, true), 2);
    EXPECT_EQ(most(n <= 65, true), 3);
    EXPECT_EQ(most(!(Expr(64) < n), true), 2);
    EXPECT_EQ(most(Expr(70) == n, true), 3);
    EXPECT_EQ(most(n < 65 && n < 33, true), 1);
    EXPECT_EQ(most(Expr(37) <= n, true), std::nullopt);
    EXPECT_EQ(most(n < 65 && n < 33, false), std::nullopt) << "either may be what does not hold";
    EXPECT_EQ(most(n == 70, false), std::nullopt);
    EXPECT_EQ(numbers.number(blocks).at_most, std::nullopt) << "forgotten";
}

TEST(KnownNumbers, ABranchInABranchKnowsBoth) {
    const Var n("n");
    KnownNumbers numbers;
    const std::vector<std::string> outer = numbers.assume(n < 65, true);
    const std::vector<std::string> inner = numbers.assume(n < 100, true);
    EXPECT_EQ(numbers.number(n).at_most, 64);
    numbers.forget(inner);
    EXPECT_EQ(numbers.number(n).at_most, 64);
    numbers.forget(outer);
    EXPECT_EQ(numbers.number(n).at_most, std::nullopt);
}

}  // namespace
}  // namespace warptile
