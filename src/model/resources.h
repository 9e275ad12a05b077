#pragma once

// What a kernel holds while it runs: shared memory a block and registers a thread. Registers are an estimate of what
// the assembler cannot do without: stored values, sums in the making, and a few loads under way.

#include <cstdint>

#include "model/work.h"

namespace warptile {

struct Resources {
    int64_t shared_bytes = 0;
    double registers = 0;
};

/// Registers of a thread that computes one point of the stage and nothing else.
double registers_of_a_point(const GroupView &view, const Kernel &kernel, const Work &work);

Resources resources_of(const GroupView &view, const Kernel &kernel, const Geometry &g, const std::vector<Work> &works);

}  // namespace warptile
