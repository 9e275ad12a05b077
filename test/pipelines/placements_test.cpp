// The placements that the space of plans has, one plan by hand for each: Halide accepts them, the loops and memories
// are the ones asked for, and the host mirror of each computes what the unscheduled pipeline computes, at the tile's
// size and at sizes far from it.

#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "test/support/lowered.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::Var;

/// A sharpening mask from a separable five-tap blur: `src` wraps the input, `by` and `bx` are stencils, `out` reads
/// both.
Built sharpen() {
    const Halide::ImageParam photo(Halide::Float(32), 2, "photo");
    Var x("x"), y("y");
    const Func src = Halide::BoundaryConditions::repeat_edge(photo);
    Func by("by"), bx("bx"), out("out");
    by(x, y) = src(x, y - 2) + 4 * src(x, y - 1) + 6 * src(x, y) + 4 * src(x, y + 1) + src(x, y + 2);
    bx(x, y) = by(x - 2, y) + 4 * by(x - 1, y) + 6 * by(x, y) + 4 * by(x + 1, y) + by(x + 2, y);
    out(x, y) = 2 * src(x, y) - bx(x, y) / 256;
    return {{out}, {photo}};
}

/// The kernel of `out` over warps: W columns by 4 rows a warp, 4 warps a block.
Group warp_kernel(FuncRef out, int width) {
    Group g = kernel_of(out, {{0, width, 1}, {1, 4, 4}});
    g.tile.lane_axis = 0;
    g.tail = Tail::Both;
    g.conditions = {{0, 0, width}, {0, 1, 16}};
    return g;
}

/// The plans of the sharpening mask, by name.
Plan sharpen_plan(const Built &b, const std::string &form) {
    if (form == "plain") {
        return plain_plan(b.outputs);
    }
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), by = ref(plan, "by"), src = ref(plan, "repeat_edge");
    Group g = warp_kernel(out, form == "two chunks" ? 60 : form == "adjacent" ? 56 : 28);
    if (form == "block" || form == "thread") {
        g.tile = KernelTile();
        g.tile.axes = {{0, 1, 32}, {1, 4, 4}};
        g.conditions = {{0, 0, 32}, {0, 1, 16}};
    }
    if (form == "block") {
        g.members = {member(by, Placement::Block, out, {{0, 1, 32}, {1, 1, 4}}, {36, 16})};
    } else if (form == "thread") {
        g.members = {member(by, Placement::Thread, out, {}, {5, 4})};
    } else if (form == "adjacent") {
        g.tile.layout = LaneLayout::Adjacent;
        g.tile.adjacent = 2;
        g.members = {member(by, Placement::Warp, out, {{0, 1, 1}}, {60, 4})};
    } else {
        g.members = {member(by, Placement::Warp, out, {{0, 1, 1}}, {form == "two chunks" ? 64 : 32, 4})};
    }
    if (form == "hybrid" || form == "staged") {
        plan.derived = {copy_of(src, {by, out})};
        const FuncRef tile = plan.funcs;
        g.members.push_back(form == "hybrid" ? member(tile, Placement::Block, out, {{0, 1, 32}, {1, 1, 4}}, {32, 20})
                                             : member(tile, Placement::Warp, out, {{0, 1, 1}}, {32, 8}));
    }
    plan.groups = {g};
    return plan;
}

class Sharpen : public testing::TestWithParam<const char *> {};

TEST_P(Sharpen, LowersToTheMemoryAskedFor) {
    const std::string form = GetParam();
    const Built b = sharpen();
    const std::string text = lowered(b, sharpen_plan(b, form));
    const bool lanes = form != "plain" && form != "block" && form != "thread";
    EXPECT_EQ(lanes, count(text, "shfl.sync") > 0);
    EXPECT_EQ(form == "block" || form == "hybrid", count(text, "bar.sync") + count(text, "barrier.sync") > 0);
    EXPECT_EQ(form == "plain", count(text, "halide_device_malloc") > 0) << "an intermediate in global memory";
}

TEST_P(Sharpen, HostMirrorAgreesAtEverySize) {
    const auto plan = [](const Built &b) { return sharpen_plan(b, GetParam()); };
    std::vector<Call> calls;
    for (const std::vector<int> &size : {std::vector<int>{100, 50}, {28, 16}, {33, 17}, {7, 5}, {1, 1}}) {
        calls.push_back({{numbers<float>(size)}, size});
    }
    expect_mirror_agrees<float>(sharpen, plan, calls);
}

TEST_P(Sharpen, PlanSurvivesJson) {
    const Built b = sharpen();
    const Plan plan = sharpen_plan(b, GetParam());
    const std::string json = to_json(plan);
    EXPECT_EQ(json, to_json(plan_from_json(json)));
    EXPECT_EQ(print(make_directives(plan, b.outputs)), print(make_directives(plan_from_json(json), b.outputs)));
}

INSTANTIATE_TEST_SUITE_P(Forms, Sharpen,
                         testing::Values("plain", "block", "thread", "warp", "two chunks", "adjacent", "hybrid",
                                         "staged"),
                         [](const auto &info) {
                             std::string name = info.param;
                             name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
                             return name;
                         });

TEST(Plans, RefusesWhatDoesNotFit) {
    const Built b = sharpen();
    Plan plan = sharpen_plan(b, "warp");
    plan.groups[0].members[0].func = 99;
    EXPECT_THROW(make_directives(plan, b.outputs), std::exception);
    EXPECT_THROW(plan_from_json("{"), std::exception);
    EXPECT_THROW(plan_from_json("{\"gpu\": 3}"), std::exception);
}

}  // namespace
}  // namespace warptile
