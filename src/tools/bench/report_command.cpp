// warptile-bench report: the JSON of an earlier run as Markdown, as a page, or judged.
#include "tools/bench/commands.h"
#include "tools/bench/reporting/outputs.h"
#include "tools/bench/reporting/repeat.h"
#include "tools/bench/reporting/table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace warptile::bench {
namespace {

Results read_results(const std::string &path) {
    std::ifstream file(path);
    try {
        return results_from_json(nlohmann::ordered_json::parse(file));
    } catch (const nlohmann::json::exception &error) {
        throw std::invalid_argument("'" + path + "' was not written by run --json: " + error.what());
    }
}

/// Adds the apps of `more` to those of `results`: parts of one suite, run on one card. A later run of an app at the
/// same size takes the place of an earlier one.
void add(Results &results, const Results &more) {
    if (more.machine.card != results.machine.card) {
        throw std::invalid_argument("the runs are of different cards, '" + results.machine.card + "' and '" +
                                    more.machine.card + "'; report each by itself");
    }
    for (const AppResult &app : more.apps) {
        AppResult *same = nullptr;
        for (AppResult &known : results.apps) {
            same = known.title() == app.title() ? &known : same;
        }
        if (same) {
            *same = app;
        } else {
            results.apps.push_back(app);
        }
    }
}

/// Leaves these apps, by name or title.
void keep_apps(Results &results, const std::vector<std::string> &names) {
    const auto is = [](const AppResult &app, const std::string &name) {
        return app.name == name || app.title() == name;
    };
    for (const std::string &name : names) {
        if (std::none_of(results.apps.begin(), results.apps.end(), [&](const AppResult &a) { return is(a, name); })) {
            throw std::invalid_argument("no app '" + name + "' was run");
        }
    }
    results.apps.erase(std::remove_if(results.apps.begin(), results.apps.end(),
                                      [&](const AppResult &app) {
                                          return std::none_of(names.begin(), names.end(),
                                                              [&](const std::string &name) { return is(app, name); });
                                      }),
                       results.apps.end());
}

/// Leaves the rows of these variants, in their order.
void keep_variants(Results &results, const std::vector<std::string> &variants) {
    for (AppResult &app : results.apps) {
        std::vector<Row> rows;
        for (const std::string &variant : variants) {
            if (const Row *row = app.row(variant)) {
                rows.push_back(*row);
            }
        }
        app.rows = rows;
    }
    const std::vector<std::string> kept = results.variants();
    for (const std::string &variant : variants) {
        if (std::find(kept.begin(), kept.end(), variant) == kept.end()) {
            throw std::invalid_argument("no app has a variant '" + variant + "'");
        }
    }
}

class ReportCommand : public Command {
public:
    explicit ReportCommand(CLI::App &program) {
        CLI::App &report = *program.add_subcommand(
            "report", "Show the JSON of earlier runs: as Markdown on the terminal, or in the files that are named");
        parsed = &report;
        report.add_option("json", files_, "Files written by run --json; several are shown as one")
            ->required()
            ->check(CLI::ExistingFile);
        report.add_option("--apps", apps_, "Show these alone (default: all)")->delimiter(',');
        report.add_option("--variants,--schedulers", variants_, "Show these alone, in this order (default: all)")
            ->delimiter(',');
        report.add_option("--repeats", again_, "Another run on this card: say which ratios it repeats")
            ->check(CLI::ExistingFile);
        report
            .add_option("--within", percent_, "Percent that ratios may be apart there; exit with 1 where one is more")
            ->capture_default_str();
        report.add_option("--least", least_ms_, "Apps whose expert schedule takes fewer ms are left out there")
            ->capture_default_str();
        outputs_.emplace(report);
    }

    int run() override {
        outputs_->check_bars();
        Results results = read_results(files_[0]);
        for (size_t i = 1; i < files_.size(); i++) {
            add(results, read_results(files_[i]));
        }
        if (!apps_.empty()) {
            keep_apps(results, apps_);
        }
        if (!variants_.empty()) {
            keep_variants(results, variants_);
        }
        if (!again_.empty()) {
            return compare_with(results);
        }
        if (!outputs_->any_file()) {
            std::printf("%s", to_markdown(results).c_str());
        }
        return outputs_->write(results);
    }

private:
    std::vector<std::string> files_, apps_, variants_;
    std::string again_;
    double percent_ = 3, least_ms_ = 0.05;
    std::optional<Outputs> outputs_;

    int compare_with(const Results &results) const {
        const std::vector<Repeated> ratios = repeated(results, read_results(again_), least_ms_);
        std::printf("%s", to_string(ratios, percent_ / 100).c_str());
        return ratios.empty() || ratios.front().change() > percent_ / 100 ? 1 : 0;
    }
};

}  // namespace

std::unique_ptr<Command> add_report(CLI::App &program) { return std::make_unique<ReportCommand>(program); }

}  // namespace warptile::bench
