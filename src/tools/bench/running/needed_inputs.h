// How much of its inputs a pipeline needs, whatever its estimates say, and how its buffers must lie in memory
// (interleaved channels, say): compiled pipelines can be asked.
#pragma once

#include "tools/bench/running/arguments.h"
#include "tools/bench/running/pipeline.h"

#include <vector>

namespace warptile::bench {

/// Widens the inputs of `shapes` so that they hold what `pipeline` needs for outputs of these shapes, and lays all
/// buffers out as it asks. Throws `std::runtime_error` where the pipeline refuses to say.
void fit_to(std::vector<ArgumentShape> &shapes, const Pipeline &pipeline);

}  // namespace warptile::bench
