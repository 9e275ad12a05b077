// Intervals, boxes and the rules of bounds, by hand.

#include "dag/region.h"

#include <gtest/gtest.h>

#include "dag/saturating.h"

namespace warptile {
namespace {

TEST(Region, HullAndIntersection) {
    EXPECT_EQ(hull(Interval{0, 3}, Interval{7, 9}), (Interval{0, 9}));
    EXPECT_EQ(hull(Interval{}, Interval{7, 9}), (Interval{7, 9}));
    EXPECT_EQ(hull(Interval{7, 9}, Interval{}), (Interval{7, 9}));
    EXPECT_EQ(intersect(Interval{0, 8}, Interval{7, 9}), (Interval{7, 8}));
    EXPECT_TRUE(intersect(Interval{0, 3}, Interval{7, 9}).empty());
    EXPECT_EQ(hull(Region{{0, 1}, {5, 5}}, Region{{-2, 0}, {6, 7}}), (Region{{-2, 1}, {5, 7}}));
    EXPECT_EQ(hull(Region{}, Region{{1, 2}}), (Region{{1, 2}}));
}

TEST(Region, Volume) {
    EXPECT_EQ(volume({{0, 9}, {-1, 1}}), 30);
    EXPECT_EQ(volume({}), 1);  // a scalar
    EXPECT_EQ(volume({{0, 9}, {}}), 0);
    EXPECT_EQ(volume({{0, (int64_t{1} << 20) - 1}, {0, (int64_t{1} << 20) - 1}}), int64_t{1} << 40);
}

TEST(Region, VolumesBeyondAllNumbersAreTheLargest) {
    const Interval longest{0, (int64_t{1} << 31) - 1};
    EXPECT_EQ(volume({longest, {0, 1 << 20}}), (int64_t{1} << 31) * ((1 << 20) + 1));
    EXPECT_EQ(volume({longest, longest, longest}), kMostPoints);
    EXPECT_EQ(volume({longest, longest, longest, longest, longest}), kMostPoints);
    EXPECT_EQ(volume({longest, longest, longest, {}}), 0);
}

TEST(Saturating, StopsAtBothEnds) {
    EXPECT_EQ(saturating_add(3, -5), -2);
    EXPECT_EQ(saturating_add(kMostPoints, 1), kMostPoints);
    EXPECT_EQ(saturating_add(INT64_MIN, -1), -kMostPoints);
    EXPECT_EQ(saturating_multiply(-3, 5), -15);
    EXPECT_EQ(saturating_multiply(int64_t{1} << 40, int64_t{1} << 40), kMostPoints);
    EXPECT_EQ(saturating_multiply(-(int64_t{1} << 40), int64_t{1} << 40), -kMostPoints);
    EXPECT_EQ(saturating_multiply(INT64_MIN, -1), kMostPoints);
    EXPECT_EQ(product({2, 3, 7}), 42);
    EXPECT_EQ(product({}), 1);
    EXPECT_EQ(product({kMostPoints, kMostPoints, 0}), 0);
    EXPECT_EQ(saturating_floor(-2.5), -3);
    EXPECT_EQ(saturating_floor(1e30), kMostPoints);
}

TEST(Region, DivisionRoundsDown) {
    EXPECT_EQ(floor_div(7, 2), 3);
    EXPECT_EQ(floor_div(-7, 2), -4);
    EXPECT_EQ(floor_div(-8, 2), -4);
    EXPECT_EQ(floor_div(-1, 5), -1);
}

TEST(Region, BoundRules) {
    BoundRule rule;
    rule.range = {0, 2};
    EXPECT_EQ(apply(rule, {1, 1}), (Interval{0, 2}));
    rule.kind = BoundRule::Kind::Extent;
    EXPECT_EQ(apply(rule, {5, 5}), (Interval{5, 7}));
    rule.kind = BoundRule::Kind::Align;
    rule.modulus = 8;
    rule.remainder = 3;
    EXPECT_EQ(apply(rule, {3, 10}), (Interval{3, 10}));
    EXPECT_EQ(apply(rule, {2, 11}), (Interval{-5, 18}));
    rule.kind = BoundRule::Kind::Round;
    EXPECT_EQ(apply(rule, {3, 10}), (Interval{3, 10}));
    EXPECT_EQ(apply(rule, {3, 11}), (Interval{3, 18}));
    EXPECT_TRUE(apply(rule, {}).empty());
}

TEST(Region, Text) { EXPECT_EQ(to_string(Region{{-1, 4}, {0, 0}}), "[-1..4, 0..0]"); }

}  // namespace
}  // namespace warptile
