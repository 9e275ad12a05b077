// Occupancy by NVIDIA's header cuda_occupancy.h, in a file of its own: the build says with
// WARPTILE_HAS_CUDA_OCCUPANCY whether the header was there.
#include "machine/occupancy.h"

#if WARPTILE_HAS_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

namespace warptile {

#if WARPTILE_HAS_CUDA_OCCUPANCY

std::optional<Occupancy> occupancy_by_nvidia(const GpuSpec &gpu, int threads_per_block, int registers_per_thread,
                                             int shared_bytes_per_block) {
    cudaOccDeviceProp device;
    device.computeMajor = gpu.capability / 10;
    device.computeMinor = gpu.capability % 10;
    device.maxThreadsPerBlock = gpu.threads_per_block;
    device.maxThreadsPerMultiprocessor = gpu.warps_per_sm * gpu.warp_size;
    device.regsPerBlock = gpu.registers_per_block;
    device.regsPerMultiprocessor = gpu.registers_per_sm;
    device.warpSize = gpu.warp_size;
    device.sharedMemPerBlock = gpu.shared_per_block;
    device.sharedMemPerMultiprocessor = gpu.shared_per_sm;
    device.numSms = gpu.sms;
    device.sharedMemPerBlockOptin = gpu.shared_per_block_opt_in;
    device.reservedSharedMemPerBlock = gpu.shared_reserved_per_block;

    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = gpu.threads_per_block;
    kernel.numRegs = registers_per_thread;

    const cudaOccDeviceState state;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads_per_block,
                                                shared_bytes_per_block) != CUDA_OCC_SUCCESS) {
        return std::nullopt;  // a card that this header does not know yet
    }
    const int blocks = result.activeBlocksPerMultiprocessor;
    const int warps = blocks * ((threads_per_block + gpu.warp_size - 1) / gpu.warp_size);
    return Occupancy{blocks, warps, double(warps) / gpu.warps_per_sm};
}

#else

std::optional<Occupancy> occupancy_by_nvidia(const GpuSpec &, int, int, int) { return std::nullopt; }

#endif

}  // namespace warptile
