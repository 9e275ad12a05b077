// The emulated card: what lies behind the handles of the driver API. There is one, with a lock that every call takes.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda_api.h"
#include "decode.h"
#include "launch.h"
#include "memory.h"
#include "options.h"

namespace warptile::emulator {

struct LoadedModule;

struct LoadedKernel {
    LoadedModule *module = nullptr;
    const Kernel *kernel = nullptr;
    uint64_t most_dynamic_shared = 48 << 10;
};

struct LoadedModule {
    Program program;
    std::vector<std::unique_ptr<LoadedKernel>> kernels;
    std::vector<uint64_t> variables;  ///< their memory
};

struct Context {
    Result failure = Success;  ///< a launch that failed leaves its context useless, as on a card
};

class Device {
public:
    /// It is never destroyed: programs call the driver from destructors of their own.
    static Device &get();

    std::mutex lock;
    const Options options = options_of_environment();
    DeviceMemory memory;
    bool initialised = false;
    bool kernels_run = true;  ///< false: a launch is checked and noted, nothing more
    std::string launches;     ///< a line each

    /// Throws LaunchError, also for a module that cannot be used.
    LoadedModule *load(const std::string &ptx);
    void unload(LoadedModule *module);
    void launch(LoadedKernel &kernel, const Dim3 &grid, const Dim3 &block, uint64_t shared, void **parameters);

    /// Between the host and the device or within it. False where an address is not of the device.
    bool copy_in(uint64_t to, const void *from, uint64_t bytes);
    bool copy_out(void *to, uint64_t from, uint64_t bytes);

private:
    int modules_ = 0;
    void dump(const std::string &ptx);
    uint64_t place(const Variable &v, LoadedModule &module);
};

/// The value of a CU_DEVICE_ATTRIBUTE; -1 for one that the emulator does not know.
int device_attribute(int attribute, const Options &options);

}  // namespace warptile::emulator
