// Nothing is silent: what became plain or runs in few threads is told on stderr, in the report and in the schedule's
// heading, by the user's names; or it is an error, where that is asked for.
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "Halide.h"
#include "plugin/autoschedule.h"
#include "test/support/h100.h"
#include "test/support/plans.h"
#include "test/support/words.h"
#include "verify/verify.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::RDom;
using Halide::Var;

constexpr int kColumns = 300, kRows = 200;

/// A recursive filter of one signal, made from the rows of an image: a chain, and sums, which are none.
Func chain_of_sums() {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, kColumns}, {0, kRows}});
    Var y("y");
    RDom r(0, kColumns, "r"), s(1, kRows - 1, "s");
    Func sums("sums"), smooth("smooth");
    sums(y) = 0.0f;
    sums(y) += in(r, y);
    smooth(y) = sums(y);
    smooth(s) = 0.5f * smooth(s - 1) + 0.5f * smooth(s);
    smooth.set_estimates({{0, kRows}});
    return smooth;
}

/// One value, which reassociate=false leaves to one thread.
Func sum_of_all() {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, kColumns}, {0, kRows}});
    RDom r(0, kColumns, 0, kRows, "r");
    Func sum("all");
    sum() = 0.0f;
    sum() += in(r.x, r.y);
    return sum;
}

struct Told {
    std::string schedule, on_stderr;
};

Told schedule(const Func &out, std::map<std::string, std::string> extra = {}) {
    extra["gpu"] = "h100";
    Halide::AutoschedulerParams params("WarpTile");
    params.extra = extra;
    Halide::AutoSchedulerResults results;
    testing::internal::CaptureStderr();
    try {
        autoschedule(Halide::Pipeline(out), cuda_80(), params, &results);
    } catch (...) {
        testing::internal::GetCapturedStderr();
        throw;
    }
    return {results.schedule_source, testing::internal::GetCapturedStderr()};
}

TEST(Notices, NothingIsSaidOfWhatIsAsItShouldBe) {
    const Told told = schedule(sum_of_all(), {{"fallback", "error"}});
    EXPECT_EQ(told.on_stderr, "");
    EXPECT_EQ(count(told.schedule, "\n// '"), 0U) << told.schedule;
}

TEST(Notices, AChainIsNotToldAbout) { EXPECT_EQ(schedule(chain_of_sums()).on_stderr, ""); }

TEST(Notices, AreLinesOnStderrAndInTheHeadingAndTheReport) {
    const std::string path = testing::TempDir() + "notices.json";
    const Told told = schedule(sum_of_all(), {{"reassociate", "false"}, {"report", path}});
    EXPECT_EQ(count(told.on_stderr, "\n"), 1U) << told.on_stderr;
    expect_words(told.on_stderr, {"WarpTile: warning: 'all': ", "one thread", "60000 steps", "reassociate=false"});
    expect_words(told.schedule, {"// 'all': update(0) runs in one thread"});
    std::ifstream file(path);
    const nlohmann::json report = nlohmann::json::parse(file);
    ASSERT_EQ(report.at("notices").size(), 1U);
    EXPECT_EQ(report.at("notices")[0].at("func"), "all");
    expect_words(told.on_stderr, {report.at("notices")[0].at("reason")});
    std::remove(path.c_str());
}

TEST(Report, HasWhatBothModelsSayOfEachKernel) {
    const std::string path = testing::TempDir() + "models.json";
    schedule(chain_of_sums(), {{"report", path}});
    std::ifstream file(path);
    const nlohmann::json report = nlohmann::json::parse(file);
    ASSERT_FALSE(report.at("kernels").empty());
    for (const nlohmann::json &kernel : report.at("kernels")) {
        EXPECT_GT(kernel.at("predicted_us"), 0);
        EXPECT_EQ(kernel.at("terms").at("launch"), 4);
        EXPECT_GT(kernel.at("jangda2020").at("cost"), 0);
        EXPECT_LE(kernel.at("jangda2020").at("occupancy"), 1);
    }
    std::remove(path.c_str());
}

TEST(Report, HasThemOfReductionsOverTheGrid) {
    const std::string path = testing::TempDir() + "grid.json";
    schedule(sum_of_all(), {{"report", path}});
    std::ifstream file(path);
    const nlohmann::json report = nlohmann::json::parse(file);
    ASSERT_GE(report.at("kernels").size(), 2U);
    for (const nlohmann::json &kernel : report.at("kernels")) {
        EXPECT_TRUE(kernel.at("terms").contains("waits"));
        EXPECT_GT(kernel.at("jangda2020").at("transactions"), 0);
    }
    EXPECT_GE(report.at("kernels")[0].at("dram_bytes"), 4 * kColumns * kRows);
    std::remove(path.c_str());
}

TEST(Notices, AreOneErrorWhereThatIsAskedFor) {
    const std::string message = error_of([] {
        schedule(sum_of_all(), {{"reassociate", "false"}, {"fallback", "error"}});
    });
    expect_words(message, {"'all': update(0) runs in one thread", "reassociate=false", "autoscheduler.fallback=warn"});
}

// ---- Inputs of which more is asked for ---------------------------------------------------------------------------

/// Of a table with an update, at each x the sum of what `value` makes of its entries 0 to x.
Func prefix_sums(const std::function<Halide::Expr(const Func &table, const Halide::Expr &r)> &value) {
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    in.set_estimates({{0, kColumns}});
    const Var x("x");
    RDom r(0, kColumns, "r");
    r.where(r.x <= x);
    Func table("table"), sums("sums");
    table(x) = in(x);
    table(2) = 0.5f;
    sums(x) += value(table, r.x);
    sums.set_estimates({{0, kColumns}});
    return sums;
}

Halide::Expr square(const Func &table, const Halide::Expr &r) { return table(r) * table(r); }

TEST(Notices, TellOfAWhereThatHalideDoesNotSee) {
    const Told told = schedule(prefix_sums(square));
    expect_words(told.on_stderr, {"WarpTile: warning: 'table': ", "`where`", "'sums'", "'in'", "clamp the index"});
    const std::string message = error_of([] { schedule(prefix_sums(square), {{"fallback", "error"}}); });
    expect_words(message, {"'table': under the `where`"});
}

TEST(Notices, TellOfItThroughAFuncThatIsInlined) {
    const Told told = schedule(prefix_sums([](const Func &table, const Halide::Expr &r) {
        Func squares("squares");
        const Var x("x");
        squares(x) = square(table, x);
        return squares(r);
    }));
    expect_words(told.on_stderr, {"'table': under the `where`"});
}

TEST(Notices, DoNotTellOfAWhereThatHalideSees) {
    const auto once = [](const Func &table, const Halide::Expr &r) { return table(r); };
    const auto clamped = [](const Func &table, const Halide::Expr &r) { return square(table, min(r, Var("x"))); };
    for (const Func &f : {prefix_sums(once), prefix_sums(clamped)}) {
        EXPECT_EQ(schedule(f).on_stderr.find("'table'"), std::string::npos);
    }
}

// ---- Parts that verify/ takes back ---------------------------------------------------------------------------------

/// A copy of a pipeline's output, by a block of 2,048 threads, or plainly.
Verified verified(const std::vector<int> &wanted, std::vector<std::vector<int>> groups) {
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    in.set_estimates({{0, 10000}});
    Var x("x");
    Func doubled("doubled");
    doubled(x) = in(x)*2;
    doubled.set_estimates({{0, 10000}});
    const std::vector<Func> outputs = {doubled};
    const Plan plain = plain_plan(outputs);
    Candidates candidates;
    candidates.groups = std::move(groups);
    candidates.wanted = wanted;
    candidates.why_none = {"none is allowed"};
    candidates.assemble = [&](const std::vector<int> &choice) {
        Plan plan = plain;
        if (choice[0] + 1 < static_cast<int>(candidates.groups[0].size())) {
            plan.groups = {kernel_of(ref(plan, "doubled"), {{0, 1, 2048}})};
        }
        return plan;
    };
    return verify(candidates, outputs, cuda_80(), h100(), VerifyOptions());
}

TEST(Notices, OfAPartThatFellBackNameItAndTheFirstReason) {
    const Verified v = verified({1}, {{1, 1}});
    ASSERT_TRUE(v.ok) << v.log;
    ASSERT_EQ(v.notices.size(), 1U);
    EXPECT_EQ(v.notices[0].func, "doubled");
    expect_words(v.notices[0].reason, {"plain", "2048 threads a block"});
}

TEST(Notices, OfAPartThatIsAsWantedThereAreNone) {
    const Verified v = verified({2}, {{1, 1}});
    ASSERT_TRUE(v.ok) << v.log;
    EXPECT_TRUE(v.notices.empty()) << v.notices[0].reason;
}

TEST(Notices, OfAPartOfWhichNothingElseIsWantedSayWhy) {
    const Verified v = verified({0}, {{1}});
    ASSERT_TRUE(v.ok) << v.log;
    ASSERT_EQ(v.notices.size(), 1U);
    expect_words(v.notices[0].reason, {"plain", "none is allowed"});
}

/// Two outputs. Of `shifted` the first candidate cannot be launched; `doubled` is right beside that one only, and else
/// from its third candidate on.
TEST(Notices, WhatIsWrongInCompanyOnlyComesToTheLastThatIsWantedBeforeThePlainOne) {
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    in.set_estimates({{0, 10000}});
    Var x("x");
    Func doubled("doubled"), shifted("shifted");
    doubled(x) = in(x)*2;
    shifted(x) = in(x) + 3;
    doubled.set_estimates({{0, 10000}});
    shifted.set_estimates({{0, 10000}});
    const std::vector<Func> outputs = {doubled, shifted};
    const Plan plain = plain_plan(outputs);
    const auto chosen_of = [&](const std::vector<int> &wanted) {
        Candidates candidates;
        candidates.groups = {{1, 1, 1, 1, 1}, {1, 1, 1}};
        candidates.wanted = wanted;
        candidates.why_none = {"", ""};
        candidates.assemble = [&](const std::vector<int> &choice) {
            Plan plan = plain;
            const FuncRef wide = choice[1] == 0                    ? ref(plan, "shifted")
                                 : choice[1] == 1 && choice[0] < 2 ? ref(plan, "doubled")
                                                                   : -1;
            for (Group &group : plan.groups) {
                group = group.output == wide ? kernel_of(wide, {{0, 1, 2048}}) : group;
            }
            return plan;
        };
        const Verified v = verify(candidates, outputs, cuda_80(), h100(), VerifyOptions());
        EXPECT_TRUE(v.ok) << v.log;
        return v.choice;
    };
    EXPECT_EQ(chosen_of({4, 2}), (std::vector<int>{3, 1}));
    EXPECT_EQ(chosen_of({2, 2}), (std::vector<int>{4, 1}));  // it was that already
}

}  // namespace
}  // namespace warptile
