#pragma once

// Random pipelines, compiled here, to be run on a machine that has a GPU and no Halide.

#include <cstdint>
#include <string>

namespace warptile::fuzz {

/// Writes `count` pipelines, from seed `first` on, to `folder`: an object file and a data file each (inputs as the
/// seeds they are filled from, and the expected outputs), one object with Halide's runtime, `main.cpp` and a Makefile.
/// `make
/// && ./run_bundle` runs each in a process of its own, and ends with a line "N passed, M failed". Every fourth pipeline
/// is there once more, under the search's own plan. Returns how many were written; what was not is told on stdout.
int write_bundle(const std::string &folder, int count, uint64_t first);

}  // namespace warptile::fuzz
