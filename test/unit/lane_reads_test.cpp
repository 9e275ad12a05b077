// Members in the lanes are read apart by the lanes: which plans keep to that.
#include <gtest/gtest.h>

#include "schedule/rules/check_plan.h"
#include "test/support/plans.h"
#include "test/support/words.h"

namespace warptile {
namespace {

/// Values less the largest of their row and of the next; 32 lanes have a partial result of each row.
struct Rows {
    FunctionDag dag;
    FuncRef top = -1, out = -1;
    Plan plan;

    Rows() {
        Halide::ImageParam in(Halide::Float(32), 2, "in");
        Halide::Func largest("largest"), less("less");
        Halide::Var x("x"), y("y");
        Halide::RDom r(0, 64, "r");
        largest(y) = in(0, y);
        largest(y) = Halide::max(largest(y), in(r, y));
        less(x, y) = in(x, y) - largest(y) - largest(y + 1);
        in.set_estimates({{0, 64}, {0, 101}});
        less.set_estimates({{0, 64}, {0, 100}});
        dag = read_function_dag({less}, cuda_80());
        plan = empty_plan({less});
        top = ref(plan, "largest");
        out = ref(plan, "less");
        plan.derived = {partial_of(top)};
        Group kernel = kernel_of(out, {{0, 32, 1}, {1, 1, 2}});
        kernel.tile.lane_axis = 0;
        kernel.members = {member(top, Placement::Thread, out, {}, {2}),
                          member(plan.funcs, Placement::Warp, out, {{1, 1, 1}}, {2, 32})};
        plan.groups = {kernel};
    }
};

TEST(LaneReads, PartialResultsAreReadByAll) {
    const Rows rows;
    EXPECT_EQ(check_plan(rows.plan, rows.dag), "");
}

/// The largest values in the lanes, one a row, of which every lane reads the same two.
TEST(LaneReads, LanesHaveToReadApart) {
    Rows rows;
    rows.plan.derived.push_back(copy_of(rows.top));
    const FuncRef copied = rows.plan.funcs + 1;
    std::vector<Member> &members = rows.plan.groups[0].members;
    members[0] = member(rows.top, Placement::Thread, copied, {}, {1});
    members.insert(members.begin(), member(copied, Placement::Warp, rows.out, {{0, 1, 1}}, {32}));
    expect_words(check_plan(rows.plan, rows.dag),
                 {"'the copy of largest' is kept in lane registers along dimension 0, along which the lanes"});
}

/// Pairs of columns of a row, of which a warp has so many.
struct Pairs {
    FunctionDag dag;
    Plan plan;

    explicit Pairs(int width, LaneLayout layout = LaneLayout::Chunked, int adjacent = 1) {
        Halide::ImageParam in(Halide::UInt(8), 2, "in");
        Halide::Func scaled("scaled"), pairs("pairs");
        Halide::Var x("x"), y("y");
        scaled(x, y) = in(x, y) * Halide::cast<uint8_t>(5);
        pairs(x, y) = scaled(3 * x + 1, y) + scaled(3 * x + 2, y);
        in.set_estimates({{0, 300}, {0, 64}});
        pairs.set_estimates({{0, 99}, {0, 64}});
        dag = read_function_dag({pairs}, cuda_80());
        plan = empty_plan({pairs});
        Group kernel = kernel_of(ref(plan, "pairs"), {{0, width, 1}, {1, 2, 4}});
        kernel.tile.lane_axis = 0;
        kernel.tile.layout = layout;
        kernel.tile.adjacent = adjacent;
        kernel.members = {member(ref(plan, "scaled"), Placement::Warp, kernel.output, {{0, 1, 1}}, {3 * width, 2})};
        plan.groups = {kernel};
    }
};

/// Where one lane has all of a warp's row, its columns are the same for all lanes.
TEST(LaneReads, OneLaneReadsTheSamePlaces) {
    const Pairs two(2), one(1), one_of_two(2, LaneLayout::Adjacent, 2);
    EXPECT_EQ(check_plan(two.plan, two.dag), "");
    for (const Pairs &pairs : {one, one_of_two}) {
        expect_words(check_plan(pairs.plan, pairs.dag),
                     {"'scaled' is kept in lane registers along dimension 0, along which the lanes that read it"});
    }
}

/// A product of matrices, its sums in the lanes that store them: 64 columns a warp.
struct Sums {
    FunctionDag dag;
    FuncRef product = -1, out = -1;
    Plan plan;

    /// `shift`: the output reads the sums so many columns further.
    explicit Sums(int shift = 0) {
        const Halide::ImageParam left(Halide::Float(32), 2, "left"), right(Halide::Float(32), 2, "right");
        Halide::Func sums("sums"), o("o");
        Halide::Var x("x"), y("y");
        const Halide::RDom k(0, 64, "k");
        sums(x, y) = 0.0f;
        sums(x, y) += left(k, y) * right(x, k);
        o(x, y) = sums(x + shift, y);
        o.set_estimates({{0, 64}, {0, 64}});
        dag = read_function_dag({o}, cuda_80());
        plan = empty_plan({o});
        product = ref(plan, "sums");
        out = ref(plan, "o");
        Group kernel = kernel_of(out, {{0, 64, 1}, {1, 4, 2}});
        kernel.tile.lane_axis = 0;
        kernel.members = {member(product, Placement::Warp, out, {{0, 1, 1}}, {64, 4})};
        plan.groups = {kernel};
    }
};

TEST(LaneReads, SumsStayInTheLanesThatStoreThem) {
    const Sums sums;
    EXPECT_EQ(check_plan(sums.plan, sums.dag), "");
}

TEST(LaneReads, SumsAreNotPassedToOtherLanes) {
    const Sums shifted(1);
    EXPECT_NE(check_plan(shifted.plan, shifted.dag).find("'sums' has updates, and lanes beyond its extent"),
              std::string::npos);
    Sums narrow;
    narrow.plan.groups[0].tile.axes[0].width = 48;
    narrow.plan.groups[0].members[0].storage[0] = 48;
    EXPECT_NE(check_plan(narrow.plan, narrow.dag), "");
    Sums adjacent;
    adjacent.plan.groups[0].tile.layout = LaneLayout::Adjacent;
    adjacent.plan.groups[0].tile.adjacent = 2;
    EXPECT_NE(check_plan(adjacent.plan, adjacent.dag), "");
}

}  // namespace
}  // namespace warptile
