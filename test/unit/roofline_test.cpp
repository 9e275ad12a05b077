// The roofline model against what was measured on an H100: not the microseconds, but the order and the rough ratios
// that a choice hangs on.

#include "model/roofline.h"

#include <gtest/gtest.h>

#include "hand_pipelines.h"
#include "model/atomics.h"
#include "model/instructions.h"
#include "model/resources.h"
#include "search/placing/placement.h"
#include "test/support/h100.h"

namespace warptile {
namespace {

KernelTile block_tile(int threads_x, int threads_y, int rows) {
    KernelTile tile;
    tile.axes = {{0, 1, threads_x}, {1, rows, threads_y}};
    return tile;
}

KernelTile lane_tile(int width, int rows, int warps) {
    KernelTile tile;
    tile.axes = {{0, width, 1}, {1, rows, warps}};
    tile.lane_axis = 0;
    return tile;
}

class Measured : public ::testing::Test {
protected:
    const Machine &machine = h100();
    const Roofline model{machine, 64};

    Cost cost(const GroupView &view, const KernelTile &tile, Form form) const {
        Kernel kernel;
        kernel.tile = tile;
        EXPECT_TRUE(arrange(view, {}, form, Permissions{}, kernel)) << to_string(form);
        return model.cost(view, kernel);
    }

    double copy_us(int bytes, int rows) const {
        const CopyDag c(8192, 8192, bytes);
        const GroupView view(c.dag, c.out, {}, nothing_inlined(c.dag));
        return cost(view, block_tile(32, 8, rows), Form::Block).total;
    }
};

// A histogram of 1536 x 2560 pixels in 256 cells took 0.45 ms: eight lines, however many threads add to them.
TEST_F(Measured, AtomicAdditionsWaitForTheirLine) {
    const double pixels = 1536.0 * 2560;
    const double us = atomics_us(machine, pixels, 256 * 4);
    EXPECT_NEAR(us, 451, 5);
    EXPECT_DOUBLE_EQ(atomics_us(machine, pixels, 4), 8 * us);          // one cell is one line
    EXPECT_DOUBLE_EQ(atomics_us(machine, pixels, 1e9), us * 8 / 132);  // no more at a time than there are SMs
}

// Counted in shared memory the same pixels took 10.4 us, loads and all: two additions a clock on each of 132 SMs.
TEST_F(Measured, AdditionsToSharedMemoryWaitForTheirSm) {
    EXPECT_NEAR(shared_atomics_us(machine, 1536.0 * 2560), 1536.0 * 2560 / (132 * 2 * machine.gpu.clock_ghz * 1e3),
                0.01);
    EXPECT_LT(shared_atomics_us(machine, 1536.0 * 2560), 10.4);
}

// Copying 8192 x 8192: 8-bit 0.1916 ms at one element a thread, 0.1041 at 2, 0.0627 at 4, 0.0496 at 8.
TEST_F(Measured, AThreadThatMovesOneByteIsFourTimesTooSlow) {
    const double floor = copy_us(1, 8);
    EXPECT_NEAR(copy_us(1, 1) / floor, 0.1916 / 0.0496, 0.7);
    EXPECT_NEAR(copy_us(1, 2) / floor, 0.1041 / 0.0496, 0.4);
    EXPECT_NEAR(copy_us(1, 4) / floor, 0.0627 / 0.0496, 0.2);
}

// 16-bit 0.2044, 0.1214, 0.0965; 32-bit 0.2388, 0.1867.
TEST_F(Measured, WiderElementsNeedFewerOfThem) {
    EXPECT_NEAR(copy_us(2, 1) / copy_us(2, 4), 0.2044 / 0.0965, 0.4);
    EXPECT_NEAR(copy_us(4, 1) / copy_us(4, 2), 0.2388 / 0.1867, 0.2);
    // The floor itself, 0.18 ms.
    EXPECT_NEAR(copy_us(4, 2), 186.7, 15);
}

TEST_F(Measured, ATinyKernelTakesItsLaunch) {
    const CopyDag c(16, 16, 4);
    const GroupView view(c.dag, c.out, {}, nothing_inlined(c.dag));
    EXPECT_NEAR(cost(view, block_tile(16, 8, 1), Form::Block).total, 4.1, 0.5);
}

class Sharpen : public Measured {
protected:
    const SharpenDag s;
    std::vector<bool> inlined = nothing_inlined(s.dag);

    void SetUp() override {
        inlined[static_cast<size_t>(s.src)] = true;
        inlined[static_cast<size_t>(s.bx)] = true;
    }
};

// Two kernels 0.1146 ms; block 4 x 4 0.0412, warp 4 x 4 0.0402.
TEST_F(Sharpen, OneKernelBeatsTwo) {
    const GroupView fused(s.dag, s.out, {s.by}, inlined);
    const GroupView first(s.dag, s.by, {}, inlined), second(s.dag, s.out, {}, inlined);
    const double two =
        cost(first, block_tile(32, 8, 1), Form::Block).total + cost(second, block_tile(32, 8, 1), Form::Block).total;
    const double block = cost(fused, block_tile(64, 4, 4), Form::Block).total;
    const double warp = cost(fused, lane_tile(28, 4, 4), Form::Warp).total;
    EXPECT_GT(two / warp, 1.8);
    EXPECT_LT(two / warp, 4);
    EXPECT_NEAR(warp, 40, 8);
    EXPECT_NEAR(block, 41, 8);
}

// A row of 28 columns keeps all 32 lanes busy with the blur; one of 32 needs a second chunk for four columns.
TEST_F(Sharpen, ARowLeavesRoomForTheHalo) {
    const GroupView fused(s.dag, s.out, {s.by}, inlined);
    const auto issue = [&](int width) {
        Kernel kernel;
        kernel.tile = lane_tile(width, 4, 4);
        EXPECT_TRUE(arrange(fused, {}, Form::Warp, Permissions{}, kernel));
        const Geometry g = geometry(fused, kernel);
        return demand_of(machine, fused, kernel, g, work_of(fused, kernel, g)).issue * g.blocks;
    };
    EXPECT_LT(issue(28), issue(32));
}

// Registers that `ptxas` reports: warp 4 rows 38, two chunks of 2 rows 40, nested 4 rows 56.
TEST_F(Sharpen, RegistersAreNearThoseOfTheAssembler) {
    const GroupView fused(s.dag, s.out, {s.by}, inlined);
    EXPECT_NEAR(cost(fused, lane_tile(28, 4, 4), Form::Warp).registers, 38, 8);
    EXPECT_NEAR(cost(fused, lane_tile(60, 2, 4), Form::Warp).registers, 40, 16);
}

// Warp tile 4 warps x 4 rows 0.0702; the same with four chunks spills and takes 0.1447.
TEST_F(Measured, HarrisSpillsWithFourChunks) {
    const HarrisDag h;
    std::vector<bool> inlined = nothing_inlined(h.dag);
    for (const int f : {h.xx, h.xy, h.yy, h.sxx, h.sxy, h.syy}) {
        inlined[static_cast<size_t>(f)] = true;
    }
    const GroupView view(h.dag, h.out, {h.gray, h.gx, h.gy}, inlined);
    const Cost one = cost(view, lane_tile(28, 4, 4), Form::Warp);
    const Cost four = cost(view, lane_tile(124, 4, 4), Form::Warp);
    const Cost block = cost(view, block_tile(64, 4, 4), Form::Block);
    EXPECT_LE(one.registers, 64);
    EXPECT_GT(four.registers, 80);
    EXPECT_GT(four.total, 1.5 * one.total);
    EXPECT_GT(four.total, block.total);
    EXPECT_NEAR(one.total, 70.2, 14);
}

TEST_F(Measured, WhatDoesNotFitIsNotPossible) {
    const CopyDag c(4096, 4096, 4);
    const GroupView view(c.dag, c.out, {}, nothing_inlined(c.dag));
    const Cost threads = cost(view, block_tile(64, 32, 1), Form::Block);
    EXPECT_FALSE(threads.feasible);
    EXPECT_NE(to_string(threads).find("threads"), std::string::npos);

    const SharpenDag s;
    std::vector<bool> inlined = nothing_inlined(s.dag);
    inlined[static_cast<size_t>(s.src)] = inlined[static_cast<size_t>(s.bx)] = true;
    const GroupView fused(s.dag, s.out, {s.by}, inlined);
    // (128 + 4) x 8 x 16 floats of the blur are 67,584 bytes.
    const Cost shared = cost(fused, block_tile(128, 8, 16), Form::Block);
    EXPECT_FALSE(shared.feasible);
    EXPECT_NE(to_string(shared).find("shared"), std::string::npos);
}

// A block of 8 warps on each SM: they issue 1 / (1/3.7^1.5 + (3.6/8)^1.5)^(1/1.5) instructions a clock, 1.722; of 64
// warps it would be 3.48.
TEST_F(Measured, FewWarpsIssueLess) {
    const CopyDag c(32, 8 * machine.gpu.sms, 4);
    const GroupView view(c.dag, c.out, {}, nothing_inlined(c.dag));
    Kernel kernel;
    kernel.tile = block_tile(32, 8, 1);
    const Geometry g = geometry(view, kernel);
    ASSERT_EQ(g.blocks, machine.gpu.sms);
    ASSERT_EQ(g.warps, 8);
    const double instructions = demand_of(machine, view, kernel, g, work_of(view, kernel, g)).issue;
    const Cost cost = Roofline(machine, 64).cost(view, kernel);
    ASSERT_EQ(cost.terms[3].first, "issue");
    EXPECT_NEAR(cost.terms[3].second, instructions / 1.7224 / (1e3 * machine.gpu.clock_ghz),
                1e-3 * cost.terms[3].second);
}

/// out(x, y) = in(y, x), both of floats.
FunctionDag transpose_dag(int64_t width, int64_t height) {
    HandDag b;
    const int in = b.func("in", {{0, height - 1}, {0, width - 1}}, 0);
    const int out = b.func("out", {{0, width - 1}, {0, height - 1}}, 0);
    b.reads(out, in, {HandDag::along(1), HandDag::along(0)}, 1);
    return b.done({in, out});
}

TEST_F(Measured, ATransposeThatIsNotStagedReadsALineALane) {
    const FunctionDag dag = transpose_dag(4096, 4096);
    const GroupView view(dag, 1, {}, std::vector<bool>(2, false));
    Kernel plain;
    plain.tile = block_tile(32, 16, 1);
    Kernel staged = plain;
    Permissions may;
    ASSERT_TRUE(arrange(view, {0}, Form::Block, may, staged));
    ASSERT_EQ(staged.parts.size(), 1u);
    EXPECT_TRUE(staged.parts[0].across);
    EXPECT_EQ(staged.parts[0].axes[0].dim, 0);  // copied along its rows
    EXPECT_EQ(stored_extents(view, staged.parts[0], {16, 32}), (std::vector<int64_t>{17, 32}));
    const auto l1 = [&](const Kernel &kernel) {
        const Geometry g = geometry(view, kernel);
        return demand_of(machine, view, kernel, g, work_of(view, kernel, g)).l1 / static_cast<double>(g.warps);
    };
    EXPECT_EQ(l1(plain), 32 + 1);  // and a line for the store
    EXPECT_LE(l1(staged), 1 + 2);  // half the lanes have something to copy
    EXPECT_LT(Roofline(machine, 64).cost(view, staged).total, 0.9 * Roofline(machine, 64).cost(view, plain).total);
}

}  // namespace
}  // namespace warptile
