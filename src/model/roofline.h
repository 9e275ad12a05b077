#pragma once

// The cost model: a kernel takes its launch and then as long as the slowest of its resources, a little more where
// two are nearly as slow. Each resource is a term; the card's rates are in its weights file.

#include "machine/machine.h"
#include "model/cost_model.h"

namespace warptile {

/// Latency under load over the idle one. Of a copy with 1, 2, 4, 8 bytes a thread, 4.2, 2.2, 1.3 and 1.04 times the
/// floor follow (measured 4.0, 2.2, 1.3, 1.04).
constexpr double kLoadedLatency = 1.6;

class Roofline : public CostModel {
public:
    /// `max_registers`: what the runtime lets a thread have.
    Roofline(Machine machine, int max_registers) : machine_(std::move(machine)), max_registers_(max_registers) {}

    Cost cost(const GroupView &view, const Kernel &kernel) const override;

private:
    Machine machine_;
    int max_registers_;
};

}  // namespace warptile
