// What a run has to say of its machine: card, driver, clocks, register cap. Names and clocks come from NVML, NVIDIA's
// management library, which is part of the driver.
#pragma once

#include "tools/bench/results.h"

#include <string>

namespace warptile::bench {

/// The card of a run, watched from outside of the processes that use it.
class Nvml {
public:
    /// Of the card with this PCI bus id; does nothing where the library or the card is not there.
    explicit Nvml(const std::string &pci_bus_id);

    std::string driver() const;  // its version; empty where unknown
    int sm_clock_mhz() const;    // now; 0 where unknown
    int highest_sm_clock_mhz() const;
    int memory_clock_mhz() const;

private:
    void *library_ = nullptr, *device_ = nullptr;

    unsigned clock(const char *function, int kind) const;
};

/// The cap with which Halide's runtime assembles: HL_CUDA_JIT_MAX_REGISTERS of the environment, or 64.
int register_cap();

}  // namespace warptile::bench
