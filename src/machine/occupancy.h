// How many blocks of a kernel fit on an SM at once. NVIDIA publishes the rules as a header, cuda_occupancy.h; where
// that was there at build time it decides, else the same arithmetic of our own. A test holds the two equal.
#pragma once

#include "machine/gpu_spec.h"

#include <optional>

namespace warptile {

struct Occupancy {
    int blocks_per_sm = 0;  // resident at once; 0: the kernel does not launch at all
    int warps_per_sm = 0;   // of these blocks
    double fraction = 0;    // warps_per_sm of the most the SM can hold, 0 to 1
};

/// The occupancy of a kernel with `threads_per_block` (1 or more) threads of `registers_per_thread` (1 or more) 32-bit
/// registers and `shared_bytes_per_block` bytes of shared memory.
///
/// The limit on a block's shared memory is the one without opt-in, since Halide's runtime does not opt in; the SM is
/// taken to give shared memory all it can.
Occupancy occupancy(const GpuSpec &gpu, int threads_per_block, int registers_per_thread, int shared_bytes_per_block);

/// The same, always by our own arithmetic.
Occupancy occupancy_by_arithmetic(const GpuSpec &gpu, int threads_per_block, int registers_per_thread,
                                  int shared_bytes_per_block);

/// The same, always by cuda_occupancy.h; nothing where the build had no such header.
std::optional<Occupancy> occupancy_by_nvidia(const GpuSpec &gpu, int threads_per_block, int registers_per_thread,
                                             int shared_bytes_per_block);

}  // namespace warptile
