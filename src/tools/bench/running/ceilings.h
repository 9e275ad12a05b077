// Measures a card's ceilings: how fast it copies, by size, and how fast it multiplies and adds.
#pragma once

#include "tools/bench/roofline.h"
#include "tools/bench/running/cuda_driver.h"

namespace warptile::bench {

/// Takes about a second. Throws `std::runtime_error` where the device cannot.
Ceilings measure_ceilings(CudaDevice &device);

}  // namespace warptile::bench
