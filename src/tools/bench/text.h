// Numbers and names as the table, the Markdown and the page show them, in one place so that all three agree.
#pragma once

#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// `value` by a printf format.
std::string formatted(const char *format, double value);

/// Milliseconds with four significant digits, and no more than 0.1 µs.
std::string milliseconds(double value);

/// "2.94 TB/s", "812 GB/s"; "48.2 MB"; "66.1 Top/s".
std::string with_unit(double value, const std::string &unit);

/// "0.79", or a dash where there is none.
std::string optional_number(const char *format, const std::optional<double> &value);

/// What a row's cell on agreement says: "yes", "alike" where it agrees with the other variants and there is no
/// reference, "NO", or nothing where it did not run.
std::string agreement(const Row &row);

/// What is wrong with a row, "build: no end after 600 s"; or that it ran on the host; or a remark on
/// its schedule; or nothing.
std::string note(const Row &row);

/// Of an app whose reference did not serve: why, and what its variants were compared with.
std::string without_reference(const AppResult &app);

/// At most `length` characters of `text`, the last an ellipsis where it was longer.
std::string shortened(const std::string &text, size_t length);

/// What arguments stand for that are each a thing in words, or a file of them: one a line, blank lines and those that
/// start with # left out.
std::vector<std::string> lines_of(const std::vector<std::string> &arguments);

/// Lines that sum a run up: how each variant compares with `expert`, and how many apps failed.
std::vector<std::string> summary(const Results &results);

/// The card's ceilings in one line, or why there are none.
std::string ceilings_text(const Ceilings &ceilings);

}  // namespace warptile::bench
