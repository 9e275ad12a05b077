// The arithmetic of occupancy: a block needs a slot, warps, registers and shared memory, each of which the hardware
// hands out in units, and the scarcest decides. The units are in the card's GpuSpec.
#include "machine/occupancy.h"

#include <algorithm>

namespace warptile {

namespace {

int divide_up(int amount, int unit) { return (amount + unit - 1) / unit; }

int round_up(int amount, int unit) { return divide_up(amount, unit) * unit; }

// Blocks of `warps` warps whose registers fit. A warp's registers lie in one scheduler's part of the SM.
int blocks_by_registers(const GpuSpec &gpu, int warps, int registers_per_thread) {
    const int per_warp = round_up(registers_per_thread * gpu.warp_size, gpu.register_allocation_unit);
    // The check at a launch counts as if every scheduler's part had the same number of the block's warps.
    const int checked_at_launch = per_warp * round_up(warps, gpu.schedulers_per_sm);
    if (registers_per_thread > gpu.registers_per_thread || checked_at_launch > gpu.registers_per_block) {
        return 0;
    }
    const int warps_per_scheduler = gpu.registers_per_sm / gpu.schedulers_per_sm / per_warp;
    return warps_per_scheduler * gpu.schedulers_per_sm / warps;
}

int blocks_by_shared_memory(const GpuSpec &gpu, int bytes_per_block) {
    if (bytes_per_block > gpu.shared_per_block) {
        return 0;
    }
    const int allocated = round_up(bytes_per_block + gpu.shared_reserved_per_block, gpu.shared_allocation_unit);
    if (allocated > gpu.shared_per_block + gpu.shared_reserved_per_block) {
        return 0;
    }
    return allocated == 0 ? gpu.blocks_per_sm : gpu.shared_per_sm / allocated;
}

}  // namespace

Occupancy occupancy_by_arithmetic(const GpuSpec &gpu, int threads_per_block, int registers_per_thread,
                                  int shared_bytes_per_block) {
    if (threads_per_block > gpu.threads_per_block) {
        return {};
    }
    const int warps = divide_up(threads_per_block, gpu.warp_size);
    const int blocks =
        std::min({gpu.blocks_per_sm, gpu.warps_per_sm / warps, blocks_by_registers(gpu, warps, registers_per_thread),
                  blocks_by_shared_memory(gpu, shared_bytes_per_block)});
    return {blocks, blocks * warps, double(blocks * warps) / gpu.warps_per_sm};
}

Occupancy occupancy(const GpuSpec &gpu, int threads_per_block, int registers_per_thread, int shared_bytes_per_block) {
    const auto by_nvidia = occupancy_by_nvidia(gpu, threads_per_block, registers_per_thread, shared_bytes_per_block);
    return by_nvidia ? *by_nvidia
                     : occupancy_by_arithmetic(gpu, threads_per_block, registers_per_thread, shared_bytes_per_block);
}

}  // namespace warptile
