// The numbers of the cost models that are measured or fitted, one set for each card. They are read from the card's
// weights file (docs/weights.md), where each number has its source.
#pragma once

#include <array>

namespace warptile {

/// Of the model of PACT 2020, Algorithm 2: the weights of its Table 3, and the limits of its Table 1, of which some
/// differ from NVIDIA's own: `model/jangda2020.h`.
struct Jangda2020Weights {
    std::array<double, 7> w = {};  // w1 ... w7 of Table 3 are w[0] ... w[6]
    int transaction_bytes = 0;     // GLMemTxSz: 32 or 128, the size of a global load that holds on this card
    int shared_per_block = 0;      // MaxShMemPerTB, bytes
    int blocks_per_sm = 0;         // MaxTbPerSM
    int registers_per_thread = 0;  // MaxRegPerTh
};

/// For the model `roofline`. Cycles are of the SM's clock.
struct RooflineWeights {
    double launch_us = 0;               // microseconds that a kernel costs beyond its work
    double dram_efficiency = 0;         // the share of the peak bandwidth that a plain copy reaches, 0 to 1
    double l2_gb_per_s = 0;             // bandwidth of the L2 cache, 10^9 bytes a second
    double l2_share = 0;                // of the L2 cache, what a kernel finds there of the one before it, 0 to 1
    double shared_bytes_per_clock = 0;  // bandwidth of shared memory per clock and SM
    double l1_lines_per_clock = 0;      // lines of L1 that are looked up per clock and SM
    double issue_per_clock = 0;         // warp instructions per clock and SM, of warps without number
    double cycles_per_instruction = 0;  // of a warp that is alone
    double dram_latency_cycles = 0;
    double l2_latency_cycles = 0;
    double loaded_latency = 0;  // latency of memory and the L2 cache where they are busy, over the idle one
    double shared_latency_cycles = 0;
    double arithmetic_latency_cycles = 0;  // of a dependent 32-bit float instruction
    double barrier_cycles = 0;             // that a block barrier costs each block
    double atomics_per_line_clock = 0;     // atomic additions that a 128-byte line of the L2 cache takes in a clock
    double shared_atomics_per_clock = 0;   // the same that shared memory takes, per SM
    double spill_price = 0;                // a spill of n bytes a thread multiplies the time by 1 + n * spill_price
};

struct Weights {
    Jangda2020Weights jangda2020;
    RooflineWeights roofline;
};

}  // namespace warptile
