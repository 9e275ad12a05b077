#include "tools/bench/machine.h"

#include <cstdlib>
#include <dlfcn.h>

namespace warptile::bench {
namespace {

// nvmlClockType_t, as nvml.h numbers them.
constexpr int kSmClock = 1, kMemoryClock = 2;

template<typename... Arguments>
bool call(void *library, const char *function, Arguments... arguments) {
    void *const symbol = library ? dlsym(library, function) : nullptr;
    return symbol && reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...) == 0;
}

}  // namespace

Nvml::Nvml(const std::string &pci_bus_id) {
    void *const library = pci_bus_id.empty() ? nullptr : dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (call(library, "nvmlInit_v2") &&
        call(library, "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_)) {
        library_ = library;
    }
}

std::string Nvml::driver() const {
    char text[96] = "";
    call(library_, "nvmlSystemGetDriverVersion", text, unsigned(sizeof text));
    return text;
}

unsigned Nvml::clock(const char *function, int kind) const {
    unsigned mhz = 0;
    call(library_, function, device_, kind, &mhz);
    return mhz;
}

int Nvml::sm_clock_mhz() const { return int(clock("nvmlDeviceGetClockInfo", kSmClock)); }

int Nvml::highest_sm_clock_mhz() const { return int(clock("nvmlDeviceGetMaxClockInfo", kSmClock)); }

int Nvml::memory_clock_mhz() const { return int(clock("nvmlDeviceGetClockInfo", kMemoryClock)); }

int register_cap() {
    const char *const cap = std::getenv("HL_CUDA_JIT_MAX_REGISTERS");
    return cap ? std::atoi(cap) : 64;
}

}  // namespace warptile::bench
