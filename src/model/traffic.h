#pragma once

// Bytes that a kernel moves beyond its SM. DRAM sees each value once, and none of those that the producing kernel left
// in the L2 cache; L2 sees what every block needs of it, halos included, in sectors of 32 bytes.

#include "machine/machine.h"
#include "model/instructions.h"

namespace warptile {

struct Traffic {
    double dram_bytes = 0;
    double l2_bytes = 0;
};

Traffic traffic_of(const Machine &machine, const GroupView &view, const Kernel &kernel, const Geometry &g,
                   const Demand &demand);

}  // namespace warptile
