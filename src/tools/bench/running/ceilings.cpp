// The ceilings are measured as pipelines are: back-to-back calls, one synchronisation at the end, the data where the
// call before left them. A copy that fits in the L2 cache is therefore faster than one that does not, as a pipeline of
// that size is. The best of several batches counts, since a ceiling is what can be reached.
#include "tools/bench/running/ceilings.h"

#include "tools/bench/running/ceiling_kernels.h"

#include <algorithm>
#include <chrono>
#include <functional>

namespace warptile::bench {
namespace {

constexpr size_t kLeastCopy = 256 << 10, kLargestCopy = 256 << 20;  // bytes read; as many are written
constexpr int kBatches = 5;
constexpr double kBatchSeconds = 0.01;

/// The least seconds of one call of `launch`.
double best_seconds(CudaDevice &device, const std::function<void()> &launch) {
    const auto seconds_of = [&](int calls) {
        device.synchronise();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; i++) {
            launch();
        }
        device.synchronise();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
    };
    seconds_of(3);
    const int calls = int(std::clamp(kBatchSeconds / seconds_of(3), 1.0, 2000.0));
    double best = seconds_of(calls);
    for (int i = 1; i < kBatches; i++) {
        best = std::min(best, seconds_of(calls));
    }
    return best;
}

std::vector<CopySpeed> measure_copies(CudaDevice &device) {
    void *const kernel = device.load(copy_ptx(), "warptile_copy");
    uint64_t to = device.allocate(kLargestCopy), from = device.allocate(kLargestCopy);
    void *arguments[] = {&to, &from};
    std::vector<CopySpeed> copies;
    for (size_t bytes = kLeastCopy; bytes <= kLargestCopy; bytes *= 2) {
        const double seconds = best_seconds(
            device, [&] { device.launch(kernel, unsigned(bytes / kCopyBytes), kCeilingThreads, arguments); });
        copies.push_back({2.0 * double(bytes), seconds});
    }
    return copies;
}

double measure_operations(CudaDevice &device) {
    void *const kernel = device.load(multiply_add_ptx(), "warptile_multiply_add");
    uint64_t out = device.allocate(256);
    unsigned rounds = 512;
    void *arguments[] = {&out, &rounds};
    const unsigned blocks = unsigned(device.sms()) * 8 * 4;  // eight blocks fill an SM
    const double seconds = best_seconds(device, [&] { device.launch(kernel, blocks, kCeilingThreads, arguments); });
    return 2.0 * kMultiplyAdds * rounds * kCeilingThreads * blocks / seconds;
}

}  // namespace

Ceilings measure_ceilings(CudaDevice &device) {
    Ceilings ceilings;
    ceilings.copies = measure_copies(device);
    ceilings.operations_per_second = measure_operations(device);
    return ceilings;
}

}  // namespace warptile::bench
