// What a run found, as JSON and as a table.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warptile::bench {

/// One variant of one app on one machine.
struct Row {
    std::string app, variant;
    double build_seconds = 0;          // of the generator: scheduling and compiling
    std::vector<double> milliseconds;  // of a call, one value a batch; empty where it was not timed
    bool agrees = false;
    double largest_difference = 0, largest_magnitude = 0;
    std::string error;  // why there is no time, or what is wrong with the result

    double best() const;
    double median() const;
    double spread() const;  // (worst - best) / best
};

struct Results {
    std::string machine;  // the card, its driver and clocks
    std::string size;     // "WxH", or empty for the estimates
    std::vector<Row> rows;

    /// The row of `variant` for `app`, if it was timed.
    const Row *timed(const std::string &app, const std::string &variant) const;
};

nlohmann::json to_json(const Results &results);
Results results_from_json(const nlohmann::json &json);

/// A Markdown table: a line for each app and variant, its time, and its time over the expert's.
std::string to_markdown(const Results &results);

}  // namespace warptile::bench
