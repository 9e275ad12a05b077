// Runs the variants of an app side by side, each in a process of its own, and says how long each takes and whether
// its result is right.
#pragma once

#include "tools/bench/bundle.h"
#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace warptile::bench {

struct RunOptions {
    fs::path bundle;
    std::vector<std::string> apps;      // empty for all
    std::vector<std::string> variants;  // empty for all
    std::string size;                   // of the output, "WxH"; empty for the estimates
    std::string picture;                // a file; empty for the made-up picture
    int rounds = 7;                     // timed batches of each variant; 0 checks results only
    double batch_milliseconds = 40;     // length of a batch
    double timeout = 120;               // seconds for each step of a variant
};

/// Runs what `options` choose of a bundle. Says on stderr which app it is at.
Results run_bundle(const RunOptions &options);

}  // namespace warptile::bench
