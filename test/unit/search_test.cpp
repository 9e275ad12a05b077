// Searches over pipelines by hand: what their plans look like.

#include "dag/dependences.h"
#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "hand_pipelines.h"
#include "schedule/rules/check_plan.h"
#include "schedule/tile_extents.h"
#include "search/graph/reductions.h"
#include "test/support/h100.h"

namespace warptile {
namespace {

TEST(Search, HarrisIsOneKernelWithLanes) {
    const HarrisDag h;
    const SearchResult result = search(h.dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const Candidate &best = result.groups[0].candidates[0];
    EXPECT_EQ(best.group.tile.lane_axis, 0);
    EXPECT_EQ(best.group.tail, Tail::Both);
    ASSERT_EQ(best.group.members.size(), 3u);
    for (const Member &m : best.group.members) {
        EXPECT_EQ(m.placement, Placement::Warp);
        EXPECT_EQ(m.storage.size(), 2u);
    }
    // The plain candidate, last, has a kernel each for the three members.
    EXPECT_EQ(result.groups[0].candidates.back().before.size(), 3u);
}

TEST(Search, AGroupThatDoesNotHoldIsCutBeforeItIsUnfused) {
    const HarrisDag h;
    const std::vector<Candidate> candidates = search(h.dag, h100(), {}).groups[0].candidates;
    const auto cut = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate &c) { return c.why.rfind("cut:", 0) == 0; });
    ASSERT_NE(cut, candidates.end());
    EXPECT_FALSE(cut->last_resort);
    EXPECT_GE(cut->before.size(), 1u);
    EXPECT_LT(cut->before.size(), 3u);
    EXPECT_GE(cut->cost, candidates.front().cost);
    for (const Candidate &other : candidates) {
        EXPECT_TRUE(!other.last_resort || other.cost >= cut->cost) << other.why;
    }
}

TEST(Search, EveryCandidateIsALegalPlan) {
    const HarrisDag harris;
    const SharpenDag sharpen;
    const NormalizeDag normalize;
    const ChainDag chain(12);
    for (const FunctionDag *dag : {&harris.dag, &sharpen.dag, &normalize.dag, &chain.dag}) {
        const SearchResult result = search(*dag, h100(), {});
        for (size_t g = 0; g < result.groups.size(); g++) {
            for (size_t c = 0; c < result.groups[g].candidates.size(); c++) {
                std::vector<int> choice(result.groups.size(), 0);
                choice[g] = static_cast<int>(c);
                EXPECT_EQ(check_plan(assemble(result, choice), *dag), "") << result.groups[g].candidates[c].why;
            }
        }
    }
}

TEST(Search, WhatIsLeftPlainHasNoKernelSoughtForIt) {
    const HarrisDag h;
    std::vector<int> begun;
    SearchOptions options;
    options.begin_group = [&](int node) { begun.push_back(node); };
    search(h.dag, h100(), options);
    EXPECT_GT(std::count(begun.begin(), begun.end(), h.gray), 0);
    EXPECT_EQ(begun.back(), h.out);
    begun.clear();
    options.left_plain = {{h.gray, "plain: the search died in it"}};
    const SearchResult result = search(h.dag, h100(), options);
    EXPECT_EQ(std::count(begun.begin(), begun.end() - 1, h.gray), 1);  // for its plain form
    ASSERT_EQ(result.groups.size(), 2u);
    EXPECT_EQ(result.groups[0].output, h.gray);
    EXPECT_EQ(result.groups[0].candidates.size(), 1u);
    EXPECT_GT(result.groups[1].candidates.size(), 1u);
    ASSERT_EQ(result.notices.size(), 1u);
    EXPECT_EQ(result.notices[0].func, h.dag.node(h.gray).name);
    EXPECT_EQ(check_plan(assemble(result, {0, 0}), h.dag), "");
}

TEST(Search, TheNumberAfterTheLastCandidateIsTheHost) {
    const HarrisDag h;
    const SearchResult result = search(h.dag, h100(), {});
    const Plan plan = assemble(result, {static_cast<int>(result.groups[0].candidates.size())});
    EXPECT_EQ(check_plan(plan, h.dag), "");
    ASSERT_EQ(plan.groups.size(), 4u);  // the three members and the output
    for (const Group &g : plan.groups) {
        EXPECT_TRUE(g.on_host);
    }
}

/// Before what is plain, for where the registers do not hold them.
TEST(Search, BehindUpdatesOfSeveralStepsAreThoseOfOnePointAndStep) {
    HandDag b;
    const int in = b.input("in", box(4096, 1024));
    const int sum = b.func("sum", box(1024, 1024), 0);
    b.reduce(sum, 4096, 1);
    b.reads(sum, in, {HandDag::along(0), HandDag::along(1)}, 1, 1);
    const FunctionDag dag = b.done({sum});
    const SearchResult result = search(dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const auto takes_one = [](const Candidate &c) {
        return !c.last_resort && std::all_of(c.group.updates.begin(), c.group.updates.end(), [](const KernelTile &t) {
            return t.steps.together() <= 1 &&
                   std::all_of(t.axes.begin(), t.axes.end(), [](const AxisTile &axis) { return axis.width == 1; });
        });
    };
    const std::vector<Candidate> &candidates = result.groups[0].candidates;
    EXPECT_FALSE(takes_one(candidates.front()));
    EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), takes_one));
}

TEST(Search, TheSameTwice) {
    const HarrisDag h;
    EXPECT_EQ(to_string(search(h.dag, h100(), {})), to_string(search(h.dag, h100(), {})));
}

TEST(Search, DerivedFuncsAreNumberedAnew) {
    SearchResult result;
    result.base.funcs = 2;
    result.groups.resize(2);
    for (int g = 0; g < 2; g++) {
        Candidate c;
        c.group.output = g;
        Derived copy;
        copy.source = 0;
        copy.consumers = {g};
        c.derived = {copy};
        Member m;
        m.func = 2;  // the candidate's own first derived Func
        m.at = g;
        c.group.members = {m};
        result.groups[static_cast<size_t>(g)].candidates = {c};
    }
    const Plan plan = assemble(result, {0, 0});
    ASSERT_EQ(plan.derived.size(), 2u);
    EXPECT_EQ(plan.groups[0].members[0].func, 2);
    EXPECT_EQ(plan.groups[1].members[0].func, 3);
    EXPECT_EQ(plan.groups[1].members[0].at, 1);
}

TEST(Reductions, ARowIsSplitOverTheLanes) {
    const NormalizeDag n;
    const SearchResult result = search(n.dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const Candidate &best = result.groups[0].candidates[0];
    EXPECT_EQ(best.group.tile.lane_axis, 0);
    EXPECT_EQ(best.group.tile.axes[0].width, 1024);
    ASSERT_EQ(best.derived.size(), 1u);
    EXPECT_EQ(best.derived[0].kind, Derived::Kind::Partial);
    EXPECT_EQ(best.derived[0].factor, 32);
    ASSERT_EQ(best.group.members.size(), 2u);
    EXPECT_EQ(best.group.members[0].placement, Placement::Thread);  // the sum itself
    EXPECT_EQ(best.group.members[1].placement, Placement::Warp);    // its 32 parts
    EXPECT_EQ(best.group.members[1].storage, (std::vector<int64_t>{1, 32}));
}

/// Rows of 1024, 4096 of them, whose length is no constant: `second` reduces in(r, y) - first(y), where `first` reduces
/// in(r, y); the output reads `second`, and with `rows` every point of a row reads both.
FunctionDag two_reductions(bool rows) {
    HandDag b;
    const int in = b.input("in", box(1024, 4096));
    const Region values = {{0, 4095}};
    const int first = b.func("first", values, 0), second = b.func("second", values, 0);
    const int out = b.func("out", rows ? box(1024, 4096) : values, 1);
    for (const int f : {first, second}) {
        b.reduce(f, 1024, f == first ? 1 : 2);
        b.node(f).stages[1].loops[1].extent_known = false;
        b.reads(f, in, {HandDag::along(1), HandDag::along(0)}, 1, 1);
    }
    b.reads(second, first, {HandDag::along(0)}, 1, 1);
    b.reads(out, second, {HandDag::along(rows ? 1 : 0)}, 1);
    if (rows) {
        b.reads_point(out, in);
        b.reads(out, first, {HandDag::along(1)}, 1);
    }
    return b.done({out});
}

/// Dimension and threads of each axis.
template<typename Tiled>
std::vector<std::pair<int, int>> dealt(const Tiled &m) {
    std::vector<std::pair<int, int>> axes;
    for (const AxisTile &a : m.axes) {
        axes.push_back({a.dim, a.threads});
    }
    return axes;
}

TEST(Reductions, ResultsThatOtherReductionsReadAreShared) {
    const FunctionDag dag = two_reductions(true);
    const SearchResult result = search(dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const Candidate &best = result.groups[0].candidates[0];
    ASSERT_EQ(best.derived.size(), 2u);
    for (const Derived &d : best.derived) {
        EXPECT_EQ(d.factor, 32);
        EXPECT_EQ(d.usual_extent, 1024);
    }
    const int warps = best.group.tile.axes[1].threads;
    ASSERT_EQ(best.group.members.size(), 4u);
    EXPECT_EQ(best.group.members[0].placement, Placement::Thread);  // the second, by shuffle
    EXPECT_EQ(best.group.members[1].placement, Placement::Warp);
    EXPECT_EQ(best.group.members[2].placement, Placement::Block);  // the first: lanes of a warp take a row's total each
    EXPECT_EQ(dealt(best.group.members[2]), (std::vector<std::pair<int, int>>{{0, 32}}));
    EXPECT_EQ(best.group.members[3].placement, Placement::Block);
    EXPECT_EQ(dealt(best.group.members[3]), (std::vector<std::pair<int, int>>{{1, 32}, {0, warps}}));
    EXPECT_EQ(best.group.members[3].storage, (std::vector<int64_t>{warps, 32}));
}

TEST(Reductions, AValueARowIsOneKernelToo) {
    const FunctionDag dag = two_reductions(false);
    const SearchResult result = search(dag, h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const Candidate &best = result.groups[0].candidates[0];
    const int rows = best.group.tile.axes[0].threads;
    EXPECT_EQ(best.group.tile.lane_axis, -1);
    ASSERT_EQ(best.group.members.size(), 4u);
    EXPECT_EQ(best.group.members[0].placement, Placement::Thread);
    EXPECT_EQ(dealt(best.group.members[1]), (std::vector<std::pair<int, int>>{{1, 32}, {0, rows}}));
    EXPECT_EQ(dealt(best.group.members[2]), (std::vector<std::pair<int, int>>{{0, rows}}));
    EXPECT_EQ(dealt(best.group.members[3]), (std::vector<std::pair<int, int>>{{1, 32}, {0, rows}}));
}

TEST(Reductions, StepsAreUnrolledTogether) {
    EXPECT_EQ(steps_of_a_partial(1024, 32), 16);  // 32 steps, two by 16
    EXPECT_EQ(steps_of_a_partial(1000, 32), 32);  // 31 and a quarter: at 16 together each would be tested
    EXPECT_EQ(steps_of_a_partial(100, 32), 4);    // three and an eighth
    EXPECT_EQ(steps_of_a_partial(2000, 32), 16);  // 62 and a half: too many for the registers
}

/// A scan down each of `columns`, of `length` numbers, of the transpose of an input's copy; an `undef` at first.
FunctionDag scan_dag(int64_t columns, int64_t length) {
    HandDag b;
    const int in = b.input("in", box(length, columns));
    const int doubled = b.func("doubled", box(length, columns), 1), turned = b.func("turned", box(columns, length), 0);
    b.node(turned).raw_dims = {true, true};
    const int scan = b.func("scan", box(columns, length), 0);
    b.reduce(scan, length, 2);
    b.node(scan).stages[0].undefined = true;
    Stage &update = b.node(scan).stages[1];
    update.loops = {update.loops[0], update.loops[2]};
    update.pure_of_dim = {0, -1};
    update.scatters = true;
    update.loops[1].extent_known = update.associative = update.commutative = false;
    update.loops[1].dependence = Dependence::Ordered;
    Access before, here;
    before.axes = {HandDag::along(0), HandDag::along(1, -1, -1)};
    here.axes = {HandDag::along(0), HandDag::along(1)};
    here.loads = 0;
    update.own = {before, here};
    b.node(doubled).stages.push_back(b.node(doubled).stages[0]);  // kept, since it has an update
    b.reads_point(doubled, in);
    b.reads(turned, doubled, {HandDag::along(1), HandDag::along(0)}, 1);
    b.reads(scan, turned, {HandDag::along(0), HandDag::along(1)}, 1, 1);
    return b.done({scan});
}

TEST(Scans, TakeStepsTogetherInBlocksOfAWarpOfColumnsThatLieSideBySide) {
    const FunctionDag dag = scan_dag(4096, 1024);
    const SearchResult result = search(dag, h100(), {});
    const GroupChoices &scan = result.groups.back();
    ASSERT_EQ(scan.output, 3);
    // The transpose is a kernel of its own, and reads for the scan's neighbours what lies side by side.
    const bool stored =
        std::any_of(result.groups.begin(), result.groups.end(), [](const GroupChoices &g) { return g.output == 2; });
    EXPECT_TRUE(stored);
    // As many steps as may be, then half, then a quarter, then one; what is plain where all else fails.
    const std::vector<int> steps = {16, 8, 4, 1, 1};
    ASSERT_EQ(scan.candidates.size(), steps.size());
    for (size_t c = 0; c < steps.size(); c++) {
        ASSERT_EQ(scan.candidates[c].group.updates.size(), 1u);
        EXPECT_EQ(scan.candidates[c].group.updates[0].steps.together(), steps[c]);
    }
    const GroupChoices &turned = result.groups[result.groups.size() - 2];
    ASSERT_EQ(turned.output, 2);
    // Its tile of the input lies in shared memory, in rows that no two lanes find in one bank.
    ASSERT_EQ(turned.candidates[0].group.members.size(), 1u);
    EXPECT_EQ(turned.candidates[0].group.members[0].placement, Placement::Block);
    EXPECT_EQ(turned.candidates[0].group.members[0].storage[0] % 2, 1);
    EXPECT_EQ(dealt(scan.candidates[0].group.updates[0]), (std::vector<std::pair<int, int>>{{0, 32}}));
    // The pure stage has no loop: what the candidate costs is its update.
    EXPECT_EQ(scan.candidates[0].why.find("0.00 us"), scan.candidates[0].why.find("| ") + 2) << scan.candidates[0].why;
}

/// out() = 2 sum() of `length` floats in a row; or, with `columns`, a sum down each of so many columns.
FunctionDag sum_dag(int64_t length, int64_t columns) {
    HandDag b;
    const bool scalar = columns == 0;
    const int in = b.input("in", scalar ? Region{{0, length - 1}} : box(columns, length));
    const Region one = scalar ? Region{} : Region{{0, columns - 1}};
    const int sum = b.func("sum", one, 0), out = b.func("out", one, 1);
    b.reduce(sum, length, 1);
    std::vector<AxisAccess> row, point;
    if (!scalar) {
        row = {HandDag::along(0)};
        point = {HandDag::along(0)};
    }
    row.push_back(HandDag::along(scalar ? 0 : 1));
    b.reads(sum, in, row, 1, 1);
    b.reads(out, sum, point, 1);
    return b.done({out});
}

TEST(Reductions, FourMillionToOneFillTheCard) {
    const FunctionDag dag = sum_dag(4 << 20, 0);
    const SearchResult result = search(dag, h100(), {});
    const Candidate &best = result.groups[0].candidates[0];
    // A kernel of many blocks for their parts, and one that adds these up and is `out` besides.
    ASSERT_EQ(result.groups.size(), 1u);
    ASSERT_EQ(best.before.size(), 1u);
    ASSERT_EQ(best.derived.size(), 5u);
    // For 256 blocks; of each for 256 threads, and for 32 lanes that add up what these found; for 32 lanes at last.
    const int first = result.base.funcs + static_cast<int>(result.base.derived.size());
    const int total = best.group.members[0].func;
    const int factors[] = {256, 256, 32, 32}, sources[] = {total, first, first, total};
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(best.derived[i].kind, Derived::Kind::Partial);
        EXPECT_EQ(best.derived[i].factor, factors[i]);
        EXPECT_EQ(best.derived[i].source, sources[i]);
    }
    EXPECT_EQ(best.derived[4].kind, Derived::Kind::Staged);
    // A thread has 4 Mi / 65,536 = 64 values, and loads 16 at a time.
    ASSERT_EQ(best.before[0].members.size(), 3u);
    EXPECT_EQ(best.before[0].members[2].steps.together(), 16);
    EXPECT_TRUE(best.before[0].members[1].full);
    EXPECT_EQ(best.group.members.size(), 2u);
    // Two launches of 4 us; 16 MiB at 5.5 TB/s are 3.05 us; the last steps take a while.
    EXPECT_GT(best.cost, 4 + 3.05 + 4);
    EXPECT_LT(best.cost, 14);
    EXPECT_GT(result.groups[0].candidates.back().cost, 10000);  // one thread: 194 ms were measured
}

TEST(Reductions, DownColumnsLanesStaySideBySide) {
    const FunctionDag dag = sum_dag(4096, 1024);
    const SearchResult result = search(dag, h100(), {});
    const Candidate &best = result.groups[0].candidates[0];
    ASSERT_EQ(best.before.size(), 1u);
    EXPECT_EQ(best.before[0].tile.axes[0].dim, 0);
    EXPECT_EQ(best.before[0].tile.axes[0].threads, 32);
    // 16 parts for blocks of 16 warps leave each thread 16 rows. The reader of the sums adds the parts of blocks up.
    ASSERT_EQ(best.derived.size(), 3u);
    EXPECT_EQ(best.derived[0].factor, 16);
    EXPECT_EQ(best.derived[1].factor, 16);
    EXPECT_EQ(best.before[0].members[1].steps.together(), 16);
    ASSERT_EQ(result.groups.size(), 1u);
    EXPECT_EQ(best.group.members[0].placement, Placement::Thread);
}

TEST(Reductions, PlanesThatFillTheCardTakeABlockEach) {
    // A thousand planes of 56 x 56: no loop is long, but both together are.
    HandDag b;
    const int in = b.input("in", Region{{0, 55}, {0, 55}, {0, 1023}}), sum = b.func("sum", Region{{0, 1023}}, 0);
    b.reduce(sum, 56, 1);
    b.node(sum).stages[1].loops.push_back(b.node(sum).stages[1].loops.back());
    b.reads(sum, in, {HandDag::along(1), HandDag::along(2), HandDag::along(0)}, 1, 1);
    const int out = b.func("out", Region{{0, 1023}}, 1);
    b.reads(out, sum, {HandDag::along(0)}, 1);
    const SearchResult result = search(b.done({out}), h100(), {});
    ASSERT_EQ(result.groups.size(), 1u);
    const Candidate &best = result.groups[0].candidates[0];
    EXPECT_TRUE(best.before.empty());
    // 32 threads along rows (64 would not all have values) and 8 rows side by side.
    ASSERT_EQ(best.derived.size(), 2u);
    EXPECT_EQ(best.derived[0].factor, 32);
    EXPECT_EQ(best.derived[1].factor, 8);
    EXPECT_EQ(best.group.members.back().steps.counts, std::vector<int>({1, 7}));  // an eighth of the 56 rows
}

/// Counts of the values of an image; of one row where `height` is 0.
struct HistogramDag {
    HandDag b;
    int in, count;

    HistogramDag(int64_t width, int64_t height, int64_t cells) {
        const Region image = height > 0 ? box(width, height) : Region{{0, width - 1}};
        in = b.input("in", image, 1);
        count = b.func("count", Region{{0, cells - 1}}, 0);
        b.reduce(count, width, 0);
        Stage &update = b.node(count).stages[1];
        update.loops.erase(update.loops.begin());
        update.loops.back().dependence = Dependence::Scatter;
        update.pure_of_dim = {-1};
        update.scatters = update.adds = true;
        update.ops = OpCounts();
        std::vector<AxisAccess> axes = {HandDag::along(0)};
        if (height > 0) {
            update.loops.push_back(update.loops.back());
            update.loops.back().estimate = {0, height - 1};
            axes.push_back(HandDag::along(1));
        }
        b.reads(count, in, axes, 1, 1);
    }

    Candidate best() {
        const int out = b.func("out", b.node(count).estimate, 1);
        b.reads(out, count, {HandDag::along(0)}, 1);
        return search(b.done({out}), h100(), {}).groups[0].candidates[0];
    }
};

TEST(Histograms, OfAnImageAreCountedInPartsOfItsRows) {
    const Candidate best = HistogramDag(1536, 2560, 256).best();
    // 256 cells are 8 lines of 128 bytes: it takes 32 parts (a power of two) to have one for each of 132 SMs.
    ASSERT_EQ(best.derived.size(), 1u);
    EXPECT_EQ(best.derived[0].kind, Derived::Kind::Partial);
    EXPECT_EQ(best.derived[0].factor, 32);
    EXPECT_EQ(best.derived[0].rvar, 1);
    ASSERT_EQ(best.before.size(), 1u);
    EXPECT_EQ(best.before[0].output, best.derived[0].source + 2);  // after `count` and `out`
    EXPECT_EQ(best.before[0].atomic, std::vector<bool>{true});
    // Dimensions 0 and 1 are the cells and the parts; threads lie along rows of the image.
    ASSERT_EQ(best.before[0].updates[0].axes.size(), 2u);
    EXPECT_EQ(best.before[0].updates[0].axes[0].dim, 2);
    EXPECT_EQ(best.before[0].updates[0].axes[0].threads, 32);
    EXPECT_EQ(best.before[0].updates[0].axes[1].dim, 3);
    EXPECT_EQ(best.group.output, best.derived[0].source);
    EXPECT_EQ(best.group.atomic, std::vector<bool>{false});
    EXPECT_EQ(best.group.updates[0].axes[0].dim, 0);
    EXPECT_TRUE(best.group.full);
    // Four launches of 4 us; 451 us of additions to 8 lines are 27.4 to 132; the last sums wait for L2 twice, 0.4 us.
    EXPECT_NEAR(best.cost, 4 * 4 + 27.4 + 0.4, 0.5);
}

TEST(Histograms, OfOneRowHaveAPartALane) {
    const Candidate best = HistogramDag(1 << 22, 0, 1024).best();
    // 32 lines need 8 parts, but 32 lanes read side by side.
    ASSERT_EQ(best.derived.size(), 1u);
    EXPECT_EQ(best.derived[0].factor, 32);
    const KernelTile &update = best.before[0].updates[0];
    EXPECT_EQ(update.axes[0].dim, 1);
    EXPECT_EQ(update.axes[0].threads, 32);
    EXPECT_EQ(update.axes[1].dim, 2);
    EXPECT_EQ(update.axes[1].threads, 8);
}

// What becomes of an atomic addition only a trial shows; there is always a kernel without one.
TEST(Histograms, CanBeAddedUpByOneThread) {
    HistogramDag h(1536, 2560, 256);
    const int out = h.b.func("out", h.b.node(h.count).estimate, 1);
    h.b.reads(out, h.count, {HandDag::along(0)}, 1);
    const Candidate last = search(h.b.done({out}), h100(), {}).groups[0].candidates.back();
    EXPECT_EQ(last.group.atomic, std::vector<bool>{false});
    EXPECT_TRUE(last.group.updates.at(0).axes.empty());
    EXPECT_TRUE(last.derived.empty());
}

TEST(Histograms, StayWholeWhereThatIsAsFast) {
    EXPECT_TRUE(HistogramDag(255, 256, 256).best().derived.empty());                  // few additions
    EXPECT_TRUE(HistogramDag(1536, 2560, int64_t{132} * 32).best().derived.empty());  // a line an SM
    EXPECT_FALSE(HistogramDag(1536, 2560, int64_t{32} * 32).best().derived.empty());
    HistogramDag where(1536, 2560, 256), in_order(1536, 2560, 256);
    where.b.node(where.count).stages[1].has_predicate = true;
    EXPECT_FALSE(where.best().derived.empty());
    Stage &update = in_order.b.node(in_order.count).stages[1];
    update.associative = update.commutative = update.adds = false;
    update.loops[0].dependence = update.loops[1].dependence = Dependence::Ordered;
    EXPECT_TRUE(in_order.best().derived.empty());
}

/// The best candidate of a histogram that nothing makes atomic.
Candidate best_of_own_parts(int64_t width, int64_t height, int64_t cells) {
    HistogramDag h(width, height, cells);
    h.b.node(h.count).stages[1].adds = false;
    return h.best();
}

/// How many parts there are of how many values each.
int parts(const Candidate &c) { return c.derived.at(0).factor * (c.derived.size() > 1 ? c.derived[1].factor : 1); }

// Bytes are not added atomically: threads of a warp count neighbouring pixels, each in a histogram of its own. Pieces
// of rows alone are too few to hide how long each addition waits for the one before: they are split by rows once more,
// which a kernel in between adds up.
TEST(Histograms, OfWhatIsNotAddedAtomicallyAreAThreadEach) {
    const Candidate best = best_of_own_parts(1536, 2560, 256);
    ASSERT_EQ(best.derived.size(), 3u);
    EXPECT_EQ(best.derived[0].kind, Derived::Kind::Partial);
    EXPECT_EQ(best.derived[0].rvar, 0);
    EXPECT_EQ(best.derived[1].kind, Derived::Kind::Partial);
    EXPECT_EQ(best.derived[1].rvar, 1);
    EXPECT_EQ(best.derived[2].kind, Derived::Kind::Staged);
    EXPECT_GE(parts(best), 64 * 132);  // two warps an SM
    ASSERT_EQ(best.before.size(), 2u);
    EXPECT_EQ(best.before[0].updates[0].axes[0].dim, 1);
    EXPECT_GE(best.before[0].updates[0].axes[0].threads, 32);
    EXPECT_GT(best.before[0].updates[0].steps.together(), 1);
    EXPECT_FALSE(best.before[0].atomic[0]);
    // What one thread adds up in either kernel.
    EXPECT_LE(best.derived[0].factor, 1024);
    EXPECT_LE(best.derived[1].factor, 1024);
}

// A list has one loop, which is split twice.
TEST(Histograms, OfAListAreSplitTwiceAlongIt) {
    const Candidate best = best_of_own_parts(1 << 22, 0, 256);
    ASSERT_EQ(best.derived.size(), 3u);
    EXPECT_EQ(best.derived[0].rvar, 0);
    EXPECT_EQ(best.derived[1].rvar, 0);
    EXPECT_GE(parts(best), 64 * 132);
}

// Where each block of places has a histogram of its own, as in a bilateral grid, few steps make no warp of parts.
TEST(Histograms, OfManySmallBlocksAreNotSplit) {
    HistogramDag h(16, 16, 256);
    Stage &update = h.b.node(h.count).stages[1];
    update.adds = false;
    update.loops.push_back(update.loops.back());
    update.loops.back().estimate = {0, 4095};
    update.loops.back().dependence = Dependence::Apart;
    const int out = h.b.func("out", h.b.node(h.count).estimate, 1);
    h.b.reads(out, h.count, {HandDag::along(0)}, 1);
    for (const Candidate &c : search(h.b.done({out}), h100(), {}).groups[0].candidates) {
        EXPECT_TRUE(c.derived.empty());
    }
}

// At places among many there are as many parts as there is memory for: of 2 and 16 MB those of half a GB.
TEST(Histograms, OfManyCellsTakeBoundedMemory) {
    for (const int64_t cells : {int64_t{1} << 19, int64_t{1} << 22}) {
        const double bytes = 4.0 * static_cast<double>(cells);
        for (const int64_t height : {0, 2560}) {
            const Candidate best = best_of_own_parts(height ? 1536 : 1 << 22, height, cells);
            ASSERT_FALSE(best.derived.empty());
            EXPECT_GE(parts(best), 16);
            EXPECT_LE(parts(best) * bytes, 540e6);
        }
    }
    EXPECT_TRUE(best_of_own_parts(1536, 2560, int64_t{1} << 28).derived.empty());  // not two fit
}

TEST(Reductions, NotWhereTheOrderMustStay) {
    const NormalizeDag n;
    EXPECT_TRUE(find_split(n.dag, n.sum));
    FunctionDag as_given = n.dag;
    keep_given_order(as_given);
    EXPECT_FALSE(find_split(as_given, n.sum));
    SearchOptions strict;
    strict.reassociate = false;
    for (const GroupChoices &g : search(n.dag, h100(), strict).groups) {
        for (const Candidate &c : g.candidates) {
            for (const Derived &d : c.derived) {
                EXPECT_NE(d.kind, Derived::Kind::Partial);
            }
        }
    }
}

}  // namespace
}  // namespace warptile
