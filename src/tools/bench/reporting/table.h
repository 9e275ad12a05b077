// Results as text: columns for the terminal, as they come, and a Markdown document.
#pragma once

#include "tools/bench/results.h"

#include <string>

namespace warptile::bench {

/// The head of the terminal's table.
std::string table_head();

/// One app's lines of it. `results` has the ceilings.
std::string table_lines(const Results &results, const AppResult &app);

/// A Markdown document: the machine, a table with a line for each app and variant, a summary.
std::string to_markdown(const Results &results);

/// A Markdown table with a line for each app and a column of milliseconds for each variant; where there is no time to
/// compare, what went wrong in two words.
std::string to_brief_markdown(const Results &results);

/// A Markdown table of generators from elsewhere, with a line for each app: `expert`, WarpTile, every other scheduler,
/// and WarpTile's time over the expert's and over the best of the others'; the kernels of its plan, what they are
/// predicted to take, and how long it took to schedule. A star marks results that were compared with each other only.
/// Below it the geometric means.
std::string to_strangers_markdown(const Results &results);

/// A Markdown table of what the first variant is without this or that: a line for each app with its milliseconds and
/// the time of every other variant over it, `=` for one that was not built since its code is the first's (`build
/// --once`). Below them the geometric means, over all apps on which both have a time or one code.
std::string to_ablation_markdown(const Results &results);

}  // namespace warptile::bench
