#pragma once

// The cost model that the search goes by unless told otherwise: a kernel takes its launch and then as long as the
// slowest of its resources, a little more where two are nearly as slow. Each resource is a term; the card's rates are
// in its weights file.

#include "machine/machine.h"
#include "model/cost_model.h"

namespace warptile {

class Roofline : public CostModel {
public:
    /// `max_registers`: what the runtime lets a thread have.
    Roofline(Machine machine, int max_registers) : machine_(std::move(machine)), max_registers_(max_registers) {}

    Cost cost(const GroupView &view, const Kernel &kernel) const override;
    Cost cost(const Sweep &sweep) const override;

private:
    Machine machine_;
    int max_registers_;
};

}  // namespace warptile
