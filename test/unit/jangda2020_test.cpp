// Algorithm 2 of PACT 2020 on both of the paper's cards, each term worked out by hand, and what it asks of kernels of
// blur, unsharp and harris.
#include "model/jangda2020.h"

#include <gtest/gtest.h>

#include "hand_pipelines.h"
#include "machine/machine.h"
#include "search/placing/placement.h"

namespace warptile {
namespace {

Machine card(const char *name) { return choose_machine(name, "", 0); }

/// Section 3 of the paper: blur in tiles of 16 pixels a thread, blocks of 64 x 4, on 4096 x 4096 x 3. A warp's tile has
/// 514 floats, a block's 16,448 bytes; 24 registers. (Transactions and time are made up.)
FusedGroup blur_of_section_3(double frac_reg_tile) {
    FusedGroup group;
    group.total_threads = 4096.0 * 4096 * 3 / 16;
    group.threads_per_tb = 256;
    group.tile_bytes = 514 * 4 * 8;
    group.frac_reg_tile = frac_reg_tile;
    group.gl_mem_txs = 100;
    group.reg_usage = 24;
    group.compute_time_us = 2;
    group.frac_overlap = 0.004;
    return group;
}

TEST(Algorithm2, ATileOf16HasTheOccupancyThatThePaperPrints) {
    const Machine pascal = card("gtx1080ti");
    EXPECT_DOUBLE_EQ(algorithm2(pascal, blur_of_section_3(0), 32).occupancy, 0.625);
    EXPECT_NEAR(algorithm2(pascal, blur_of_section_3(0.5), 32).occupancy, 1, 0.002);
}

TEST(Algorithm2, EveryTermOnPascal) {
    const Algorithm2 r = algorithm2(card("gtx1080ti"), blur_of_section_3(0), 32);
    EXPECT_EQ(r.infeasible, "");
    EXPECT_EQ(r.max_tb_per_sm, 5);                           // 98,304 of 16,448 bytes
    EXPECT_NEAR(r.mem_time_us, 3200 / (484e3 / 112), 1e-9);  // a warp has a 112th of 484 GB/s: 28 SMs of 4 warps
    EXPECT_NEAR(r.mem_over_compute, 0.37025, 1e-5);
    EXPECT_NEAR(r.unallocated_sh_mem, 0.16341, 1e-5);  // 82,240 of 98,304 bytes are
    EXPECT_DOUBLE_EQ(r.unused_reg, 1 - 24 * 2048 * 0.625 / 65536);
    EXPECT_EQ(r.extra_tbs, 4);  // 12,288 blocks are 439 an SM, five at a time
    EXPECT_NEAR(r.cost, 50 * 100 + 0.5 * 0.375 + 45 * 0.37025 + 20 * 0.16341 + 2 * 0.53125 + 100 * 0.004 + 4, 1e-3);
}

TEST(Algorithm2, EveryTermOnVolta) {
    const Algorithm2 r = algorithm2(card("v100"), blur_of_section_3(0), 32);
    EXPECT_EQ(r.max_tb_per_sm, 5);
    EXPECT_NEAR(r.mem_time_us, 3200 / (898e3 / 160), 1e-9);  // 80 SMs of two warps
    EXPECT_NEAR(r.mem_over_compute, 0.28508, 1e-5);
    EXPECT_EQ(r.extra_tbs, 4);  // 154 an SM
    EXPECT_NEAR(r.cost, 50 * 100 + 0.5 * 0.375 + 60 * 0.28508 + 10 * 0.16341 + 2 * 0.53125 + 100 * 0.004 + 4, 1e-3);
}

TEST(Algorithm2, LargeTransactionsTakeTheirTime) {
    const Machine pascal = card("gtx1080ti");
    EXPECT_NEAR(algorithm2(pascal, blur_of_section_3(0), 128).mem_time_us,
                4 * algorithm2(pascal, blur_of_section_3(0), 32).mem_time_us, 1e-9);
}

TEST(Algorithm2, HalfOfTheTileInRegistersIsHalfOfTheSharedMemory) {
    const Algorithm2 r = algorithm2(card("gtx1080ti"), blur_of_section_3(0.5), 32);
    EXPECT_EQ(r.max_tb_per_sm, 11);  // of 8,224 bytes
    EXPECT_NEAR(r.unallocated_sh_mem, 1 - 11 * 8224 / 98304.0, 1e-9);
    const double registers = 24 + 8224 / 256.0 / 4;  // 8.03 of the tile
    EXPECT_NEAR(r.occupancy, 65536 / registers / 32 / 64, 1e-9);
    EXPECT_NEAR(r.unused_reg, 0, 1e-9);
    EXPECT_EQ(r.extra_tbs, 10);  // 439 modulo 11
}

TEST(Algorithm2, LimitsOfTable1) {
    const Machine pascal = card("gtx1080ti"), volta = card("v100");
    FusedGroup group = blur_of_section_3(0);
    group.tile_bytes = 50000;  // 48 KB a block on Pascal, 96 on Volta
    EXPECT_NE(algorithm2(pascal, group, 32).infeasible, "");
    EXPECT_EQ(algorithm2(volta, group, 32).infeasible, "");
    group = blur_of_section_3(1);
    group.reg_usage = 256;
    EXPECT_NE(algorithm2(pascal, group, 32).infeasible, "");
    group = blur_of_section_3(0);
    group.constant_dependences = false;
    EXPECT_NE(algorithm2(pascal, group, 32).infeasible, "");
}

TEST(Algorithm2, WhatComputesNothingHasNoRatio) {
    FusedGroup nothing;
    nothing.total_threads = nothing.threads_per_tb = 256;
    EXPECT_EQ(algorithm2(card("gtx1080ti"), nothing, 32).mem_over_compute, 0);
}

/// Three taps along x, then three along y, of 4096 x 4096 floats.
struct BlurDag {
    int in, rows, out;
    FunctionDag dag;

    BlurDag() {
        HandDag b;
        in = b.input("in", {{-1, 4096}, {-1, 4096}});
        rows = b.func("rows", {{0, 4095}, {-1, 4096}}, 3);
        out = b.func("out", box(4096, 4096), 3);
        b.reads(rows, in, {HandDag::along(0, -1, 1), HandDag::along(1)}, 3);
        b.reads(out, rows, {HandDag::along(0), HandDag::along(1, -1, 1)}, 3);
        dag = b.done({out});
    }
};

TEST(FusedGroup, OfABlurInSharedMemory) {
    const BlurDag blur;
    const GroupView view(blur.dag, blur.out, {blur.rows}, nothing_inlined(blur.dag));
    Kernel kernel;
    kernel.tile.axes = {{0, 1, 64}, {1, 4, 4}};
    ASSERT_TRUE(arrange(view, {}, Form::Block, Permissions{}, kernel));
    const Machine pascal = card("gtx1080ti");
    const FusedGroup group = fused_group(pascal, view, kernel, 32);
    EXPECT_TRUE(group.constant_dependences);
    EXPECT_EQ(group.total_threads, 64.0 * 256 * 256);  // blocks of 64 x 16 pixels
    EXPECT_EQ(group.threads_per_tb, 256);
    EXPECT_EQ(group.tile_bytes, 64 * 18 * 4);
    EXPECT_EQ(group.frac_reg_tile, 0);
    // Four threads along y take 18 rows in five turns, three loads each, of four sectors or one line a warp.
    EXPECT_EQ(group.gl_mem_txs, 5 * 3 * 4);
    EXPECT_EQ(fused_group(pascal, view, kernel, 128).gl_mem_txs, 5 * 3);
    // Three additions of 6 cycles and three loads of 23, for five points of one stage and four of the other.
    EXPECT_NEAR(group.compute_time_us, (3 * 6 + 3 * 23) * (5 + 4) * 1e-3 / 1.582, 1e-9);
    const double all = 64.0 * 256 * (5 + 4) * 256, needed = 4096.0 * 4098 + 4096.0 * 4096;
    EXPECT_NEAR(group.frac_overlap, 1 - needed / all, 1e-9);
}

TEST(FusedGroup, OfAnUnsharpMaskInLanes) {
    const SharpenDag sharpen;
    std::vector<bool> inlined = nothing_inlined(sharpen.dag);
    inlined[static_cast<size_t>(sharpen.src)] = true;
    const GroupView view(sharpen.dag, sharpen.out, {sharpen.by, sharpen.bx}, inlined);
    Kernel kernel;
    kernel.tile.axes = {{0, 28, 1}, {1, 4, 4}};
    kernel.tile.lane_axis = 0;
    Wishes lanes;
    lanes.places[sharpen.bx] = lanes.places[sharpen.by] = {Placement::Warp, -1};
    ASSERT_TRUE(arrange(view, {}, Form::Warp, Permissions{}, kernel, lanes));
    for (const char *name : {"gtx1080ti", "v100"}) {
        const FusedGroup group = fused_group(card(name), view, kernel, 32);
        EXPECT_EQ(group.total_threads, 147.0 * 192 * 128);  // 28 columns a warp, 16 rows a block
        EXPECT_EQ(group.tile_bytes, (28 * 4 + 32 * 4) * 4 * 4);
        EXPECT_EQ(group.frac_reg_tile, 1);
        EXPECT_EQ(group.gl_mem_txs, (4 + 8) * 4);  // four rows of the output, eight of the blur along y
    }
    // No shared memory: as many blocks as Table 1 allows.
    EXPECT_EQ(algorithm2(card("gtx1080ti"), fused_group(card("gtx1080ti"), view, kernel, 32), 32).max_tb_per_sm, 16);
    EXPECT_EQ(algorithm2(card("v100"), fused_group(card("v100"), view, kernel, 32), 32).max_tb_per_sm, 32);
}

TEST(FusedGroup, OfHarrisInAHybridTile) {
    const HarrisDag harris;
    std::vector<bool> inlined(harris.dag.nodes.size(), true);
    for (const int kept : {harris.in, harris.gray, harris.gx, harris.gy, harris.out}) {
        inlined[static_cast<size_t>(kept)] = false;
    }
    const GroupView view(harris.dag, harris.out, {harris.gray, harris.gx, harris.gy}, inlined);
    Kernel kernel;
    kernel.tile.axes = {{0, 28, 1}, {1, 4, 4}};
    kernel.tile.lane_axis = 0;
    Wishes wishes;
    wishes.places[harris.gray] = {Placement::Block, -1};
    ASSERT_TRUE(arrange(view, {}, Form::Warp, Permissions{}, kernel, wishes));
    const FusedGroup group = fused_group(card("gtx1080ti"), view, kernel, 32);
    const double shared = 32 * 20 * 4, lanes = 2 * 30 * 6 * 4 * 4;  // a block's gray, four warps' gradients
    EXPECT_EQ(group.tile_bytes, shared + lanes);
    EXPECT_DOUBLE_EQ(group.frac_reg_tile, lanes / (shared + lanes));
    EXPECT_EQ(group.gl_mem_txs, 5 * 3 * 4);                                 // 20 rows in five turns, three channels
    EXPECT_EQ(algorithm2(card("gtx1080ti"), group, 32).max_tb_per_sm, 16);  // 38 by shared memory
}

}  // namespace
}  // namespace warptile
