#pragma once

// Steps of a sum that a thread takes together. Each step of a product of matrices needs what it multiplies now, and a
// warp that waits for it does nothing else: with several steps in one body their loads wait together, and those of
// one row, beside each other in memory, share an address. The steps of a convolution's window are a body together: what
// one point of the thread reads at one of them, another reads at another.

#include <vector>

#include "model/kernel.h"

namespace warptile {

/// `kernel` with each number of steps that is worth a try for its sums in registers; only itself where there are none.
std::vector<Kernel> with_steps(const GroupView &view, const Kernel &kernel);

}  // namespace warptile
