// What building found of a scheduler, before anything runs: what it could not schedule, what it fell back to, what
// spills, what one thread does alone.
#pragma once

#include "tools/bench/manifest.h"

#include <string>

namespace warptile::bench {

/// A Markdown table of one line for each app that has the variant, the sum of it, and what other variants failed on.
/// Throws `std::invalid_argument` where no app has the variant.
std::string inspection(const Manifest &manifest, const std::string &variant);

}  // namespace warptile::bench
