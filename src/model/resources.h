#pragma once

// What a kernel holds while it runs: shared memory a block and registers a thread. Registers are an estimate, since the
// assembler's own choice is elastic: `registers` is what it would like, `held` what it cannot do without.

#include <cstdint>

#include "model/work.h"

namespace warptile {

struct Resources {
    int64_t shared_bytes = 0;
    double registers = 0;
    double held = 0;
};

Resources resources_of(const GroupView &view, const Kernel &kernel, const Geometry &g, const std::vector<Work> &works);

}  // namespace warptile
