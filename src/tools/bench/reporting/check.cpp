#include "tools/bench/reporting/check.h"

#include "tools/bench/text.h"

#include <cmath>
#include <regex>
#include <stdexcept>

namespace warptile::bench {
namespace {

struct Bar {
    std::string app;  // empty for all
    bool mean = false;
    std::string variant, to;  // `to` empty where it is no ratio
    std::string figure;       // "ratio", "ms", "share", "seconds" or "agrees"
    std::string comparison;
    double limit = 0;
};

Bar parse(const std::string &text) {
    static const std::regex form(R"(\s*(?:([^:]+?)\s*:)?\s*(geomean\s+)?(\w+)\s*(?:/\s*(\w+))?\s*)"
                                 R"((ms|share|seconds|agrees)?\s*(?:(<=|>=|<|>)\s*([-+.eE0-9]+))?\s*)");
    std::smatch parts;
    Bar bar;
    if (std::regex_match(text, parts, form)) {
        bar.app = parts[1];
        bar.mean = parts[2].matched;
        bar.variant = parts[3];
        bar.to = parts[4];
        bar.figure = parts[4].matched ? "ratio" : parts[5].str();
        bar.comparison = parts[6];
        const bool has_limit = parts[6].matched, is_ratio = parts[4].matched;
        const bool well_formed = is_ratio ? !parts[5].matched && has_limit
                                          : !bar.mean && parts[5].matched && has_limit == (bar.figure != "agrees");
        if (well_formed && !(bar.mean && !bar.app.empty())) {
            bar.limit = has_limit ? std::stod(parts[7]) : 0;
            return bar;
        }
    }
    throw std::invalid_argument("'" + text + "' is no bar; write for example 'WarpTile/expert <= 1.05', " +
                                "'blur: WarpTile ms <= 0.03' or 'WarpTile agrees' (docs/bench.md)");
}

bool holds(double value, const Bar &bar) {
    return bar.comparison == "<="   ? value <= bar.limit
           : bar.comparison == ">=" ? value >= bar.limit
           : bar.comparison == "<"  ? value < bar.limit
                                    : value > bar.limit;
}

/// A row's figure; nothing where it has none.
std::optional<double> figure(const Bar &bar, const Results &results, const AppResult &app, const Row &row) {
    if (bar.figure == "ratio") {
        return app.ratio(bar.variant, bar.to);
    }
    if (bar.figure == "share") {
        return results.share(app, row);
    }
    if (bar.figure == "seconds") {
        return row.schedule_seconds;
    }
    return row.counts() ? std::optional<double>(row.time()) : std::nullopt;
}

std::string why_none(const Bar &bar, const Results &results, const AppResult &app, const Row &row) {
    if (!note(row).empty()) {
        return note(row);
    }
    if (bar.figure == "share") {
        return app.counters.known() ? ceilings_text(results.ceilings) : "the pipeline was not counted";
    }
    return "there is no such figure";
}

/// The apps that the bar speaks of and that have a row of its variant, judged one by one.
class Judge {
public:
    Judge(const Bar &bar, const Results &results) : bar_(bar), results_(results) {}

    void visit(const AppResult &app) {
        const Row *const row = app.row(bar_.variant);
        if (!row || (!bar_.app.empty() && bar_.app != app.name && bar_.app != app.title())) {
            return;
        }
        if (bar_.figure == "agrees") {
            judged++;
            if (!row->agrees) {
                missed.push_back(app.title() + ": " + (note(*row).empty() ? "did not run" : note(*row)));
            }
            return;
        }
        const Row *const to = bar_.figure == "ratio" ? app.row(bar_.to) : row;
        const bool nothing_to_compare = bar_.figure == "ratio" && (!to || !to->counts());
        if (nothing_to_compare) {
            return;
        }
        judged++;
        const std::optional<double> value = figure(bar_, results_, app, *row);
        if (!value) {
            missed.push_back(app.title() + ": " + why_none(bar_, results_, app, *row));
        } else if (bar_.mean) {
            logarithms += std::log(*value);
        } else if (!holds(*value, bar_)) {
            missed.push_back(app.title() + ": " + formatted("%.4g", *value));
        }
    }

    void conclude() {
        if (judged == 0) {
            missed.push_back("no app has what it speaks of");
        } else if (bar_.mean && missed.empty() && !holds(std::exp(logarithms / judged), bar_)) {
            missed.push_back("the mean of " + std::to_string(judged) +
                             " apps: " + formatted("%.4g", std::exp(logarithms / judged)));
        }
    }

    int judged = 0;
    std::vector<std::string> missed;

private:
    const Bar &bar_;
    const Results &results_;
    double logarithms = 0;
};

}  // namespace

Verdict judge(const std::string &text, const Results &results) {
    const Bar bar = parse(text);
    Judge judge(bar, results);
    for (const AppResult &app : results.apps) {
        judge.visit(app);
    }
    judge.conclude();
    return {text, judge.missed.empty(), judge.missed};
}

}  // namespace warptile::bench
