#pragma once

// What the warps of one block ask of their SM: instructions to issue, passes through the load/store unit (shared
// memory, L1, shuffles), barriers, and the chain of dependent steps.

#include <cmath>

#include "machine/machine.h"
#include "model/work.h"

namespace warptile {

struct Demand {
    double issue = 0;     ///< warp instructions
    double code = 0;      ///< instructions of the unrolled bodies, each once: what a compiler has to get through
    double shared = 0;    ///< cycles of shared memory
    double l1 = 0;        ///< cycles of global loads and stores through L1
    double shuffles = 0;  ///< warp shuffles
    double barriers = 0;
    double latency = 0;  ///< cycles from a block's first instruction to its last, were it alone
    double exposed = 0;  ///< cycles beyond these, for which all warps of an SM wait together
    double flight = 0;   ///< bytes of global loads that a thread has in flight at once, at best
    double sectors = 0;  ///< 32-byte sectors asked of L1
};

/// Bytes of one element of a tuple, at least one.
double element_bytes(const Node &node);

/// Of a Func at root or a buffer, as it lies in global memory at the estimates.
Layout global_layout(const Node &node);

/// `spare_registers`: what a thread has for loads under way, beside all else.
Demand demand_of(const Machine &machine, const GroupView &view, const Kernel &kernel, const Geometry &g,
                 const std::vector<Work> &works, double spare_registers = INFINITY);

}  // namespace warptile
