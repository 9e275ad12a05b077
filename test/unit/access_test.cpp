// One axis of an access: what it covers, its largest extent, and how index expressions are read.

#include "dag/access.h"

#include <gtest/gtest.h>

#include <numeric>

#include "dag/halide/access.h"

namespace warptile {
namespace {

AxisAccess affine(std::vector<Term> terms, int64_t denominator, int64_t lo, int64_t hi) {
    AxisAccess axis;
    axis.terms = std::move(terms);
    axis.denominator = denominator;
    axis.lo = lo;
    axis.hi = hi;
    return axis;
}

TEST(Access, CoversTheImageOfItsLoops) {
    const Region loops = {{4, 9}, {0, 2}};
    EXPECT_EQ(covered(affine({{0, 1}}, 1, -1, 2), loops, {}), (Interval{3, 11}));
    EXPECT_EQ(covered(affine({{0, 2}}, 1, 0, 1), loops, {}), (Interval{8, 19}));
    EXPECT_EQ(covered(affine({{0, 1}}, 2, 0, 1), loops, {}), (Interval{2, 5}));
    EXPECT_EQ(covered(affine({{0, 1}, {1, 1}}, 1, 0, 0), loops, {}), (Interval{4, 11}));
    EXPECT_EQ(covered(affine({{0, 1}, {1, -3}}, 1, 0, 0), loops, {}), (Interval{-2, 9}));
    EXPECT_EQ(covered(affine({{0, -1}}, 2, 0, 0), loops, {}), (Interval{-5, -2}));
    EXPECT_EQ(covered(affine({}, 1, 3, 3), loops, {}), (Interval{3, 3}));
    EXPECT_TRUE(covered(affine({{0, 1}}, 1, 0, 0), {{}}, {}).empty());
    AxisAccess anywhere;
    anywhere.kind = AxisAccess::Kind::Unknown;
    EXPECT_EQ(covered(anywhere, loops, {-5, 50}), (Interval{-5, 50}));
}

TEST(Access, ClampsItsEnds) {
    AxisAccess axis = affine({{0, 1}}, 1, -1, 1);
    axis.limits = {0, 9};
    EXPECT_EQ(covered(axis, {{0, 3}}, {}), (Interval{0, 4}));
    EXPECT_EQ(covered(axis, {{20, 30}}, {}), (Interval{9, 9}));
}

// Compared with trying every alignment of the loops. Where numerator and denominator have a divisor in common, which
// the reader divides out, the bound may be larger.
TEST(Access, LargestExtentHoldsForEveryAlignment) {
    for (const int64_t numerator : {1, 2, 3, -1, -2}) {
        for (const int64_t denominator : {1, 2, 3, 5}) {
            for (const int64_t hi : {0, 1, 4}) {
                for (const int64_t extent : {1, 2, 5, 8}) {
                    const AxisAccess axis = affine({{0, numerator}}, denominator, 0, hi);
                    int64_t largest = 0;
                    for (int64_t start = 0; start < 30; start++) {
                        largest = std::max(largest, covered(axis, {{start, start + extent - 1}}, {}).extent());
                    }
                    const int64_t bound = max_extent(axis, {extent}, {});
                    EXPECT_GE(bound, largest) << to_string(axis) << " over " << extent;
                    if (std::gcd(numerator, denominator) == 1) {
                        EXPECT_EQ(bound, largest) << to_string(axis) << " over " << extent;
                    }
                }
            }
        }
    }
    EXPECT_EQ(max_extent(affine({}, 1, 2, 5), {}, {}), 4);
}

class ReadIndex : public ::testing::Test {
protected:
    std::string read(const Halide::Expr &index, bool is_input = false) {
        Loop x_loop, y_loop, r_loop;
        x_loop.name = "x";
        y_loop.name = "y";
        r_loop.name = "r";
        r_loop.reduction = r_loop.extent_known = true;
        r_loop.estimate = {-1, 1};
        const PipelineOrder no_funcs;
        const Estimates estimates(no_funcs, Halide::get_host_target());
        AccessReader reader({x_loop, y_loop, r_loop}, values_, estimates);
        std::string text;
        for (const Access &access : reader.read({index}, is_input)) {
            const AxisAccess &axis = access.axes[0];
            text += text.empty() ? "" : " | ";
            text += axis.estimated ? "about " : "";
            text += axis.kind == AxisAccess::Kind::Absolute ? "any " + to_string(axis) : to_string(axis);
        }
        data_dependent_ = reader.take_data_dependent();
        return text;
    }

    const Halide::Expr x = Halide::Var("x"), y = Halide::Var("y"), r = Halide::Var("r");
    Halide::Internal::FuncValueBounds values_;
    bool data_dependent_ = false;
};

TEST_F(ReadIndex, AffineIndices) {
    EXPECT_EQ(read(x), "i0");
    EXPECT_EQ(read(x - 2), "i0 - 2");
    EXPECT_EQ(read(y * 3 + 7), "3*i1 + 7");
    EXPECT_EQ(read(5 - x), "-i0 + 5");
    EXPECT_EQ(read(2 * (x + y) + r), "2*i0 + 2*i1 + i2");
    EXPECT_EQ(read((x << 3) + 1), "8*i0 + 1");
    EXPECT_EQ(read(Halide::cast<int>(Halide::cast<int64_t>(x) + 1)), "i0 + 1");
    EXPECT_EQ(read(Halide::likely(x) + 1), "i0 + 1");
    EXPECT_EQ(read(Halide::Expr(4)), "4");
}

TEST_F(ReadIndex, RationalIndices) {
    EXPECT_EQ(read(x / 2), "(i0)/2");
    EXPECT_EQ(read((x + 1) / 2), "(i0 + 1)/2");
    EXPECT_EQ(read(x / 2 / 3 + 1), "(i0 + 6)/6");
    EXPECT_EQ(read((4 * x + 6) / 2), "2*i0 + 3");
    EXPECT_EQ(read((2 * x + 3) / 4), "(i0 + 1)/2");
    EXPECT_EQ(read((x >> 1) - 1), "(i0 - 2)/2");
    EXPECT_EQ(read(-(x / 2)), "(-i0 + 1)/2");
    EXPECT_EQ(read(x / -2), "(-i0 + 1)/2");
    EXPECT_EQ(read(x / 2 * 2), "i0 + [-1..0]");
    EXPECT_EQ(read(x / 2 - 1 + 2 * (x % 2)), "(i0 + [-2..2])/2");
    EXPECT_EQ(read(x / 2 + y), "(i0 + 2*i1)/2");
    // Halide does not cancel these two, so neither may the access.
    EXPECT_EQ(read(x - x / 2), "(2*i0 - i0 + 1)/2");
}

TEST_F(ReadIndex, ClampsAreSeenThrough) {
    EXPECT_EQ(read(Halide::clamp(x - 1, 0, 99)), "i0 - 1 in [0..99]");
    EXPECT_EQ(read(Halide::min(x, 99) + 1), "i0 + 1 in [..100]");
    EXPECT_EQ(read(Halide::clamp(x, 0, 99) / 2), "(i0)/2 in [0..49]");
    EXPECT_EQ(read(Halide::clamp(x, 0, 99) * -1), "-i0 in [-99..0]");
    EXPECT_EQ(read(Halide::max(x, y)), "i0 | i1");
    EXPECT_EQ(read(Halide::max(x, x + 2)), "i0 + [0..2]");
    EXPECT_EQ(read(Halide::clamp(x, 0, 99) + y), "? ~ 1*i0 + 1*i1");
}

TEST_F(ReadIndex, Alternatives) {
    EXPECT_EQ(read(Halide::select(x < 3, x + 1, 9 - x)), "i0 + 1 | -i0 + 9");
    const Halide::Expr mirrored =
        Halide::select(x < 0, (x % 10) + 0, Halide::likely(Halide::clamp(Halide::likely(x), 0, 9)));
    EXPECT_EQ(read(mirrored), "any [0..9] | i0 in [0..9]");
    EXPECT_EQ(read(mirrored, true), "i0 in [0..9]");
}

TEST_F(ReadIndex, EstimatesTakeThePlaceOfParameters) {
    Halide::Param<int> p, unknown;
    p.set_estimate(3);
    EXPECT_EQ(read(x + 2 * p), "about i0 + 6");
    EXPECT_EQ(read(x / p), "about (i0)/3");
    EXPECT_EQ(read(x % p), "about any [0..2] ~ 0.0625*i0");
    EXPECT_EQ(read(Halide::clamp(x, 0, p)), "i0 in [0..3]");  // the limits only shrink it
    EXPECT_EQ(read(x + unknown), "?");
}

TEST_F(ReadIndex, WhatIsNotAffineIsAnInterval) {
    EXPECT_EQ(read(x % 2), "any [0..1] ~ 0.0625*i0");
    EXPECT_EQ(read(x % 4 + y), "i1 + [0..3]");
    EXPECT_EQ(read(Halide::cast<int>(Halide::cast<uint8_t>(x))), "any [0..255] ~ 1*i0");
    EXPECT_EQ(read(r * r), "any [-1..1] ~ 0.0625*i2");
    EXPECT_FALSE(data_dependent_);
    Halide::ImageParam table(Halide::UInt(8), 1);
    EXPECT_EQ(read(Halide::cast<int>(table(x))), "any [0..255]");
    EXPECT_TRUE(data_dependent_);
    EXPECT_EQ(read(x + Halide::clamp(Halide::cast<int>(table(x)), 1, 3)), "i0 + [1..3]");
    EXPECT_TRUE(data_dependent_);
    EXPECT_EQ(read(x * y), "? ~ 300*i0 + 300*i1");
    EXPECT_TRUE(data_dependent_);
}

}  // namespace
}  // namespace warptile
