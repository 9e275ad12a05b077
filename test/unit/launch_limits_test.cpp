#include "schedule/launch_limits.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

Plan rows(bool one_launch) {
    Plan plan;
    plan.funcs = 2;
    plan.names = {"in", "out$3"};
    Derived copy;
    copy.source = 1;
    plan.derived = {copy};
    Group g;
    g.output = 1;
    g.tile.axes = {{0, 256, 1}, {1, 1, 4}};
    g.tile.one_launch = one_launch;
    plan.groups = {g};
    return plan;
}

const DimensionNames kNames = {{"x"}, {"x", "y", "c"}};

TEST(LaunchLimits, AreBlocksInYAndZTimesTheirPoints) {
    const std::vector<Notice> limits = launch_limits(rows(true), kNames);
    ASSERT_EQ(limits.size(), 1U);
    EXPECT_EQ(limits[0].func, "out");
    EXPECT_EQ(limits[0].reason,
              "launched once: a card refuses more than 262140 points along 'y', or than 65535 points along 'c'");
}

TEST(LaunchLimits, OfACopyAreItsSources) {
    Plan plan = rows(true);
    plan.groups[0].output = 2;
    EXPECT_EQ(launch_limits(plan, kNames)[0].func, "out");
}

TEST(LaunchLimits, ThereAreNoneOfALoopOverLaunchesNorAlongX) {
    EXPECT_TRUE(launch_limits(rows(false), kNames).empty());
    Plan plan = rows(true);
    plan.groups[0].output = 0;
    plan.groups[0].tile.axes = {{0, 256, 1}};
    EXPECT_TRUE(launch_limits(plan, kNames).empty());
}

KernelTile rows_of_blocks() {
    KernelTile tile;
    tile.axes = {{0, 256, 1}, {1, 1, 4}};
    return tile;
}

TEST(SizesLaunchedOnce, AreAllTheBlocksOfAGridDimension) {
    EXPECT_EQ(sizes_launched_once(rows_of_blocks(), {1000, 2000, 3}), (std::vector<int64_t>{0, 262140, 65535}));
}

// 3 channels and 8 images are 24 blocks in z: each may be 52.25 times as many.
TEST(SizesLaunchedOnce, OfFusedLoopsGrowAlike) {
    EXPECT_EQ(sizes_launched_once(rows_of_blocks(), {1000, 2000, 3, 8}), (std::vector<int64_t>{0, 262140, 156, 418}));
    EXPECT_LE(156 * 418, kGridYZ);
}

TEST(SizesLaunchedOnce, AreNoneWhereTheGridIsHigherAnyhowOrOfXAlone) {
    EXPECT_TRUE(sizes_launched_once(rows_of_blocks(), {1000, 262141}).empty());
    EXPECT_TRUE(sizes_launched_once(rows_of_blocks(), {1000, 4, 300, 300}).empty());
    KernelTile line;
    line.axes = {{0, 1, 256}};
    EXPECT_TRUE(sizes_launched_once(line, {100000}).empty());
}

// What the host walks has no blocks.
TEST(SizesLaunchedOnce, AreNotOfLoopsOfTheHost) {
    KernelTile tile = rows_of_blocks();
    tile.host_loops = 1;
    EXPECT_EQ(sizes_launched_once(tile, {1000, 2000, 3}), (std::vector<int64_t>{0, 262140, 0}));
}

}  // namespace
}  // namespace warptile
