// The pictures of the page. Each is an SVG element; `drawn` names the variants in it, and a variant's place in the
// page's `palette` chooses its colour. All apps of a picture are of one size, so their names tell them apart.
#pragma once

#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// "c0", "c1" …: the class that has a variant's colour; the expert's is grey.
std::string colour_of(const std::vector<std::string> &palette, const std::string &variant);

/// Bars: each app's time over the expert's, one bar a variant, on a logarithmic axis that starts at 1.
std::string ratio_chart(const std::vector<const AppResult *> &apps, const std::vector<std::string> &drawn,
                        const std::vector<std::string> &palette);

/// Points: achieved bandwidth against operations a byte, under the card's ceilings. Needs ceilings.
std::string roofline_chart(const Results &results, const std::vector<const AppResult *> &apps,
                           const std::vector<std::string> &drawn, const std::vector<std::string> &palette);

/// Points: seconds to schedule, one line an app.
std::string schedule_chart(const std::vector<const AppResult *> &apps, const std::vector<std::string> &drawn,
                           const std::vector<std::string> &palette);

}  // namespace warptile::bench
