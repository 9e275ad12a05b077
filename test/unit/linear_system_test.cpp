// Systems of inequalities, by hand.
#include "dag/linear_system.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

using namespace warptile;

namespace {

// constant + a * (variable 0) + b * (variable 1)
LinearForm form(int64_t constant, int64_t a, int64_t b = 0) {
    return plus({constant, {}}, plus(plus({}, {0, {{0, 1}}}, a), {0, {{1, 1}}}, b));
}

LinearSystem of_two_variables() {
    LinearSystem system;
    system.add_variable();
    system.add_variable();
    return system;
}

}  // namespace

TEST(LinearSystem, WhatCannotHoldAtOnceIsExcluded) {
    LinearSystem system = of_two_variables();
    EXPECT_FALSE(system.excludes(form(0, 1)));
    EXPECT_TRUE(system.excludes(form(1, 0))) << "1 <= 0";
    system.require(form(-5, 1, 1));  // x + y <= 5
    system.require(form(3, -1, 0));  // 3 <= x
    EXPECT_FALSE(system.excludes(form(2, 0, -1))) << "2 <= y";
    EXPECT_TRUE(system.excludes(form(3, 0, -1))) << "3 <= y";
    EXPECT_FALSE(system.excludes(form(1000, 0, 1))) << "y <= -1000: there is no lower bound";
}

TEST(LinearSystem, AChoiceIsExcludedByBothOfItsCases) {
    LinearSystem system = of_two_variables();
    system.require(form(-10, 1));                               // x <= 10
    system.require_one_of({form(0, -1, 1)}, {form(-4, 0, 1)});  // y <= x, or y <= 4
    EXPECT_FALSE(system.excludes(form(10, 0, -1)));
    EXPECT_TRUE(system.excludes(form(11, 0, -1)));
    system.require_one_of({form(-2, 1), form(2, -1)}, {form(-3, 1), form(3, -1)});  // x is 2 or 3
    EXPECT_FALSE(system.excludes(form(4, 0, -1)));
    EXPECT_TRUE(system.excludes(form(5, 0, -1)));
}

TEST(LinearSystem, WhatIsTooLargeIsNotFoundOut) {
    const int64_t large = std::numeric_limits<int64_t>::max();
    EXPECT_THROW(plus({large, {}}, {1, {}}), std::overflow_error);
    EXPECT_THROW(plus({0, {{0, large}}}, {0, {{0, 1}}}), std::overflow_error);
    LinearSystem system = of_two_variables();
    system.require(form(large - 1, large, 3));
    system.require(form(7, -5, large - 2));
    EXPECT_FALSE(system.excludes(form(1, 2 - large, 11)));
}
