// What the variants of an app agree on, where nothing better is to be compared with: the reference cannot run (an
// intermediate too large for the host, a function that is not there), or the host computes otherwise than the card (a
// float that is cut to an integer).
#pragma once

#include "tools/bench/running/runner.h"

#include <optional>
#include <string>
#include <vector>

namespace warptile::bench {

struct Consensus {
    std::string variant;  // whose results stand for all
    int agreeing = 0;     // variants with results like these, itself among them: two or more
    int ran = 0;          // variants that came to an end
    Tolerance tolerance;  // to which they agree
};

/// Runs each of `variants` once, and writes the results of one that most of the others agree with to `file`: to a
/// share `relative` of the largest magnitude, integers to one step at least. Nothing where no two agree, and then there
/// is no file.
std::optional<Consensus> find_consensus(const RunOptions &options, const BuiltApp &app,
                                        const std::vector<std::string> &variants, double relative,
                                        const fs::path &file);

}  // namespace warptile::bench
