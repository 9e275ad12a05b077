// Bars that a run must clear, so that it can guard a release. One bar is a line of text:
//
//     WarpTile agrees                       on every app it has a row for
//     WarpTile/expert <= 1.05               the ratio of times, on every app
//     blur: WarpTile/expert <= 1.02         on this app, at all its sizes or (with "blur 192x320") at one
//     geomean WarpTile/expert <= 1.0        the geometric mean over all apps
//     WarpTile ms <= 0.05                   the time
//     WarpTile share >= 0.7                 of the roofline
//     WarpTile seconds <= 5                 to schedule
//
// Comparisons are <=, <, >= and >.
#pragma once

#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace warptile::bench {

struct Verdict {
    std::string bar;
    bool met = false;
    std::vector<std::string> why;  // of a missed bar: each app that missed it, with its figure
};

/// Judges a bar. An app on which the variant failed misses it; one on which only what it is compared with failed is
/// left out; a bar that no app is left for is missed. Throws `std::invalid_argument` where the text is no bar.
Verdict judge(const std::string &bar, const Results &results);

}  // namespace warptile::bench
