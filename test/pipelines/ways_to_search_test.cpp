// By whatever model the search goes and whatever it leaves out, the plan that it proposes first computes what the
// unscheduled pipeline computes, and what was left out is not in it.

#include <gtest/gtest.h>

#include "dag/read.h"
#include "search/search.h"
#include "test/support/h100.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"
#include "verify/verify.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::Var;

/// Two blurs, one of the other, what both leave of the picture, and the sum of each row of that.
Built row_sums() {
    const Halide::ImageParam photo(Halide::Int(32), 2, "photo");
    Halide::ImageParam in = photo;
    in.set_estimates({{0, 1536}, {0, 2560}});
    Var x("x"), y("y");
    const Func src = Halide::BoundaryConditions::repeat_edge(photo, {{0, 1536}, {0, 2560}});
    Func once("once"), twice("twice"), sharp("sharp"), sum("sum"), out("out");
    const auto blurred = [&](const Func &f) {
        return f(x, y - 1) + 2 * f(x, y) + f(x, y + 1) + f(x - 1, y) + f(x + 1, y);
    };
    once(x, y) = blurred(src);
    twice(x, y) = blurred(once);
    sharp(x, y) = 4 * src(x, y) - once(x, y) + twice(x, y);
    Halide::RDom r(-3, 7, "r");
    sum(x, y) += sharp(x + r, y);
    out(x, y) = sum(x, y) - sharp(x, y);
    out.set_estimates({{0, 1536}, {0, 2560}});
    return {{out}, {photo}};
}

Plan first_plan(const Built &b, const SearchOptions &options) {
    const SearchResult result = search(read_function_dag(b.outputs, cuda_80()), h100(), options);
    return assemble(result, std::vector<int>(result.groups.size(), 0));
}

void expect_right(const SearchOptions &options) {
    const auto input = numbers<int32_t>({1536, 2560}, -100, 100);
    const auto plan = [&](const Built &b) { return first_plan(b, options); };
    expect_mirror_agrees<int32_t>(row_sums, plan, {{{input}, {301, 67}}});
}

bool has(const Plan &plan, Placement placement) {
    for (const Group &group : plan.groups) {
        for (const Member &member : group.members) {
            if (member.placement == placement) {
                return true;
            }
        }
    }
    return false;
}

TEST(WaysToSearch, ByEachModel) {
    for (const ModelName model : {ModelName::Roofline, ModelName::Jangda2020}) {
        SearchOptions options;
        options.cost_model = model;
        expect_right(options);
    }
}

TEST(WaysToSearch, WithoutEachPartOfTheSpace) {
    for (const SpacePart &part : space_parts()) {
        SCOPED_TRACE(part.name);
        SearchOptions options;
        options.space.*part.part = false;
        expect_right(options);
    }
}

TEST(WaysToSearch, WithoutTilesThereAreNoMembers) {
    SearchOptions options;
    options.space.block_tiles = options.space.warp_tiles = options.space.thread_tiles = options.space.staging = false;
    expect_right(options);
    const Plan plan = first_plan(row_sums(), options);
    EXPECT_GT(plan.groups.size(), 2U);
    EXPECT_FALSE(has(plan, Placement::Block) || has(plan, Placement::Warp));
}

TEST(WaysToSearch, CostsOfAlgorithm2AreNoTimes) {
    SearchOptions options;
    options.cost_model = ModelName::Jangda2020;
    const SearchResult result = search(read_function_dag(row_sums().outputs, cuda_80()), h100(), options);
    for (const GroupChoices &group : result.groups) {
        EXPECT_NE(group.candidates.front().why.find("transactions"), std::string::npos);
        EXPECT_EQ(group.candidates.front().why.find(" us:"), std::string::npos) << group.candidates.front().why;
    }
}

}  // namespace
}  // namespace warptile
