// Expressions written such that terms which cancel stand beside each other: bounds by hand.
#include "verify/spread.h"

#include <Halide.h>
#include <gtest/gtest.h>

using namespace warptile;
using namespace Halide;

TEST(Spread, TermsThatCancelMeet) {
    const Var t("t"), width("width");
    const auto most = [](const Expr &e) {
        const Internal::Scope<Internal::Interval> nothing_known;
        return Internal::find_constant_bounds(spread(e), nothing_known).max;
    };
    const auto is = [](const Expr &e, int value) { return Internal::is_const(e, value); };
    EXPECT_TRUE(is(most(max(min(t * 28 + 60, width) + 2, t * 28) - t * 28), 62));
    EXPECT_TRUE(is(most(t * 28 - max(t * 28 - 5, width)), 5));
    EXPECT_TRUE(is(most((min(width, t + 3) - t) * 4), 12));
    EXPECT_TRUE(is(most((max(t - 3, width) - t) * -4), 12));
    EXPECT_TRUE(is(most(min(t + 1, width) - max(t, width - 7)), 1));
    EXPECT_FALSE(most(min(t, width)).as<Internal::IntImm>());
}
