#include "tools/bench/running/cuda_driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

namespace warptile::bench {
namespace {

// CUdevice_attribute, as cuda.h numbers them.
constexpr int kSms = 16, kCapabilityMajor = 75, kCapabilityMinor = 76;

int chosen_device() {
    const char *const text = std::getenv("HL_GPU_DEVICE");
    return text ? std::atoi(text) : 0;
}

}  // namespace

/// Calls a function of the driver by its name; what is passed must be exactly what cuda.h declares.
template<typename... Arguments>
void CudaDevice::call(const char *function, Arguments... arguments) const {
    void *const symbol = dlsym(library_, function);
    if (!symbol) {
        throw std::runtime_error(std::string("the CUDA driver has no ") + function);
    }
    const int status = reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...);
    if (status != 0) {
        throw std::runtime_error(std::string(function) + " failed with the error " + std::to_string(status));
    }
}

CudaDevice::CudaDevice() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (!library_) {
        throw std::runtime_error("no CUDA driver: libcuda.so.1 is not there");
    }
    call("cuInit", 0U);
    call("cuDeviceGet", &device_, chosen_device());
    void *context = nullptr;
    call("cuCtxCreate_v2", &context, 0U, device_);
}

std::string CudaDevice::name() const {
    char text[256] = "";
    call("cuDeviceGetName", text, int(sizeof text), device_);
    return text;
}

std::string CudaDevice::pci_bus_id() const {
    char text[64] = "";
    if (!dlsym(library_, "cuDeviceGetPCIBusId")) {
        return {};
    }
    call("cuDeviceGetPCIBusId", text, int(sizeof text), device_);
    return text;
}

int CudaDevice::driver_version() const {
    int version = 0;
    if (dlsym(library_, "cuDriverGetVersion")) {
        call("cuDriverGetVersion", &version);
    }
    return version;
}

int CudaDevice::attribute(int number) const {
    int value = 0;
    call("cuDeviceGetAttribute", &value, number, device_);
    return value;
}

int CudaDevice::capability() const { return 10 * attribute(kCapabilityMajor) + attribute(kCapabilityMinor); }

int CudaDevice::sms() const { return attribute(kSms); }

uint64_t CudaDevice::allocate(size_t bytes) {
    uint64_t pointer = 0;
    call("cuMemAlloc_v2", reinterpret_cast<unsigned long long *>(&pointer), bytes);
    return pointer;
}

void *CudaDevice::load(const std::string &ptx, const char *kernel) {
    void *module = nullptr, *function = nullptr;
    call("cuModuleLoadData", &module, static_cast<const void *>(ptx.c_str()));
    call("cuModuleGetFunction", &function, module, kernel);
    return function;
}

void CudaDevice::launch(void *kernel, unsigned blocks, unsigned threads, void **arguments) {
    call("cuLaunchKernel", kernel, blocks, 1U, 1U, threads, 1U, 1U, 0U, static_cast<void *>(nullptr), arguments,
         static_cast<void **>(nullptr));
}

void CudaDevice::synchronise() { call("cuCtxSynchronize"); }

}  // namespace warptile::bench
