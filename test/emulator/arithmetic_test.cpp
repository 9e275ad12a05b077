// Numbers: what the corner cases of the instructions give.
#include <cmath>
#include <cstring>
#include <limits>

#include "card.h"

using namespace warptile::emulator;

namespace {

/// `opcode d, a, b` of two numbers, 32 bits each.
template<class T>
T of_two(const std::string &opcode, T a, T b) {
    return after<T>("ld.global.v2.b32 {%r2, %r3}, [%rd1];\n" + opcode + " %r4, %r2, %r3;\nst.global.b32 [%rd1], %r4;",
                    {a, b})[0];
}

template<class T>
T of_one(const std::string &opcode, T a) {
    return after<T>("ld.global.b32 %r2, [%rd1];\n" + opcode + " %r4, %r2;\nst.global.b32 [%rd1], %r4;", {a})[0];
}

/// cvt from float to a 32-bit register.
int32_t converted(const std::string &opcode, float value) {
    const std::vector<float> memory =
        after<float>("ld.global.b32 %r2, [%rd1];\n" + opcode + " %r4, %r2;\nst.global.b32 [%rd1], %r4;", {value});
    int32_t bits = 0;
    std::memcpy(&bits, memory.data(), 4);
    return bits;
}

constexpr float infinity = std::numeric_limits<float>::infinity(),
                not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST(Integers, WrapAround) {
    EXPECT_EQ(of_two<int32_t>("add.s32", INT32_MAX, 1), INT32_MIN);
    EXPECT_EQ(of_two<int32_t>("mul.lo.s32", 1 << 20, 1 << 13), 0);
    EXPECT_EQ(of_two<int32_t>("mul.hi.s32", -1, 2), -1);
    EXPECT_EQ(of_two<uint32_t>("mul.hi.u32", 0xffffffff, 2), 1u);
    EXPECT_EQ(of_two<int32_t>("add.sat.s32", INT32_MAX, 1), INT32_MAX);
    EXPECT_EQ(of_one<int32_t>("abs.s32", INT32_MIN), INT32_MIN);
}

TEST(Integers, DivideLikeACard) {
    EXPECT_EQ(of_two<int32_t>("div.s32", -7, 2), -3);
    EXPECT_EQ(of_two<int32_t>("rem.s32", -7, 2), -1);
    EXPECT_EQ(of_two<int32_t>("div.s32", INT32_MIN, -1), INT32_MIN);
    EXPECT_EQ(of_two<int32_t>("rem.s32", INT32_MIN, -1), 0);
    EXPECT_EQ(of_two<uint32_t>("div.u32", 7, 0), 0xffffffffu);
    EXPECT_EQ(of_two<uint32_t>("rem.u32", 7, 0), 7u);
    EXPECT_EQ(of_two<uint32_t>("div.u32", 0xfffffffe, 2), 0x7fffffffu);
}

TEST(Integers, CompareWithAndWithoutSign) {
    EXPECT_EQ(of_two<int32_t>("min.s32", -1, 1), -1);
    EXPECT_EQ(of_two<int32_t>("min.u32", -1, 1), 1);
    EXPECT_EQ(of_two<int32_t>("max.s32", -1, 1), 1);
    EXPECT_EQ(of_two<int32_t>("max.u32", -1, 1), -1);
}

TEST(Integers, ShiftEverythingOut) {
    EXPECT_EQ(of_two<int32_t>("shl.b32", 3, 32), 0);
    EXPECT_EQ(of_two<int32_t>("shr.s32", -8, 40), -1);
    EXPECT_EQ(of_two<int32_t>("shr.u32", -8, 40), 0);
    EXPECT_EQ(of_two<int32_t>("shr.s32", -8, 2), -2);
}

TEST(Integers, PickBits) {
    EXPECT_EQ(of_one<uint32_t>("popc.b32", 0xf0f0), 8u);
    EXPECT_EQ(of_one<uint32_t>("clz.b32", 0), 32u);
    EXPECT_EQ(of_one<uint32_t>("clz.b32", 0x10), 27u);
    EXPECT_EQ(of_one<uint32_t>("brev.b32", 1), 0x80000000u);
    EXPECT_EQ(of_one<uint32_t>("bfind.u32", 0), 0xffffffffu);
    EXPECT_EQ(after<uint32_t>("ld.global.b32 %r2, [%rd1];\nbfe.s32 %r3, %r2, 4, 4;\nbfi.b32 %r4, 5, %r2, 8, 4;\n"
                              "prmt.b32 %r5, %r2, 0, 0x0123;\nshf.l.wrap.b32 %r6, %r2, %r2, 8;\n"
                              "st.global.v4.b32 [%rd1], {%r3, %r4, %r5, %r6};",
                              {0x123456f8, 0, 0, 0}),
              (std::vector<uint32_t>{0xffffffff, 0x123455f8, 0xf8563412, 0x3456f812}));
}

TEST(Integers, WiderProductsAndDotProducts) {
    EXPECT_EQ(after<int64_t>("mov.b32 %r2, -3;\nmul.wide.s32 %rd2, %r2, 2000000000;\nst.global.b64 [%rd1], %rd2;\n"
                             "mad.wide.u32 %rd3, %r2, 2, %rd2;\nst.global.b64 [%rd1+8], %rd3;",
                             {0, 0}),
              (std::vector<int64_t>{-6000000000, 2 * (int64_t(1) << 32) - 6 - 6000000000}));
    EXPECT_EQ(after<uint32_t>("ld.global.v2.b32 {%r2, %r3}, [%rd1];\ndp4a.s32.u32 %r4, %r2, %r3, 10;\n"
                              "st.global.b32 [%rd1], %r4;",
                              {0xff020304, 0x01010101})[0],
              10u + 9 - 1);
}

// (2^32 - 1)^2 is 2^64 - 2^33 + 1; with 2^32 - 1 more its low half is 0, and the carry makes the high one 2^32 - 1.
TEST(Integers, ProductsCarry) {
    EXPECT_EQ(after<uint32_t>("ld.global.b32 %r2, [%rd1];\nmad.lo.cc.u32 %r3, %r2, %r2, %r2;\n"
                              "madc.hi.u32 %r4, %r2, %r2, 0;\nmad.lo.cc.u32 %r5, %r2, %r2, 0;\n"
                              "madc.hi.cc.u32 %r6, %r2, %r2, 0;\nst.global.v4.b32 [%rd1], {%r3, %r4, %r5, %r6};",
                              {0xffffffff, 0, 0, 0}),
              (std::vector<uint32_t>{0, 0xffffffff, 1, 0xfffffffe}));
}

TEST(Floats, MinimumAndMaximumOfWhatIsNoNumber) {
    EXPECT_EQ(of_two<float>("min.f32", not_a_number, 2), 2);
    EXPECT_EQ(of_two<float>("max.f32", 2, not_a_number), 2);
    EXPECT_TRUE(std::isnan(of_two<float>("min.f32", not_a_number, not_a_number)));
    EXPECT_TRUE(std::isnan(of_two<float>("min.NaN.f32", not_a_number, 2)));
    EXPECT_TRUE(std::signbit(of_two<float>("min.f32", 0.0f, -0.0f)));
    EXPECT_FALSE(std::signbit(of_two<float>("max.f32", -0.0f, 0.0f)));
}

TEST(Floats, RoundAsTold) {
    const float third = 1.0f / 3;
    EXPECT_EQ(of_two<float>("div.rn.f32", 1, 3), third);
    EXPECT_EQ(of_two<float>("div.rm.f32", 1, 3), std::nextafter(third, 0.0f));
    EXPECT_EQ(of_two<float>("div.rp.f32", 1, 3), third);
    EXPECT_EQ(of_two<float>("div.rz.f32", -1, 3), -std::nextafter(third, 0.0f));
    EXPECT_EQ(of_two<float>("mul.ftz.f32", 1e-30f, 1e-10f), 0);
    EXPECT_GT(of_two<float>("mul.f32", 1e-30f, 1e-10f), 0);
    EXPECT_EQ(of_two<float>("add.sat.f32", 3, 4), 1);
    EXPECT_EQ(of_two<float>("sub.sat.f32", 3, 4), 0);
    EXPECT_EQ(of_one<float>("ex2.approx.ftz.f32", 10), 1024);
    EXPECT_EQ(of_one<float>("rsqrt.approx.f32", 16), 0.25f);
}

TEST(Floats, CompareWhatIsNoNumber) {
    const auto compared = [](const std::string &how, float a, float b) {
        return after<float>("ld.global.v2.b32 {%r2, %r3}, [%rd1];\nsetp." + how +
                                ".f32 %p1, %r2, %r3;\nselp.b32 %r4, 0f3F800000, 0f00000000, %p1;\n"
                                "st.global.b32 [%rd1], %r4;",
                            {a, b})[0] == 1;
    };
    EXPECT_FALSE(compared("lt", not_a_number, 1));
    EXPECT_TRUE(compared("ltu", not_a_number, 1));
    EXPECT_TRUE(compared("neu", not_a_number, not_a_number));
    EXPECT_FALSE(compared("ne", not_a_number, 1));
    EXPECT_TRUE(compared("nan", not_a_number, 1));
    EXPECT_TRUE(compared("num", 2, 1));
    EXPECT_TRUE(compared("ge", 2, 2));
}

TEST(Conversions, SaturateOutsideTheRange) {
    EXPECT_EQ(converted("cvt.rzi.s32.f32", 3e9f), INT32_MAX);
    EXPECT_EQ(converted("cvt.rzi.s32.f32", -3e9f), INT32_MIN);
    EXPECT_EQ(converted("cvt.rzi.s32.f32", not_a_number), 0);
    EXPECT_EQ(converted("cvt.rzi.u32.f32", -1.5f), 0);
    EXPECT_EQ(converted("cvt.rzi.u32.f32", infinity), -1);
    EXPECT_EQ(converted("cvt.rzi.u16.f32", 70000), 65535);
}

TEST(Conversions, RoundToWholeNumbers) {
    EXPECT_EQ(converted("cvt.rni.s32.f32", 2.5f), 2);
    EXPECT_EQ(converted("cvt.rni.s32.f32", 3.5f), 4);
    EXPECT_EQ(converted("cvt.rmi.s32.f32", -2.5f), -3);
    EXPECT_EQ(converted("cvt.rpi.s32.f32", -2.5f), -2);
    EXPECT_EQ(of_one<float>("cvt.rmi.f32.f32", -0.5f), -1);
    EXPECT_EQ(of_one<float>("cvt.rzi.f32.f32", -0.5f), 0);
    EXPECT_EQ(of_one<float>("cvt.sat.f32.f32", 1.5f), 1);
}

TEST(Conversions, BetweenIntegers) {
    EXPECT_EQ(of_one<int32_t>("cvt.s32.s8", 0x1ff), -1);
    EXPECT_EQ(of_one<int32_t>("cvt.u32.u8", 0x1ff), 255);
    EXPECT_EQ(of_one<int32_t>("cvt.sat.u8.s32", -5), 0);
    EXPECT_EQ(of_one<int32_t>("cvt.sat.s8.s32", 300), 127);
    EXPECT_EQ(of_one<int32_t>("cvt.rn.f32.u32", -1), 0x4f800000);
    EXPECT_EQ(of_one<int32_t>("cvt.rz.f32.u32", -1), 0x4f7fffff);
}

TEST(Conversions, Halves) {
    const auto half = [](float value) {
        return after<float>("ld.global.b32 %r2, [%rd1];\ncvt.rn.f16.f32 %rs1, %r2;\ncvt.f32.f16 %r3, %rs1;\n"
                            "st.global.b32 [%rd1], %r3;",
                            {value})[0];
    };
    EXPECT_EQ(half(1), 1);
    EXPECT_EQ(half(-2049), -2048);  // to the even neighbour
    EXPECT_EQ(half(2051), 2052);
    EXPECT_EQ(half(65519), 65504);
    EXPECT_EQ(half(65520), infinity);
    EXPECT_EQ(half(6e-8f), std::ldexp(1.0f, -24));
    EXPECT_EQ(half(2e-8f), 0);
    EXPECT_EQ(half(std::ldexp(1023.0f, -24)), std::ldexp(1023.0f, -24));
}

TEST(Moves, PackAndTakeApart) {
    EXPECT_EQ(
        after<uint32_t>("ld.global.v2.b32 {%r2, %r3}, [%rd1];\nmov.b64 %rd2, {%r3, %r2};\nst.global.b64 [%rd1], %rd2;\n"
                        "mov.b32 {%rs1, %rs2}, %r2;\nmov.b32 %r4, {%rs2, %rs1};\nst.global.b32 [%rd1+8], %r4;",
                        {0x11112222, 0x33334444, 0}),
        (std::vector<uint32_t>{0x33334444, 0x11112222, 0x22221111}));
}

TEST(Moves, LoadsExtend) {
    EXPECT_EQ(after<int32_t>("ld.global.s8 %r2, [%rd1];\nld.global.u8 %r3, [%rd1];\nld.global.s16 %r4, [%rd1];\n"
                             "mov.b32 %r5, 7;\nst.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};",
                             {0xfffe, 0, 0, 0}),
              (std::vector<int32_t>{-2, 254, -2, 7}));
}
