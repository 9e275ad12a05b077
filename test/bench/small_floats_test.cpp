// Floats of 16 bits: read, made, and compared.
#include "tools/bench/running/agreement.h"
#include "tools/bench/running/small_floats.h"

#include <gtest/gtest.h>

namespace warptile::bench {
namespace {

double half(uint16_t bits) {
    Half value;
    value.bits = bits;
    return double(value);
}

TEST(SmallFloats, HalvesAreReadAsIeeeHasThem) {
    EXPECT_EQ(half(0x3c00), 1.0);
    EXPECT_EQ(half(0xc000), -2.0);
    EXPECT_EQ(half(0x3555), 0.333251953125);
    EXPECT_EQ(half(0x7bff), 65504.0);
    EXPECT_EQ(half(0x0001), 5.9604644775390625e-08);
    EXPECT_TRUE(std::isinf(half(0xfc00)) && half(0xfc00) < 0);
    EXPECT_TRUE(std::isnan(half(0x7e00)));
    for (const double exact : {0.0, 1.0, -2.0, 0.001953125, 0.998046875, 65504.0}) {
        EXPECT_EQ(double(Half(exact)), exact);
    }
}

TEST(SmallFloats, BrainFloatsAreTheUpperHalfOfFloats) {
    for (const double exact : {0.0, 1.0, -2.0, 0.00390625, 0.9921875, 3e38}) {
        EXPECT_NEAR(double(BrainFloat(exact)), exact, std::abs(exact) / 128);
    }
    EXPECT_EQ(BrainFloat(1.0).bits, 0x3f80);
}

template<typename T>
void expect_a_unit_allowed() {
    Halide::Runtime::Buffer<T> expected(8), actual(8);
    for (int i = 0; i < 8; i++) {
        expected(i) = actual(i) = T(0.5 + i / 16.0);
    }
    EXPECT_TRUE(compare(actual, expected, {}).agrees);
    actual(7).bits++;  // a unit of its last place
    EXPECT_TRUE(compare(actual, expected, {}).agrees);
    actual(7).bits = uint16_t(actual(7).bits + 7);
    EXPECT_FALSE(compare(actual, expected, {}).agrees);
}

TEST(SmallFloats, AUnitOfTheLastPlaceIsAllowed) {
    expect_a_unit_allowed<Half>();
    expect_a_unit_allowed<BrainFloat>();
}

}  // namespace
}  // namespace warptile::bench
