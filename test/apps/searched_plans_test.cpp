// What the search proposes first for each app on an H100: its kernels, where their members are, what the model says of
// them. searched_plans.txt has it, so that a search that gets worse, or better, is seen. Whether the plans compile is
// the other tests' business.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dag/halide/user_name.h"
#include "dag/read.h"
#include "search/search.h"
#include "test/apps/app_pipeline.h"
#include "test/support/h100.h"
#include "test/support/plans.h"

namespace warptile {
namespace {

const char *const kPinned = WARPTILE_SOURCE_DIR "/test/apps/searched_plans.txt";

std::string three_digits(double us) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", us);
    return text;
}

/// "kernel of out (a, b): block x:1x32 y:2x4, 9.34 us", since the terms of the cost come behind a bar.
std::string line_of(const FunctionDag &dag, const GroupChoices &group) {
    const Candidate &first = group.candidates.front();
    std::string members;
    for (const int m : group.members) {
        members += (members.empty() ? " (" : ", ") + user_name(dag.node(m).name);
    }
    return "  " + user_name(dag.node(group.output).name) + members + (members.empty() ? "" : ")") + ": " +
           first.why.substr(0, first.why.find(" | ")) + ", " + three_digits(first.cost) + " us\n";
}

std::string searched(const std::string &app) {
    const AppPipeline pipeline(app, cuda_80());
    const FunctionDag dag = read_function_dag(pipeline.outputs(), cuda_80());
    const SearchResult result = search(dag, h100(), SearchOptions());
    std::string lines;
    double us = 0;
    for (const GroupChoices &group : result.groups) {
        lines += line_of(dag, group);
        us += group.candidates.front().cost;
    }
    return app + ": " + three_digits(us) + " us\n" + lines;
}

std::vector<std::string> lines_of(std::istream &&text) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

TEST(SearchedPlans, AreThePinnedOnes) {
    std::string found;
    for (const std::string &app : Halide::Internal::GeneratorRegistry::enumerate()) {
        found += searched(app);
    }
    if (std::getenv("WARPTILE_PIN_PLANS")) {
        std::ofstream(kPinned) << found;
    }
    const std::vector<std::string> now = lines_of(std::istringstream(found)), pinned = lines_of(std::ifstream(kPinned));
    std::string app;
    for (size_t i = 0; i < now.size() && i < pinned.size(); i++) {
        app = now[i][0] == ' ' ? app : now[i].substr(0, now[i].find(':'));
        ASSERT_EQ(now[i], pinned[i])
            << "of " << app << "; " << kPinned
            << " is written anew by WARPTILE_PIN_PLANS=1 app_tests --gtest_filter='SearchedPlans*'";
    }
    EXPECT_EQ(now.size(), pinned.size());
}

}  // namespace
}  // namespace warptile
