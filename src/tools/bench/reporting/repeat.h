// Two runs of the same variants on the same card: how well their ratios repeat.
#pragma once

#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// A variant's time over the expert's, in both runs.
struct Repeated {
    std::string app, variant;
    double first = 0, second = 0;

    /// How far apart they are: 0.02 where one is 2 % more than the other.
    double change() const;
};

/// The ratios that both runs have, of apps whose expert schedule takes longer than `least_ms` in both; the one that
/// changed most comes first.
std::vector<Repeated> repeated(const Results &first, const Results &second, double least_ms);

/// One line a ratio that changed by more than `within`, and a line on all of them.
std::string to_string(const std::vector<Repeated> &ratios, double within);

}  // namespace warptile::bench
