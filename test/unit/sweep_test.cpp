// Kernels known by their totals: what they move and wait for, worked out by hand, and what both models make of that.
#include "model/sweep.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hand_dag.h"
#include "machine/machine.h"
#include "model/jangda2020.h"
#include "model/roofline.h"

namespace warptile {
namespace {

/// Sums down 1024 columns of 4096 floats.
struct Columns {
    HandDag d;
    int in = d.input("in", {{0, 1023}, {0, 4095}}), sum = d.func("sum", {{0, 1023}}, 0);
    FunctionDag dag;

    Columns() {
        d.reduce(sum, 4096, 1);
        d.reads(sum, in, {HandDag::along(0), HandDag::along(1)}, 1, 1);
        dag = d.done({sum});
    }

    /// In 16 parts a column by blocks of 16 warps, each of which has 16 rows in steps of 8.
    Sweep first() const {
        const Node &node = dag.node(sum);
        const Expansion update = expand(dag, sum, 1, std::vector<bool>(dag.nodes.size(), false));
        return reducing_sweep(dag, node, 1, update, 16, 1024 * 16 * 16, 512, 8);
    }
};

TEST(Sweep, AReductionReadsItsInputOnceAndStoresItsParts) {
    const Sweep sweep = Columns().first();
    EXPECT_EQ(sweep.held, 16 << 20);
    EXPECT_EQ(sweep.moved, (16 << 20) + 1024 * 16 * 4);
    EXPECT_EQ(sweep.compulsory, sweep.moved);
    EXPECT_EQ(sweep.at_once, 8 * 4);
    EXPECT_EQ(sweep.waits, 2);
    EXPECT_EQ(sweep.instructions, 4096.0 * 1024 / 32 * (1 + 2));
    EXPECT_EQ(sweep.tree_bytes, 512 * 4);
}

TEST(Sweep, PartsAreAddedUp) {
    const Columns c;
    const Sweep sweep = adding_sweep(c.dag.node(c.sum), 64, 1, 1, 8);
    EXPECT_EQ(sweep.threads, 1024);
    EXPECT_EQ(sweep.moved, 1024 * 65 * 4);
    EXPECT_EQ(sweep.waits, 8);
    EXPECT_EQ(sweep.tree_bytes, 0);
    const Sweep shared = adding_sweep(c.dag.node(c.sum), 64, 4, 8, 1);
    EXPECT_EQ(shared.threads, 1024 * 4 * 8);
    EXPECT_EQ(shared.moved, 1024 * 68 * 4);
    EXPECT_EQ(shared.waits, 2);
    EXPECT_EQ(shared.tree_bytes, 32 * 4);
}

TEST(Sweep, FirstValuesAreStored) {
    const Columns c;
    EXPECT_EQ(first_values_sweep(c.dag.node(c.sum), 3).moved, 1024 * 3 * 4);
}

TEST(Sweep, TheRooflineOfAReductionOnAnH100) {
    const Cost cost = Roofline(choose_machine("h100", "", 0), 64).cost(Columns().first());
    // 16.8 MB lie in the L2 cache, of which 40 % are 21 MB, and come at 5.5 TB/s; 1024 threads an SM have 4.3 MB under
    // way, which is more than its latency asks for. Two turns of threads wait twice for 1.6 x 261 cycles of 1.98 GHz.
    const double latency = 1.6 * 261 / 1980;
    ASSERT_EQ(cost.terms[1].first, "memory");
    EXPECT_NEAR(cost.terms[1].second, 16842752 / 5.5e6, 1e-6);
    // The 32 warps of an SM issue 1 / (1/3.7^1.5 + (3.6/32)^1.5)^(1/1.5) instructions a clock.
    const double clocks = std::pow(std::pow(1 / 3.7, 1.5) + std::pow(3.6 / 32, 1.5), 1 / 1.5);
    EXPECT_NEAR(cost.terms[2].second, 393216.0 / 132 * clocks / 1980, 1e-6);
    EXPECT_NEAR(cost.terms[3].second, 262144.0 / (1024 * 132) * 2 * latency, 1e-6);
    const double tree = (3.0 * (30 + 29) + 2 * 32 * 4) / 1980;
    EXPECT_NEAR(cost.total, 4 + 16842752 / 5.5e6 + tree, 1e-6);
}

TEST(Sweep, WhatIsTooLargeForTheL2CacheComesFromMemory) {
    Sweep sweep;
    sweep.threads = 1 << 20;
    sweep.moved = 4e8;
    sweep.compulsory = 2e8;
    sweep.held = 2e8;
    const Roofline model(choose_machine("h100", "", 0), 64);
    // Moved twice through the L2 cache at 5.5 TB/s, once from memory at 0.88 of 3.352.
    EXPECT_NEAR(model.cost(sweep).total, 4 + 4e8 / 5.5e6, 1e-6);
    sweep.compulsory = 4e8;
    EXPECT_NEAR(model.cost(sweep).total, 4 + 4e8 / (3352e3 * 0.88), 1e-6);
}

TEST(Sweep, AtomicAdditionsToOneLineWaitForEachOther) {
    Sweep sweep;
    sweep.additions = 1e6;
    sweep.cells = 128;
    const Roofline model(choose_machine("h100", "", 0), 64);
    EXPECT_NEAR(model.cost(sweep).total, 4 + 1e6 / (0.55 * 1980), 1e-6);
    sweep.cells = 0;
    EXPECT_NEAR(model.cost(sweep).total, 4 + 1e6 / (132 * 2 * 1980.0), 1e-6);
}

TEST(Sweep, AsAGroupOfAlgorithm2) {
    const FusedGroup group = fused_group(choose_machine("h100", "", 0), Columns().first(), 128);
    EXPECT_EQ(group.total_threads, 262144);
    EXPECT_EQ(group.threads_per_tb, 512);
    EXPECT_EQ(group.tile_bytes, 2048);
    EXPECT_EQ(group.frac_reg_tile, 0);
    EXPECT_NEAR(group.gl_mem_txs, 16842752 / 128.0 / 8192, 1e-9);  // of each of 8192 warps
    EXPECT_EQ(group.reg_usage, 8);
    EXPECT_NEAR(group.compute_time_us, 48 * 4 / 1980.0, 1e-9);  // 16 steps of 3 instructions
    EXPECT_EQ(group.frac_overlap, 0);
}

}  // namespace
}  // namespace warptile
