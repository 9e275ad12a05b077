#pragma once

// What a kernel takes of an SM, which every cost model asks first: a kernel that cannot be launched, or whose body no
// compiler gets through, has no cost.

#include <string>
#include <vector>

#include "machine/occupancy.h"
#include "model/instructions.h"
#include "model/resources.h"
#include "model/work.h"

namespace warptile {

struct Fit {
    std::string problem;  ///< why there is no such kernel; else empty, and the rest is set
    Geometry geometry;
    std::vector<Work> works;
    Resources need;
    Occupancy occupancy;  ///< with no more registers than a thread may have
    Demand demand;
};

/// `max_registers`: what the runtime lets a thread have.
Fit fit(const Machine &machine, const GroupView &view, const Kernel &kernel, int max_registers);

}  // namespace warptile
