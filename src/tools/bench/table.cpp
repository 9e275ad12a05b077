#include "tools/bench/table.h"

#include "tools/bench/text.h"

#include <algorithm>
#include <cstdio>

namespace warptile::bench {
namespace {

/// One line of the terminal's table; the last column is as long as it is.
std::string columns(const std::vector<std::string> &cells) {
    constexpr int widths[] = {-26, -14, 10, 8, 10, 9, 7, 10, 0};
    std::string line;
    for (size_t i = 0; i < cells.size(); i++) {
        // The dash has three bytes and one column.
        const int pad = int(cells[i].size()) - (cells[i] == "–" ? 1 : int(cells[i].size()));
        char text[512];
        std::snprintf(text, sizeof text, "%*s", widths[i] < 0 ? widths[i] - pad : widths[i] + pad, cells[i].c_str());
        line += (i ? " " : "") + std::string(text);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::vector<std::string> cells_of(const Results &results, const AppResult &app, const Row &row) {
    const std::optional<double> share = results.share(app, row);
    return {app.title(),
            row.variant,
            row.timed() ? milliseconds(row.time()) : "–",
            row.timed() ? formatted("%.1f %%", 100 * row.spread()) : "",
            optional_number("%.3f", app.ratio(row.variant, "expert")),
            share ? formatted("%.0f %%", 100 * *share) : "–",
            agreement(row),
            optional_number("%.1f", row.schedule_seconds),
            note(row)};
}

/// Text that does not break a table's cell.
std::string cell(std::string text) {
    std::replace(text.begin(), text.end(), '|', '/');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string markdown_line(const Results &results, const AppResult &app, const Row &row) {
    std::vector<std::string> cells = cells_of(results, app, row);
    cells.insert(cells.begin() + 7,
                 row.ran ? formatted("%.2g", row.largest_difference) + " of " + formatted("%.3g", row.largest_magnitude)
                         : "");
    cells.insert(cells.begin() + 9, formatted("%.1f", row.build_seconds));
    std::string line = "|";
    for (const std::string &text : cells) {
        line += " " + cell(text) + " |";
    }
    return line + "\n";
}

std::string brief(const Row *row) {
    if (!row) {
        return "";
    }
    if (row->counts()) {
        return milliseconds(row->time());
    }
    if (row->failed_at == "build") {
        return "no build";
    }
    if (row->failed_at == "run") {
        return "no run";
    }
    return row->on_device ? "wrong" : "on the host";
}

}  // namespace

std::string table_head() {
    return columns({"app", "variant", "ms", "spread", "/ expert", "roofline", "agrees", "schedule s", "note"});
}

std::string table_lines(const Results &results, const AppResult &app) {
    std::string text;
    if (!app.error.empty()) {
        text += columns({app.title(), "reference", "–", "", "–", "–", "", "–", without_reference(app)});
    }
    for (const Row &row : app.rows) {
        text += columns(cells_of(results, app, row));
    }
    return text;
}

std::string to_markdown(const Results &results) {
    std::string text = to_string(results.machine) + "; " + results.date + " UTC" +
                       (results.size.empty() ? "" : "; output of " + results.size) + ". " +
                       ceilings_text(results.ceilings) + ".\n\n";
    text += "| app | variant | ms | spread | time / expert | share of roofline | agrees | largest difference | "
            "schedule (s) | schedule and compile (s) | note |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const AppResult &app : results.apps) {
        if (!app.error.empty()) {
            text +=
                "| " + app.title() + " | reference | – | | – | – | | | – | | " + cell(without_reference(app)) + " |\n";
        }
        for (const Row &row : app.rows) {
            text += markdown_line(results, app, row);
        }
    }
    text += "\n";
    for (const std::string &line : summary(results)) {
        text += "- " + line + "\n";
    }
    return text;
}

std::string to_brief_markdown(const Results &results) {
    const std::vector<std::string> variants = results.variants();
    std::string head = "| app |", rule = "| --- |";
    for (const std::string &variant : variants) {
        head += " " + variant + " |";
        rule += " --- |";
    }
    std::string text = head + "\n" + rule + "\n";
    for (const AppResult &app : results.apps) {
        text += "| " + app.title() + " |";
        for (const std::string &variant : variants) {
            text += " " + brief(app.row(variant)) + " |";
        }
        text += "\n";
    }
    return text;
}

}  // namespace warptile::bench
