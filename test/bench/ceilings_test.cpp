// The kernels that measure a card's ceilings, run on what passes for a card here: the emulator.
#include "tools/bench/running/ceiling_kernels.h"
#include "tools/bench/running/cuda_driver.h"

#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <vector>

namespace warptile::bench {
namespace {

template<typename... Arguments>
int driver(const char *function, Arguments... arguments) {
    void *const symbol = dlsym(dlopen("libcuda.so.1", RTLD_NOW), function);
    return symbol ? reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...) : -1;
}

using Address = unsigned long long;

TEST(Ceilings, TheCopyKernelCopiesWhatItsBlocksCover) {
    CudaDevice device;
    constexpr int blocks = 3, bytes = blocks * kCopyBytes, rest = 256;
    std::vector<unsigned char> from(bytes + rest), to(bytes + rest, 0xee);
    for (size_t i = 0; i < from.size(); i++) {
        from[i] = static_cast<unsigned char>(i * 7 + i / 251);
    }
    Address device_from = device.allocate(from.size()), device_to = device.allocate(to.size());
    ASSERT_EQ(driver("cuMemcpyHtoD_v2", device_from, static_cast<const void *>(from.data()), from.size()), 0);
    ASSERT_EQ(driver("cuMemcpyHtoD_v2", device_to, static_cast<const void *>(to.data()), to.size()), 0);
    void *arguments[] = {&device_to, &device_from};
    device.launch(device.load(copy_ptx(), "warptile_copy"), blocks, kCeilingThreads, arguments);
    device.synchronise();
    ASSERT_EQ(driver("cuMemcpyDtoH_v2", static_cast<void *>(to.data()), device_to, to.size()), 0);
    EXPECT_EQ(std::memcmp(from.data(), to.data(), bytes), 0);
    EXPECT_EQ(std::vector<unsigned char>(to.begin() + bytes, to.end()), std::vector<unsigned char>(rest, 0xee));
}

TEST(Ceilings, TheMultiplyAddKernelEndsAndWritesNothing) {
    CudaDevice device;
    float value = 17;
    Address out = device.allocate(sizeof value);
    ASSERT_EQ(driver("cuMemcpyHtoD_v2", out, static_cast<const void *>(&value), sizeof value), 0);
    unsigned rounds = 3;
    void *arguments[] = {&out, &rounds};
    device.launch(device.load(multiply_add_ptx(), "warptile_multiply_add"), 2, kCeilingThreads, arguments);
    device.synchronise();
    value = 0;
    ASSERT_EQ(driver("cuMemcpyDtoH_v2", static_cast<void *>(&value), out, sizeof value), 0);
    EXPECT_EQ(value, 17);
}

}  // namespace
}  // namespace warptile::bench
