// Integer expressions as they come out of Halide's lowering: their largest values by hand.
#include "verify/lowered/largest_value.h"

#include <Halide.h>
#include <gtest/gtest.h>

#include <map>

using namespace warptile;
using namespace Halide;

namespace {

using Lets = std::map<std::string, Expr>;

Extremes found(const Expr &e, const Lets &lets = {}) {
    const Internal::Scope<Internal::Interval> nothing_known;
    const ValueOf value_of = [&](const std::string &name) {
        const auto let = lets.find(name);
        return let == lets.end() ? Expr() : let->second;
    };
    return extremes(e, value_of, [&](const Expr &part) { return find_constant_bounds(part, nothing_known); });
}

std::optional<int64_t> most(const Expr &e, const Lets &lets = {}) { return found(e, lets).largest; }

const Var t("t"), x("x"), y("y"), width("width");

}  // namespace

TEST(LargestValue, TermsThatCancelMeet) {
    EXPECT_EQ(most(max(min(t * 28 + 60, width) + 2, t * 28) - t * 28), 62);
    EXPECT_EQ(most(t * 28 - max(t * 28 - 5, width)), 5);
    EXPECT_EQ(most((min(width, t + 3) - t) * 4), 12);
    EXPECT_EQ(most((max(t - 3, width) - t) * -4), 12);
    EXPECT_EQ(most(min(t + 1, width) - max(t, width - 7)), 1);
    EXPECT_EQ(most(min(t, width)), std::nullopt);
    EXPECT_EQ(most(max(t, width) - t), std::nullopt);
}

TEST(LargestValue, OfQuotientsOfOneNumber) {
    EXPECT_EQ(most((x + 3) / 2 - x / 2), 2);
    EXPECT_EQ(most((x + 7) / 4 * 4 - x / 4 * 4), 8);
    EXPECT_EQ(most(x % 8), 7);
    EXPECT_EQ(most(x - x / 8 * 8 + x % 3), 9);
    EXPECT_EQ(most(((x + 3) / 2 + 1) / 2 - x / 4), 2) << "halved twice";
    EXPECT_EQ(most((x + 3) / 2 - y / 2), std::nullopt);
    EXPECT_EQ(most((x * 8 + y + 5) / 4 - (x * 8 + y) / 4), 2) << "a multiple is taken out";
}

// Of a pyramid's level in the kernel of the one above: what a tile of four rows reads, whether it begins at an even row
// or an odd one.
TEST(LargestValue, OfATileOfAPyramid) {
    const Expr last = max(min((y + -3) / 2 + (16 - y % 2) / 8 * 4, y / 2 + 3) * 2, y + 2);
    const Expr rows = max(last, y / 2 * 2 + 6) - (y + -3) / 2 * 2 + 2;
    EXPECT_EQ(most(rows), 12);
    const Expr first_row = (x + t) * 4 + (width + -62) / 64;
    EXPECT_EQ(most(Internal::substitute("y", first_row, rows)), 12);
}

TEST(LargestValue, WhatTwoTermsHaveInCommonIsOneNumber) {
    const Expr edge = min(x * 8 + 9, width / 128);
    EXPECT_EQ(most(max(edge, 1) - max(min(x * 8 - 1, width / 128 - 1), 0)), 10);
    const Expr any = Internal::Call::make(Int(32), "any", {x}, Internal::Call::PureExtern);
    EXPECT_EQ(most(max(any + 2, width) - max(any, width)), 2);
    const Expr other = Internal::Call::make(Int(32), "any", {y}, Internal::Call::PureExtern);
    EXPECT_EQ(most(max(any + 2, width) - max(other, width)), std::nullopt);
}

TEST(LargestValue, OfLets) {
    const Lets lets = {{"begin", x * 4 + width / 2}, {"end", min(Var("begin") + 10, width)}};
    EXPECT_EQ(most(Var("end") - (x * 4 + width / 2), lets), 10);
    EXPECT_EQ(most(Internal::Let::make("a", x + 5, Var("a") - x)), 5);
    EXPECT_EQ(most(Internal::Let::make("a", x + 5, Var("a") - x) + Var("a")), std::nullopt) << "another a";
    const Lets hides = {{"x", Var("x") + 5}};  // the value's own x is one further out
    EXPECT_EQ(most(Var("x") - Var("x"), hides), 0);
    EXPECT_EQ(most(Var("x") - y, hides), std::nullopt);
}

TEST(LargestValue, OfWhatIsSelected) {
    EXPECT_EQ(most(select(x < 5, x, 4)), 4);
    EXPECT_EQ(most(select(x <= y, x, y) - min(x, y)), 0);
    EXPECT_EQ(most(select(x == y, 3, 7)), 7);
}

TEST(LargestValue, AlwaysTheSame) {
    EXPECT_TRUE(found(max(x, y) - max(y, x) + 4).always);
    EXPECT_EQ(most(max(x, y) - max(y, x) + 4), 4);
    EXPECT_TRUE(found(t * 28 + 60 - t * 28).always);
    EXPECT_FALSE(found(x % 8).always);
    EXPECT_EQ(most(Expr(-5)), 0) << "not the largest, but not below it";
}

TEST(LargestValue, NothingOfWhatWrapsAround) {
    const Expr byte = cast<uint8_t>(x);
    EXPECT_EQ(most(cast<int>(byte + cast<uint8_t>(1)) - cast<int>(byte)), 255);
    EXPECT_EQ(most(x * y), std::nullopt);
    EXPECT_EQ(most(x / y - x / y), 0) << "the same, whatever it is";
}
