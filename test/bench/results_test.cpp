// From results to JSON, Markdown, the page, the terminal's table and verdicts: facts that each must show.
#include "tools/bench/reporting/check.h"
#include "tools/bench/reporting/page.h"
#include "tools/bench/reporting/repeat.h"
#include "tools/bench/reporting/table.h"
#include "tools/bench/text.h"

#include "made_up_results.h"

#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

using testing::TempDir;

void expect_contains(const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

int count(const std::string &text, const std::string &part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

TEST(Results, NumbersOfARow) {
    const Row row = made_up_row("v", {0.4, 0.1, 0.2, 0.3});
    EXPECT_DOUBLE_EQ(row.time(), 0.25);  // half way from 0.2 to 0.3
    EXPECT_DOUBLE_EQ(row.best(), 0.1);
    EXPECT_NEAR(row.spread(), 0.3 / 0.25, 1e-12);
    EXPECT_DOUBLE_EQ(made_up_row("v", {0.4}).time(), 0.4);
}

TEST(Results, HowFarATimeMayBeOff) {
    EXPECT_NEAR(median_error({3, 1, 2}), 1.25 * 1 / std::sqrt(3.0) / 2, 1e-9);  // they deviate by 1
    EXPECT_DOUBLE_EQ(median_error({5, 5}), 0);
}

TEST(Results, RatiosCompareOnlyWhatIsRight) {
    const Results results = made_up_results();
    EXPECT_NEAR(*results.apps[0].ratio("WarpTile", "expert"), 1.1, 1e-9);
    EXPECT_FALSE(results.apps[0].ratio("Other", "expert"));
    EXPECT_FALSE(results.apps[1].ratio("Other", "expert"));
    int apps = 0;
    EXPECT_NEAR(results.mean_ratio("WarpTile", "expert", apps), std::sqrt(1.1 * 0.5), 1e-9);
    EXPECT_EQ(apps, 2);
}

TEST(Results, ShareOfTheRooflineIsTheLongerOfCopyAndOperations) {
    const Results results = made_up_results();
    // 50 MB lie on the line between 1 MB in 1 µs and 1 GB in 1 ms: 50 µs; 0.1 Gop take 10 µs.
    EXPECT_NEAR(*results.share(results.apps[0], results.apps[0].rows[0]), 0.5, 1e-3);
    // 1 MB takes 1 µs, 1 Gop 100 µs.
    EXPECT_NEAR(*results.share(results.apps[1], results.apps[1].rows[1]), 0.5, 1e-3);
    EXPECT_FALSE(results.share(results.apps[1], results.apps[1].rows[2]));
}

TEST(Results, ACopyBetweenTheMeasuredOnes) {
    const Ceilings ceilings = made_up_results().ceilings;
    EXPECT_DOUBLE_EQ(ceilings.copy_seconds(10), 1e-6);
    EXPECT_NEAR(ceilings.copy_seconds(5e8), 5e-4, 1e-6);
    EXPECT_NEAR(ceilings.copy_seconds(2e9), 2e-3, 1e-12);
}

TEST(Results, JsonComesBackAsItWas) {
    Results results = made_up_results();
    results.apps[0].rows[0].largest_difference = std::numeric_limits<double>::infinity();
    results.apps[0].rows[2].schedule_seconds = std::nullopt;
    results.apps[0].rows[1].with_others = true;
    const nlohmann::ordered_json json = to_json(results);
    EXPECT_EQ(to_json(results_from_json(nlohmann::ordered_json::parse(json.dump()))), json);
    EXPECT_THROW(results_from_json(nlohmann::ordered_json::parse(R"({"rows": []})")), nlohmann::json::exception);
}

TEST(Results, MarkdownHasALineForEachVariant) {
    const std::string text = to_markdown(made_up_results());
    expect_contains(text, "Made-up Card <9>, driver 1.2.3, SM clock up to 1500 MHz");
    expect_contains(text, "| one | expert | 0.1000 | 2.0 % | 1.000 | 50 % | yes |");
    expect_contains(text, "| one | WarpTile | 0.1100 | 10.9 % | 1.100 | 45 % | yes |");
    expect_contains(text, "| one | Other | – |");
    expect_contains(text, "build: no end after 600 s |");
    expect_contains(text, "| two 192x320 | WarpTile | 0.2000 |");
    expect_contains(text, "| NO |");
    expect_contains(text, "result: 3 values wrong, the first at (1, 2): nan and not 0.5 |");
    expect_contains(text,
                    "WarpTile: agrees on 2 of 2; 0.742 of the expert's time on 2 (geometric mean), no slower on 1");
}

TEST(Results, ABriefTableHasALineForEachApp) {
    EXPECT_EQ(to_brief_markdown(made_up_results()), "| app | expert | WarpTile | Other |\n"
                                                    "| --- | --- | --- | --- |\n"
                                                    "| one | 0.1000 | 0.1100 | no build |\n"
                                                    "| two 192x320 | 0.4000 | 0.2000 | wrong |\n");
}

TEST(Results, AnAblationComparesWithTheFirstVariant) {
    Results results = made_up_results();
    results.apps[0].rows.pop_back();  // built once, since its code is the first's
    EXPECT_EQ(to_ablation_markdown(results), "| app | expert (ms) | WarpTile | Other |\n"
                                             "| --- | --- | --- | --- |\n"
                                             "| one | 0.1000 | 1.10 | = |\n"
                                             "| two 192x320 | 0.4000 | 0.50 | wrong |\n"
                                             "| geometric mean | | 0.742 | 1.000 |\n");
    EXPECT_EQ(to_ablation_markdown(Results()), "");
}

TEST(Results, ATableOfStrangersComparesWithTheBestOtherScheduler) {
    Results results = made_up_results();
    results.apps[0].rows[2].milliseconds = {0.22};
    results.apps[0].rows[2].ran = results.apps[0].rows[2].agrees = true;
    results.apps[0].rows[2].failed_at = "";
    results.apps[0].rows[1].with_others = true;
    results.apps[0].rows[1].kernels = {{"f", 0, 0, 0, 60}, {"g", 0, 0, 0, 40}};
    const std::string text = to_strangers_markdown(results);
    expect_contains(text, "| generator | its own schedule | WarpTile | ratio | Other | ratio to the best | kernels |");
    expect_contains(text, "| one | 0.1000 | 0.1100* | 1.10 | 0.2200 | 0.50 | 2 | 0.1000 | ");
    expect_contains(text, "| two 192x320 | 0.4000 | 0.2000 | 0.50 | wrong | – | ");
    expect_contains(text, "WarpTile takes 0.742 of the time of their own schedules, on 2 (geometric mean)");
    expect_contains(text, "WarpTile takes 0.500 of the time of the best other autoscheduler, on 1");
}

TEST(Results, TheTableSaysWhyVariantsAreComparedWithEachOther) {
    Results results = made_up_results();
    results.apps[0].error = "Segmentation fault (signal 11)";
    expect_contains(table_lines(results, results.apps[0]),
                    "Segmentation fault (signal 11); there is nothing to compare the variants with");
    results.apps[0].rows[1].with_others = true;
    for (const std::string &text : {table_lines(results, results.apps[0]), to_markdown(results), to_html(results)}) {
        expect_contains(text, "Segmentation fault (signal 11); the variants are compared with each other");
        expect_contains(text, "alike");
        expect_contains(text, "as the other variants");
    }
    expect_contains(table_lines(results, results.apps[1]), "two 192x320");
}

TEST(Page, ShowsChartsTablesAndFailuresAndNeedsNothingElse) {
    const std::string html = to_html(made_up_results());
    expect_contains(html, "Made-up Card &lt;9&gt;");
    EXPECT_EQ(count(html, "<svg "), 6);  // three pictures at two sizes
    EXPECT_EQ(count(html, "</svg>"), 6);
    expect_contains(html, "time ÷ time of the expert schedule");
    expect_contains(html, "operations ÷ compulsory bytes (op/B)");
    expect_contains(html, "compulsory bytes ÷ time (GB/s)");
    expect_contains(html, "seconds to schedule (logarithmic)");
    expect_contains(html, "one, WarpTile: 0.1100 ms, 1.100 of the expert's time");
    expect_contains(html, "<td>Other</td><td>build</td><td class=\"bad\">no end after 600 s</td>");
    expect_contains(html, "prefers-color-scheme: dark");
    EXPECT_EQ(count(html, "<script"), 0);
    EXPECT_EQ(count(html, "http"), count(html, "http://www.w3.org/2000/svg"));
    EXPECT_EQ(count(html, "<link"), 0);
}

TEST(Page, ItsBarsAreAlsoAPictureOfTheirOwn) {
    const std::string svg = to_svg(made_up_results());
    EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
    expect_contains(svg, "--c0:");
    expect_contains(svg, "WarpTile");
    expect_contains(svg, "1.10");
    EXPECT_EQ(count(svg, "<svg "), 1);
}

TEST(Page, SaysWhyThereIsNoRoofline) {
    Results results = made_up_results();
    results.ceilings = Ceilings();
    results.ceilings.error = "no CUDA driver";
    const std::string html = to_html(results);
    EXPECT_EQ(count(html, "<svg "), 4);
    expect_contains(html, "Ceilings: not measured (no CUDA driver)");
}

TEST(Repeat, RatiosThatAreFurtherApartAreNamed) {
    const Results first = made_up_results();
    Results second = first;
    second.apps[0].rows[1].milliseconds = {0.1122};     // 1.1 and 1.122
    second.apps[1].rows[1].milliseconds = {0.2 * 0.9};  // 0.5 and 0.45
    const std::vector<Repeated> ratios = repeated(first, second, 0.05);
    ASSERT_EQ(ratios.size(), 2u);
    EXPECT_EQ(ratios[0].app, "two 192x320");
    EXPECT_NEAR(ratios[0].change(), 0.5 / 0.45 - 1, 1e-9);
    EXPECT_NEAR(ratios[1].change(), 0.02, 1e-9);
    const std::string text = to_string(ratios, 0.03);
    expect_contains(text, "two 192x320, WarpTile: 0.500 and 0.450 of the expert's time, 11.1 % apart\n");
    expect_contains(text, "1 of 2 ratios repeat within 3 %; the largest change is 11.1 %\n");
    EXPECT_EQ(repeated(first, second, 0.2).size(), 1u);  // the expert of `one` takes 0.1 ms
}

TEST(Check, BarsThatAreMet) {
    const Results results = made_up_results();
    for (const char *const bar : {"WarpTile agrees", "WarpTile/expert <= 1.11", "two: WarpTile/expert<0.6",
                                  "geomean WarpTile/expert <= 0.75", "two 192x320: WarpTile ms <= 0.2",
                                  "WarpTile share >= 0.45", "WarpTile seconds <= 1.5", "expert/WarpTile > 0.9"}) {
        const Verdict verdict = judge(bar, results);
        EXPECT_TRUE(verdict.met) << bar << ": " << (verdict.why.empty() ? "" : verdict.why[0]);
    }
}

TEST(Check, BarsThatAreMissedSayWhere) {
    const Results results = made_up_results();
    const std::vector<std::pair<std::string, std::string>> bars = {
        {"WarpTile/expert <= 1.05", "one: 1.1"},
        {"geomean WarpTile/expert <= 0.7", "the mean of 2 apps: 0.7416"},
        {"Other agrees", "one: build: no end after 600 s"},
        {"one: Other ms <= 1", "one: build: no end after 600 s"},
        {"WarpTile/Other <= 1", "no app has what it speaks of"},  // Other has no time to compare with
        {"three: WarpTile ms <= 1", "no app has what it speaks of"},
        {"Nobody agrees", "no app has what it speaks of"}};
    for (const auto &[bar, why] : bars) {
        const Verdict verdict = judge(bar, results);
        EXPECT_FALSE(verdict.met) << bar;
        ASSERT_FALSE(verdict.why.empty()) << bar;
        EXPECT_EQ(verdict.why[0], why) << bar;
    }
}

TEST(Check, WhatIsNoBarIsRefused) {
    for (const char *const bar : {"", "WarpTile", "WarpTile/expert", "WarpTile/expert <= ", "WarpTile agrees <= 1",
                                  "WarpTile ms", "geomean WarpTile ms <= 1", "one: geomean WarpTile/expert <= 1"}) {
        EXPECT_THROW(judge(bar, Results()), std::invalid_argument) << bar;
    }
}

TEST(Check, AFileHoldsOneBarALine) {
    const std::string path = TempDir() + "/bars.txt";
    std::ofstream(path) << "# of a release\n\nWarpTile agrees\n  geomean WarpTile/expert <= 1  \n";
    const std::vector<std::string> bars = lines_of({path, "expert agrees"});
    EXPECT_EQ(bars, (std::vector<std::string>{"WarpTile agrees", "geomean WarpTile/expert <= 1", "expert agrees"}));
}

}  // namespace
}  // namespace warptile::bench
