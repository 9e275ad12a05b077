// Estimates that a user gives for generators that lack them, or have others than are wanted. They become arguments of
// the generator main (`--estimate`), which knows what the generator's inputs and outputs are called.
#pragma once

#include "tools/bench/building/generators.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// Adds the estimates of `given` to the arguments of `sources`: "NAME=VALUES" to all of them, "APP: NAME=VALUES" to
/// that one; of a file each line, those for other apps left out. Of two for the same NAME the later one holds. Throws
/// `std::invalid_argument` that quotes what is none, or is for an app that is not there.
void give_estimates(std::vector<GeneratorSource> &sources, const std::vector<std::string> &given);

}  // namespace warptile::bench
