#include "tools/bench/running/agreement.h"

#include <gtest/gtest.h>

namespace warptile::bench {
namespace {

// 2^20 terms: the square root is 2^10, a rounding 2^-24, and four of that 2^-12.
TEST(Agreement, SumsMayDifferByTheRootOfTheirTerms) {
    EXPECT_DOUBLE_EQ(rounding_of_sums(1 << 20), 1.0 / 4096);
    EXPECT_DOUBLE_EQ(rounding_of_sums(0), 0);
}

TEST(Agreement, IsOfTheLargestMagnitude) {
    Halide::Runtime::Buffer<float> output(3), reference(3);
    for (int i = 0; i < 3; i++) {
        output(i) = reference(i) = float(i) * 50;
    }
    output(1) = 50.5f;
    const AnyBuffer actual = output, expected = reference;
    EXPECT_FALSE(compare(actual, expected, {0.004, 0}).agrees);  // 0.4 of 100
    EXPECT_TRUE(compare(actual, expected, {0.006, 0}).agrees);
    EXPECT_EQ(compare(actual, expected, {0.004, 0}).values_off, 1);
}

}  // namespace
}  // namespace warptile::bench
