// A GPU as the hardware's maker describes it: the limits that a kernel must keep and the rates that bound it. These
// are facts of the card, from NVIDIA's published tables (the rows of PACT 2020, Table 1, and more); what has to be
// measured or fitted is in weights.h. docs/weights.md tells the same for authors of a weights file.
#pragma once

#include <cstdint>
#include <string>

namespace warptile {

struct GpuSpec {
    std::string name;     // as `gpu=` takes it, for example "h100"
    std::string product;  // NVIDIA's name, for example "NVIDIA H100 SXM5 80GB"

    int capability = 0;  // compute capability times ten: 80 is 8.0

    // Rates.
    int sms = 0;                  // streaming multiprocessors
    int cores_per_sm = 0;         // 32-bit float results per clock and SM
    int int_cores_per_sm = 0;     // 32-bit integer additions per clock and SM
    int double_cores_per_sm = 0;  // 64-bit float results per clock and SM
    int special_per_sm = 0;       // reciprocals, roots, sines, exponentials (approximate, 32-bit) per clock and SM
    int conversions_per_sm = 0;   // conversions between types of 32 bits, one of them float, per clock and SM
    int shuffles_per_sm = 0;      // lanes shuffled per clock and SM: 32 is one warp
    double clock_ghz = 0;         // boost clock
    double dram_gb_per_s = 0;     // peak bandwidth of global memory, 10^9 bytes a second

    // Memory. All sizes are in bytes.
    std::int64_t l2_bytes = 0;
    int l1_transaction_bytes = 0;  // a load cached in L1 moves lines of this size
    int l2_transaction_bytes = 0;  // a load cached in L2 only moves sectors of this size
    int shared_per_sm = 0;
    int shared_per_block = 0;           // usable without opting in. Halide's runtime never opts in: this is the limit
    int shared_per_block_opt_in = 0;    // the most a block can have at all
    int shared_reserved_per_block = 0;  // taken by the system from shared_per_sm for each resident block
    int shared_allocation_unit = 0;     // a block's shared memory is rounded up to a multiple of this

    // Limits of threads and registers (32 bits each).
    int warp_size = 0;
    int threads_per_block = 0;
    int warps_per_sm = 0;
    int blocks_per_sm = 0;
    int registers_per_sm = 0;
    int registers_per_block = 0;
    int registers_per_thread = 0;
    int register_allocation_unit = 0;  // a warp's registers are rounded up to a multiple of this
    int schedulers_per_sm = 0;         // parts of an SM; each has its share of the warps and registers
};

}  // namespace warptile
