#include "tools/bench/text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace warptile::bench {

std::string formatted(const char *format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string milliseconds(double value) { return formatted(value < 1 ? "%.4f" : value < 100 ? "%.3f" : "%.1f", value); }

std::string with_unit(double value, const std::string &unit) {
    const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int prefix = 0;
    for (; value >= 1000 && prefix < 5; prefix++) {
        value /= 1000;
    }
    return formatted("%.3g ", value) + prefixes[prefix] + unit;
}

std::string optional_number(const char *format, const std::optional<double> &value) {
    return value ? formatted(format, *value) : "–";
}

std::string agreement(const Row &row) { return !row.ran ? "" : !row.agrees ? "NO" : row.with_others ? "alike" : "yes"; }

std::string without_reference(const AppResult &app) {
    const bool with_others =
        std::any_of(app.rows.begin(), app.rows.end(), [](const Row &row) { return row.with_others; });
    return app.error + (with_others ? "; the variants are compared with each other"
                                    : "; there is nothing to compare the variants with");
}

std::string note(const Row &row) {
    if (!row.failed_at.empty()) {
        return row.failed_at + ": " + row.error;
    }
    const std::string alike = row.agrees && row.with_others ? "as the other variants" : "";
    const std::string remark = row.ran && !row.on_device ? "runs on the host" : row.remark;
    return alike + (alike.empty() || remark.empty() ? "" : "; ") + remark;
}

std::string shortened(const std::string &text, size_t length) {
    return text.size() <= length ? text : text.substr(0, length - 1) + "…";
}

std::vector<std::string> lines_of(const std::vector<std::string> &arguments) {
    std::vector<std::string> lines;
    for (const std::string &argument : arguments) {
        if (!std::filesystem::is_regular_file(argument)) {
            lines.push_back(argument);
            continue;
        }
        std::ifstream file(argument);
        for (std::string line; std::getline(file, line);) {
            const size_t begin = line.find_first_not_of(" \t\r");
            if (begin != std::string::npos && line[begin] != '#') {
                lines.push_back(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin));
            }
        }
    }
    return lines;
}

std::vector<std::string> summary(const Results &results) {
    std::vector<std::string> lines;
    for (const std::string &variant : results.variants()) {
        int built = 0, right = 0, faster = 0, compared = 0;
        for (const AppResult &app : results.apps) {
            const Row *const row = app.row(variant);
            built += row != nullptr;
            right += row && row->agrees;
            const std::optional<double> ratio = app.ratio(variant, "expert");
            faster += ratio && *ratio <= 1;
        }
        std::string line = variant + ": agrees on " + std::to_string(right) + " of " + std::to_string(built);
        const double mean = results.mean_ratio(variant, "expert", compared);
        if (compared > 0 && variant != "expert") {
            line += "; " + formatted("%.3f", mean) + " of the expert's time on " + std::to_string(compared) +
                    " (geometric mean), no slower on " + std::to_string(faster);
        }
        lines.push_back(line);
    }
    return lines;
}

std::string ceilings_text(const Ceilings &ceilings) {
    if (!ceilings.measured()) {
        return "Ceilings: not measured" + (ceilings.error.empty() ? "" : " (" + ceilings.error + ")");
    }
    return "Ceilings measured in this run: copy from memory " + with_unit(ceilings.memory_bytes_per_second(), "B/s") +
           ", copy at the best size " + with_unit(ceilings.fastest_bytes_per_second(), "B/s") +
           ", multiply-add (two operations) " + with_unit(ceilings.operations_per_second, "op/s");
}

}  // namespace warptile::bench
