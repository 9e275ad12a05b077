// The functions of the driver API. A call that fails says why in one line on stderr: the caller only gets a number.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <type_traits>

#include "address.h"
#include "device.h"

using namespace warptile::emulator;

namespace {

/// What a thread knows. Programs call the driver from destructors of their own, when those of the thread's variables
/// have run: these have none.
struct ThreadState {
    std::array<Context *, 64> contexts = {};
    size_t depth = 0;
    std::array<char, 1024> message = {};

    bool empty() const { return depth == 0; }

    Context *top() const { return contexts[depth - 1]; }

    /// False where there are too many.
    bool push(Context *context) {
        if (depth == contexts.size()) {
            return false;
        }
        contexts[depth++] = context;
        return true;
    }

    void erase(const Context *context) {
        const auto end = contexts.begin() + static_cast<std::ptrdiff_t>(depth);
        depth = static_cast<size_t>(std::remove(contexts.begin(), end, context) - contexts.begin());
    }
};

static_assert(std::is_trivially_destructible_v<ThreadState>);

thread_local ThreadState current;

void report(const std::exception &e) {
    std::snprintf(current.message.data(), current.message.size(), "%s", e.what());
    std::fprintf(stderr, "emulator: %s\n", e.what());
}

Context *context_of(CUcontext handle) { return reinterpret_cast<Context *>(handle); }

enum class Kind { Ordinary, Launch, GiveBack };

/// Does `work` under the device's lock and turns what it throws into its number. A launch that fails spoils its context
/// for everything but giving back: a card refuses that too, but then the first message would be lost behind others.
CUresult guarded(const std::function<void(Device &)> &work, Kind kind = Kind::Ordinary) {
    Device &device = Device::get();
    const std::lock_guard<std::mutex> lock(device.lock);
    if (!device.initialised) {
        return NotInitialized;
    }
    Context *const context = current.empty() ? nullptr : current.top();
    if (context && context->failure != Success && kind != Kind::GiveBack) {
        return context->failure;
    }
    try {
        work(device);
        return Success;
    } catch (const LaunchError &e) {
        report(e);
        if (kind == Kind::Launch && context && e.code >= IllegalAddress) {
            context->failure = e.code;
        }
        return e.code;
    } catch (const std::exception &e) {
        report(e);
        return OutOfMemory;
    }
}

void expect(bool holds, Result code, const char *what) {
    if (!holds) {
        throw LaunchError(code, what);
    }
}

void expect_context() { expect(!current.empty(), InvalidContext, "a call without a context"); }

void copy_box(Device &device, const CUDA_MEMCPY3D &c) {
    constexpr int host = 1, on_device = 2;
    expect((c.srcMemoryType == host || c.srcMemoryType == on_device) &&
               (c.dstMemoryType == host || c.dstMemoryType == on_device),
           NotSupported, "cuMemcpy3D with an array or unified memory");
    std::vector<uint8_t> row(c.WidthInBytes);
    for (size_t z = 0; z < c.Depth; z++) {
        for (size_t y = 0; y < c.Height; y++) {
            const size_t from = c.srcXInBytes + ((c.srcZ + z) * c.srcHeight + c.srcY + y) * c.srcPitch;
            const size_t to = c.dstXInBytes + ((c.dstZ + z) * c.dstHeight + c.dstY + y) * c.dstPitch;
            bool good = true;
            if (c.srcMemoryType == host) {
                std::memcpy(row.data(), static_cast<const uint8_t *>(c.srcHost) + from, row.size());
            } else {
                good = device.copy_out(row.data(), c.srcDevice + from, row.size());
            }
            if (c.dstMemoryType == host) {
                std::memcpy(static_cast<uint8_t *>(c.dstHost) + to, row.data(), row.size());
            } else {
                good = good && device.copy_in(c.dstDevice + to, row.data(), row.size());
            }
            expect(good, InvalidValue, "cuMemcpy3D reaches outside an allocation");
        }
    }
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
    Device &device = Device::get();
    const std::lock_guard<std::mutex> lock(device.lock);
    device.initialised = true;
    return Success;
}

CUresult cuDriverGetVersion(int *version) {
    *version = 12000;
    return Success;
}

CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return Success;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = 0;
    return ordinal == 0 ? Success : InvalidDevice;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
    *value = device_attribute(attribute, Device::get().options);
    return *value < 0 ? InvalidValue : Success;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice) {
    std::snprintf(name, static_cast<size_t>(length), "PTX emulator");
    return Success;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
    *bytes = size_t(8) << 30;
    return Success;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
    switch (error) {
    case Success:
        *name = "CUDA_SUCCESS";
        break;
    case InvalidValue:
        *name = "CUDA_ERROR_INVALID_VALUE";
        break;
    case OutOfMemory:
        *name = "CUDA_ERROR_OUT_OF_MEMORY";
        break;
    case InvalidPtx:
        *name = "CUDA_ERROR_INVALID_PTX";
        break;
    case IllegalAddress:
        *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
        break;
    case LaunchTimeout:
        *name = "CUDA_ERROR_LAUNCH_TIMEOUT";
        break;
    case MisalignedAddress:
        *name = "CUDA_ERROR_MISALIGNED_ADDRESS";
        break;
    case LaunchFailed:
        *name = "CUDA_ERROR_LAUNCH_FAILED";
        break;
    default:
        *name = "CUDA_ERROR_UNKNOWN";
        break;
    }
    return Success;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned, CUdevice device) {
    return guarded([&](Device &) {
        expect(device == 0, InvalidDevice, "there is only device 0");
        expect(current.push(new Context), InvalidContext, "too many contexts of one thread");
        *context = reinterpret_cast<CUcontext>(current.top());
    });
}

CUresult cuCtxDestroy_v2(CUcontext context) {
    current.erase(context_of(context));
    delete context_of(context);
    return Success;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) { return current.push(context_of(context)) ? Success : InvalidContext; }

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    if (current.empty()) {
        return InvalidContext;
    }
    *context = reinterpret_cast<CUcontext>(current.top());
    current.depth--;
    return Success;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    *device = 0;
    return Success;
}

CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) {
    *version = 3020;
    return Success;
}

CUresult cuCtxSynchronize() {
    return guarded([](Device &) { expect_context(); });
}

CUresult cuStreamSynchronize(CUstream) { return cuCtxSynchronize(); }

CUresult cuProfilerStop() { return Success; }

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return guarded([&](Device &device) {
        expect_context();
        *module = reinterpret_cast<CUmodule>(device.load(static_cast<const char *>(image)));
    });
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, int *, void **) {
    return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
    return guarded([&](Device &device) { device.unload(reinterpret_cast<LoadedModule *>(module)); }, Kind::GiveBack);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    return guarded([&](Device &) {
        for (const auto &kernel : reinterpret_cast<LoadedModule *>(module)->kernels) {
            if (kernel->kernel->name == name) {
                *function = reinterpret_cast<CUfunction>(kernel.get());
                return;
            }
        }
        throw LaunchError(NotFound, std::string("the module has no kernel '") + name + "'");
    });
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    constexpr int most_dynamic_shared = 8;
    return guarded([&](Device &device) {
        expect(attribute == most_dynamic_shared, InvalidValue,
               "an attribute of a function that the emulator does not know");
        expect(value <= device_attribute(97, device.options), InvalidValue, "more shared memory than a block can have");
        reinterpret_cast<LoadedKernel *>(function)->most_dynamic_shared = static_cast<uint64_t>(value);
    });
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream, void **parameters,
                        void **extra) {
    return guarded(
        [&](Device &device) {
            expect_context();
            expect(!extra, NotSupported, "cuLaunchKernel with `extra`");
            device.launch(*reinterpret_cast<LoadedKernel *>(function), {grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z}, shared_bytes, parameters);
        },
        Kind::Launch);
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    return guarded([&](Device &device) {
        expect_context();
        expect(bytes > 0, InvalidValue, "an allocation of nothing");
        *address = device.memory.allocate(bytes);
        expect(*address != 0, OutOfMemory, "an allocation is too large, or there are too many");
    });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
    return guarded(
        [&](Device &device) {
            expect(device.memory.free(address), InvalidValue, "cuMemFree of an address that cuMemAlloc did not give");
        },
        Kind::GiveBack);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return guarded([&](Device &device) {
        expect(device.copy_in(to, from, bytes), InvalidValue, "cuMemcpyHtoD reaches outside an allocation");
    });
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return guarded([&](Device &device) {
        expect(device.copy_out(to, from, bytes), InvalidValue, "cuMemcpyDtoH reaches outside an allocation");
    });
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return guarded([&](Device &device) {
        std::vector<uint8_t> between(bytes);
        expect(device.copy_out(between.data(), from, bytes) && device.copy_in(to, between.data(), bytes), InvalidValue,
               "cuMemcpyDtoD reaches outside an allocation");
    });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream) {
    return cuMemcpyHtoD_v2(to, from, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream) {
    return cuMemcpyDtoH_v2(to, from, bytes);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
    return cuMemcpyDtoD_v2(to, from, bytes);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy) {
    return guarded([&](Device &device) { copy_box(device, *copy); });
}

CUresult cuPointerGetAttribute(void *result, int query, CUdeviceptr address) {
    constexpr int context = 1;
    return guarded([&](Device &device) {
        expect_context();
        expect(query == context && device.memory.find(address, 1), InvalidValue,
               "cuPointerGetAttribute of another attribute than the context, or of an unknown address");
        *static_cast<CUcontext *>(result) = reinterpret_cast<CUcontext>(current.top());
    });
}

const char *emulatorMessage() { return current.message.data(); }

void emulatorRuns(int kernels_run) {
    Device &device = Device::get();
    const std::lock_guard<std::mutex> lock(device.lock);
    device.kernels_run = kernels_run != 0;
    device.launches.clear();
}

const char *emulatorLaunches() { return Device::get().launches.c_str(); }
}
