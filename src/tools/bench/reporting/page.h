// The page: one self-contained HTML file with pictures, tables and what failed. No scripts, nothing from elsewhere.
#pragma once

#include "tools/bench/results.h"

#include <string>

namespace warptile::bench {

std::string to_html(const Results &results);

/// Its bar chart alone, as an SVG file: for a README.
std::string to_svg(const Results &results);

}  // namespace warptile::bench
