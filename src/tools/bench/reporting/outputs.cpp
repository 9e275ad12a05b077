#include "tools/bench/reporting/outputs.h"

#include "tools/bench/reporting/check.h"
#include "tools/bench/reporting/page.h"
#include "tools/bench/reporting/table.h"
#include "tools/bench/text.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warptile::bench {
namespace {

void write_file(const std::string &path, const std::string &text) {
    if (path.empty()) {
        return;
    }
    std::ofstream file(path);
    file << text;
    if (!file.flush()) {
        throw std::runtime_error("cannot write '" + path + "'");
    }
}

}  // namespace

Outputs::Outputs(CLI::App &command) {
    command.add_option("--json", json_, "Write the results here as JSON");
    command.add_option("--markdown", markdown_, "Write the table here as Markdown");
    command.add_option("--brief", brief_, "Write a table of one line an app here, as Markdown");
    command.add_option(
        "--strangers", strangers_,
        "Write a table of generators from elsewhere here, as Markdown: WarpTile beside their own schedules "
        "and the best other scheduler");
    command.add_option("--ablation", ablation_,
                       "Write a table of the first variant's time here, as Markdown, and of all others' over it");
    command.add_option("--html", html_, "Write the page here: charts, tables, failures in one HTML file");
    command.add_option("--chart", chart_, "Write the bars against the expert here, as an SVG file");
    command
        .add_option("--check", checks_,
                    "A bar, such as 'WarpTile/expert <= 1.05', or a file of them: exit with 1 where one is missed")
        ->allow_extra_args(false);
}

bool Outputs::any_file() const {
    return !(json_.empty() && markdown_.empty() && brief_.empty() && strangers_.empty() && ablation_.empty() &&
             html_.empty() && chart_.empty());
}

void Outputs::check_bars() const {
    for (const std::string &bar : lines_of(checks_)) {
        judge(bar, Results());
    }
}

void Outputs::write_files(const Results &results) const {
    write_file(json_, to_json(results).dump(1) + "\n");
    write_file(markdown_, to_markdown(results));
    write_file(brief_, to_brief_markdown(results));
    write_file(strangers_, to_strangers_markdown(results));
    write_file(ablation_, to_ablation_markdown(results));
    write_file(html_, to_html(results));
    write_file(chart_, to_svg(results));
}

int Outputs::write(const Results &results) const {
    write_files(results);
    int status = 0;
    for (const std::string &bar : lines_of(checks_)) {
        const Verdict verdict = judge(bar, results);
        std::printf("%s: %s\n", verdict.met ? "met" : "MISSED", verdict.bar.c_str());
        for (const std::string &line : verdict.why) {
            std::printf("    %s\n", line.c_str());
        }
        status = verdict.met ? status : 1;
    }
    return status;
}

}  // namespace warptile::bench
