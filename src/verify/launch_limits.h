// Whether a kernel of a trial can be launched at all.
#pragma once

#include "verify/trial.h"

#include <string>
#include <vector>

namespace warptile {

// What CUDA and Halide's runtime for it allow on every card since Kepler.
struct LaunchLimits {
    int64_t threads = 1024;  // of a block
    int64_t thread_extents[3] = {1024, 1024, 64};
    int64_t block_extents[3] = {2147483647, 65535, 65535};
    int64_t shared_bytes = 48 * 1024;  // of a block: Halide's runtime does not ask for more, whatever the card has
};

// One sentence for each limit that the kernel breaks. A number that has no constant bound is taken to keep its limit:
// it depends on the size of the pipeline, and is the plan's to guard. One that has a bound but no constant value breaks
// a limit if the bound does, since some size may reach it.
std::vector<std::string> broken_limits(const TrialKernel &kernel, const LaunchLimits &limits = {});

}  // namespace warptile
