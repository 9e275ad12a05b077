// The part of a bundle that is the same whatever is benched: the Makefile, this program's sources, headers, references.
#pragma once

#include "tools/bench/building/bundle.h"

#include <string>

namespace warptile::bench {

/// Throws `std::runtime_error` that names the file that is not there or cannot be written.
void copy_sources(const BuildOptions &options);

/// Copies the app's reference, if it has one, with a small file that gives it a C interface. Returns whether it has.
bool copy_reference(const BuildOptions &options, const std::string &app);

}  // namespace warptile::bench
