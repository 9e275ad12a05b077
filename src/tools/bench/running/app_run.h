// The variants of one app, run and timed in turn.
#pragma once

#include "tools/bench/machine.h"
#include "tools/bench/running/runner.h"

#include <string>

namespace warptile::bench {

/// What the results of an app's variants are held against.
struct Reference {
    fs::path file;      // that its outputs are in
    std::string error;  // why there is none; empty where there is
    Tolerance tolerance;
    bool is_consensus = false;  // it is what the variants agree on
};

/// Where `reference` failed, or all variants differ from it alike, they are compared with each other.
AppResult run_app(const RunOptions &options, const BuiltApp &app, Reference reference, const Nvml &card);

}  // namespace warptile::bench
