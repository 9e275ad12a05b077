#include "tools/bench/reporting/table.h"

#include "tools/bench/text.h"

#include <algorithm>
#include <cmath>
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

/// The time of the best of `variants` on `app`; nothing where none counts.
std::optional<double> best_of(const AppResult &app, const std::vector<std::string> &variants) {
    std::optional<double> best;
    for (const std::string &variant : variants) {
        const Row *const row = app.row(variant);
        if (row && row->counts()) {
            best = std::min(best.value_or(row->time()), row->time());
        }
    }
    return best;
}

/// Ratios with their geometric mean.
struct Ratios {
    double logarithms = 0;
    int count = 0;

    std::string add(const AppResult &app, const std::vector<std::string> &to) {
        const std::optional<double> ours = best_of(app, {"WarpTile"}), theirs = best_of(app, to);
        if (!ours || !theirs) {
            return "–";
        }
        logarithms += std::log(*ours / *theirs);
        count++;
        return formatted("%.2f", *ours / *theirs);
    }

    std::string mean(const std::string &of) const {
        return count == 0 ? ""
                          : "- WarpTile takes " + formatted("%.3f", std::exp(logarithms / count)) + " of the time of " +
                                of + ", on " + std::to_string(count) + " (geometric mean)\n";
    }
};

/// Kernels, predicted microseconds and seconds to schedule of WarpTile's plan.
std::string planned(const Row *row) {
    if (!row || row->kernels.empty()) {
        return " – | – |" + (row ? " " + optional_number("%.1f", row->schedule_seconds) : std::string(" –")) + " |";
    }
    double us = 0;
    for (const PlannedKernel &kernel : row->kernels) {
        us += kernel.predicted_us;
    }
    return " " + std::to_string(row->kernels.size()) + " | " + (us > 0 ? milliseconds(us / 1000) : "–") + " | " +
           optional_number("%.1f", row->schedule_seconds) + " |";
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

std::string to_ablation_markdown(const Results &results) {
    const std::vector<std::string> variants = results.variants();
    if (variants.empty()) {
        return "";
    }
    std::string head = "| app | " + variants.front() + " (ms) |", rule = "| --- | --- |";
    for (size_t v = 1; v < variants.size(); v++) {
        head += " " + variants[v] + " |";
        rule += " --- |";
    }
    std::string text = head + "\n" + rule + "\n";
    std::vector<double> logarithms(variants.size(), 0);
    std::vector<int> counts(variants.size(), 0);
    for (const AppResult &app : results.apps) {
        const Row *const whole = app.row(variants.front());
        text += "| " + app.title() + " | " + brief(whole) + " |";
        for (size_t v = 1; v < variants.size(); v++) {
            const Row *const without = app.row(variants[v]);
            const bool both = whole && whole->counts() && (!without || without->counts());
            const double ratio = both && without ? without->time() / whole->time() : 1;
            text += " " + (!without ? "=" : both ? formatted("%.2f", ratio) : brief(without)) + " |";
            logarithms[v] += both ? std::log(ratio) : 0;
            counts[v] += both ? 1 : 0;
        }
        text += "\n";
    }
    text += "| geometric mean | |";
    for (size_t v = 1; v < variants.size(); v++) {
        text += " " + (counts[v] ? formatted("%.3f", std::exp(logarithms[v] / counts[v])) : std::string("–")) + " |";
    }
    return text + "\n";
}

std::string to_strangers_markdown(const Results &results) {
    std::vector<std::string> others;
    for (const std::string &variant : results.variants()) {
        if (variant != "expert" && variant != "WarpTile" && variant != "none") {
            others.push_back(variant);
        }
    }
    std::string head = "| generator | its own schedule | WarpTile | ratio |", rule = "| --- | --- | --- | --- |";
    for (const std::string &variant : others) {
        head += " " + variant + " |";
        rule += " --- |";
    }
    std::string text =
        head + " ratio to the best | kernels | predicted | to schedule (s) |\n" + rule + " --- | --- | --- | --- |\n";
    Ratios to_expert, to_others;
    for (const AppResult &app : results.apps) {
        const auto cell_of = [&](const std::string &variant) {
            const Row *const row = app.row(variant);
            return " " + brief(row) + (row && row->counts() && row->with_others ? "*" : "") + " |";
        };
        text += "| " + app.title() + " |" + cell_of("expert") + cell_of("WarpTile") + " " +
                to_expert.add(app, {"expert"}) + " |";
        for (const std::string &variant : others) {
            text += cell_of(variant);
        }
        text += " " + to_others.add(app, others) + " |" + planned(app.row("WarpTile")) + "\n";
    }
    return text + "\n" + to_expert.mean("their own schedules") + to_others.mean("the best other autoscheduler");
}

}  // namespace warptile::bench
