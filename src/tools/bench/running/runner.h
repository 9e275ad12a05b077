// Runs the variants of an app side by side, each in a process of its own, and says how long each takes and whether
// its result is right.
#pragma once

#include "tools/bench/manifest.h"
#include "tools/bench/results.h"
#include "tools/bench/running/agreement.h"

#include <functional>
#include <string>
#include <vector>

namespace warptile::bench {

struct RunOptions {
    fs::path bundle;
    std::vector<std::string> apps;      // names or titles; empty for all
    std::vector<std::string> variants;  // empty for all
    std::string size;                   // of the output, "WxH"; empty for the estimates
    std::string picture;                // a file; empty for the made-up picture
    Tolerance tolerance;                // of apps whose reference is the unscheduled pipeline
    int rounds = 12;                    // timed batches of each variant; 0 checks results only
    int processes = 3;                  // of a variant, one after the other, which share its rounds …
    int most_processes = 24;            // … and how many where they differ, with as many rounds each
    double batch_milliseconds = 40;     // length of a batch
    double timeout = 120;               // seconds for each step of a variant
    bool ceilings = true;               // measure those of the card
    bool keeps_memory = true;           // on the device, from call to call (device_memory.h)
};

/// Runs what `options` choose of a bundle, and hands each app's result to `done` as soon as it is there. Says on stderr
/// how far it is. Throws `std::runtime_error` where the bundle is none, or holds nothing that was chosen.
Results run_bundle(const RunOptions &options, const std::function<void(const Results &, const AppResult &)> &done);

}  // namespace warptile::bench
