// Results of a run: JSON to keep and Markdown to read.
#include "tools/bench/results.h"

#include <algorithm>
#include <cstdio>

namespace warptile::bench {
namespace {

std::string formatted(const char *format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Text that does not break a table's cell.
std::string cell(std::string text) {
    std::replace(text.begin(), text.end(), '|', '/');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string agreement_cell(const Row &row) {
    if (row.milliseconds.empty() && !row.error.empty()) {
        return "";
    }
    const std::string difference =
        formatted("%.2g", row.largest_difference) + " of " + formatted("%.3g", row.largest_magnitude);
    return (row.agrees ? "yes, " : "**no**, ") + difference;
}

}  // namespace

double Row::best() const { return *std::min_element(milliseconds.begin(), milliseconds.end()); }

double Row::median() const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
}

double Row::spread() const { return *std::max_element(milliseconds.begin(), milliseconds.end()) / best() - 1; }

const Row *Results::timed(const std::string &app, const std::string &variant) const {
    for (const Row &row : rows) {
        if (row.app == app && row.variant == variant && !row.milliseconds.empty()) {
            return &row;
        }
    }
    return nullptr;
}

nlohmann::json to_json(const Results &results) {
    nlohmann::json rows = nlohmann::json::array();
    for (const Row &row : results.rows) {
        rows.push_back({{"app", row.app},
                        {"variant", row.variant},
                        {"build_seconds", row.build_seconds},
                        {"milliseconds", row.milliseconds},
                        {"agrees", row.agrees},
                        {"largest_difference", row.largest_difference},
                        {"largest_magnitude", row.largest_magnitude},
                        {"error", row.error}});
    }
    return {{"machine", results.machine}, {"size", results.size}, {"rows", rows}};
}

Results results_from_json(const nlohmann::json &json) {
    Results results{json.at("machine"), json.at("size"), {}};
    for (const nlohmann::json &row : json.at("rows")) {
        const nlohmann::json &difference = row.at("largest_difference");  // null where it is infinite
        results.rows.push_back({row.at("app"), row.at("variant"), row.at("build_seconds"), row.at("milliseconds"),
                                row.at("agrees"), difference.is_null() ? 1.0 / 0.0 : difference.get<double>(),
                                row.at("largest_magnitude"), row.at("error")});
    }
    return results;
}

std::string to_markdown(const Results &results) {
    std::string text = results.machine + (results.size.empty() ? "" : "; output of " + results.size) + "\n\n";
    text += "| app | variant | ms (best) | ms (median) | spread | time / expert | agrees (largest difference) | "
            "scheduled and compiled in | note |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Row &row : results.rows) {
        const bool timed = !row.milliseconds.empty();
        const Row *const expert = results.timed(row.app, "expert");
        text += "| " + row.app + " | " + row.variant + " | ";
        text += (timed ? formatted("%.4f", row.best()) : "") + " | ";
        text += (timed ? formatted("%.4f", row.median()) : "") + " | ";
        text += (timed ? formatted("%.1f %%", 100 * row.spread()) : "") + " | ";
        text += (timed && expert ? formatted("%.3f", row.best() / expert->best()) : "") + " | ";
        text += agreement_cell(row) + " | ";
        text += (row.build_seconds > 0 ? formatted("%.1f s", row.build_seconds) : "") + " | ";
        text += cell(row.error) + " |\n";
    }
    return text;
}

}  // namespace warptile::bench
