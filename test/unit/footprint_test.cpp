// Footprints: worked out by hand, compared with the regions that Halide realizes, and timed.

#include "dag/footprint.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "dag/read.h"
#include "realizations.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

FunctionDag read(const std::vector<Func> &outputs) { return read_function_dag(outputs, Halide::get_host_target()); }

int id_of(const FunctionDag &dag, const std::string &name) {
    for (const Node &n : dag.nodes) {
        if (n.name == name) {
            return n.id;
        }
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
}

// Everything but the output computed in the tile.
Footprint all_in_tile(const FunctionDag &dag) {
    std::vector<int> members;
    for (const Node &n : dag.nodes) {
        if (n.kind == NodeKind::Func && !n.is_output) {
            members.push_back(n.id);
        }
    }
    return Footprint(dag, dag.outputs[0], members, std::vector<bool>(dag.nodes.size(), false));
}

void expect_region(const Region &ours, const Region &halides, bool exact, const std::string &what) {
    if (exact) {
        EXPECT_EQ(to_string(ours), to_string(halides)) << what;
    }
    EXPECT_TRUE(test::contains(ours, halides)) << what << ": " << to_string(ours) << " and " << to_string(halides);
}

class Examples : public ::testing::TestWithParam<test::NamedExample> {};

class TiledExamples : public Examples {};

TEST_P(Examples, RootRegionsAreHalides) {
    const test::Example example = GetParam().make();
    const FunctionDag dag = read(example.outputs);
    for (auto &f : test::inner_funcs(example)) {
        f.second.compute_root();
    }
    const test::Recording recording = test::record(example);
    EXPECT_EQ(recording.realized.size(), test::inner_funcs(example).size());
    for (const auto &input : recording.inputs) {
        expect_region(dag.node(id_of(dag, input.first)).estimate, input.second, example.exact_at_root, input.first);
    }
    for (const auto &f : recording.realized) {
        expect_region(dag.node(id_of(dag, f.first)).estimate, f.second[0], example.exact_at_root, f.first);
    }
}

TEST_P(TiledExamples, RegionsOfTilesAreHalides) {
    const test::Example example = GetParam().make();
    const int width = 5, height = 3;
    const FunctionDag dag = read(example.outputs);
    Footprint footprint = all_in_tile(dag);
    Var xo, yo, xi, yi;
    Func out = example.outputs[0];
    out.tile(out.args()[0], out.args()[1], xo, yo, xi, yi, width, height);
    for (auto &f : test::inner_funcs(example)) {
        f.second.compute_at(out, xo);
    }
    const auto &extents = footprint.max_extents({width, height});
    for (const auto &f : test::record(example).realized) {
        const size_t id = static_cast<size_t>(id_of(dag, f.first));
        ASSERT_EQ(f.second.size(), 120u) << f.first;
        for (int t = 0; t < 120 && !HasFailure(); t++) {
            const int left = t % 12 * width, top = t / 12 * height;
            const Region &halides = f.second[static_cast<size_t>(t)];
            expect_region(footprint.regions({{left, left + width - 1}, {top, top + height - 1}})[id], halides,
                          example.exact_in_tiles, f.first + " in tile " + std::to_string(t));
            for (size_t d = 0; d < halides.size(); d++) {
                EXPECT_GE(extents[id][d], halides[d].extent()) << f.first << " dimension " << d;
            }
        }
    }
}

std::vector<test::NamedExample> tiled_examples() {
    std::vector<test::NamedExample> tiled;
    for (const test::NamedExample &e : test::examples()) {
        if (e.make().tiled) {
            tiled.push_back(e);
        }
    }
    return tiled;
}

INSTANTIATE_TEST_SUITE_P(Dag, Examples, ::testing::ValuesIn(test::examples()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Dag, TiledExamples, ::testing::ValuesIn(tiled_examples()),
                         [](const auto &info) { return info.param.name; });

TEST(Footprint, UpAndDownSamplingDependOnTheTilesAlignment) {
    const Var x("x");
    ImageParam in(Halide::UInt(8), 1, "in");
    Func half("half"), out("out");
    half(x) = in(2 * x) + in(2 * x + 1);
    out(x) = half(x / 2) + half((x + 1) / 2);
    out.set_estimates({{0, 64}});
    const FunctionDag dag = read({out});
    Footprint footprint = all_in_tile(dag);
    const size_t half_id = static_cast<size_t>(id_of(dag, half.name())), in_id = 0;

    EXPECT_EQ(footprint.regions({{0, 3}})[half_id], (Region{{0, 2}}));
    EXPECT_EQ(footprint.regions({{0, 3}})[in_id], (Region{{0, 5}}));
    EXPECT_EQ(footprint.regions({{1, 4}})[half_id], (Region{{0, 2}}));
    EXPECT_EQ(footprint.regions({{5, 5}})[half_id], (Region{{2, 3}}));
    // Four outputs reach 4/2 + 1 = 3 points; three reach (2 + 1)/2 .. : from 1, 0..2, three points too.
    EXPECT_EQ(footprint.max_extents({4})[half_id][0], 3);
    EXPECT_EQ(footprint.max_extents({3})[half_id][0], 3);
    EXPECT_EQ(footprint.max_extents({4})[in_id][0], 6);
    EXPECT_TRUE(footprint.fixed_extents(static_cast<int>(half_id)));
}

TEST(Footprint, WhatDriftsApartHasNoFixedExtent) {
    const Var x("x");
    Func a("a"), b("b"), out("out");
    a(x) = x;
    b(x) = x * 2;
    out(x) = a(x) + a(2 * x) + b(x - 1) + b(x + 1);
    out.set_estimates({{0, 64}});
    const FunctionDag dag = read({out});
    Footprint footprint = all_in_tile(dag);
    const int a_id = id_of(dag, a.name()), b_id = id_of(dag, b.name());
    EXPECT_FALSE(footprint.fixed_extents(a_id));
    EXPECT_EQ(footprint.max_extents({4})[static_cast<size_t>(a_id)][0], 127);  // the whole of its estimate
    EXPECT_TRUE(footprint.fixed_extents(b_id));
    EXPECT_EQ(footprint.max_extents({4})[static_cast<size_t>(b_id)][0], 6);
}

TEST(Footprint, WhatDependsOnAParameterHasNoFixedExtent) {
    const Var x("x"), y("y");
    Halide::Param<int> shift;
    shift.set_estimate(3);
    Func a("a"), b("b"), out("out");
    a(x, y) = x + y;
    b(x, y) = x - y;
    a.bound(y, 0, shift);
    out(x) = a(x, 0) + b(x, 0) + b(x + shift, 0);
    out.set_estimates({{0, 64}});
    const FunctionDag dag = read({out});
    Footprint footprint = all_in_tile(dag);
    const int a_id = id_of(dag, a.name()), b_id = id_of(dag, b.name());
    EXPECT_FALSE(footprint.fixed_extents(a_id));
    EXPECT_FALSE(footprint.fixed_extents(b_id));
    EXPECT_EQ(footprint.max_extents({4})[static_cast<size_t>(a_id)], (std::vector<int64_t>{4, 3}));
    EXPECT_EQ(footprint.max_extents({4})[static_cast<size_t>(b_id)], (std::vector<int64_t>{7, 1}));
}

TEST(Footprint, TwoPathsThatMoveTogetherSpanBoth) {
    const Var x("x");
    Func a("a"), b("b"), c("c"), out("out");
    a(x) = x;
    b(x) = a(x - 3);
    c(x) = a((2 * x + 9) / 2);  // x + 4
    out(x) = b(x) + c(x);
    out.set_estimates({{0, 64}});
    const FunctionDag dag = read({out});
    Footprint footprint = all_in_tile(dag);
    const size_t id = static_cast<size_t>(id_of(dag, a.name()));
    EXPECT_EQ(footprint.regions({{10, 19}})[id], (Region{{7, 23}}));
    EXPECT_EQ(footprint.max_extents({10})[id][0], 17);
    EXPECT_TRUE(footprint.fixed_extents(static_cast<int>(id)));
}

TEST(Footprint, OrderAndInputsOfAGroup) {
    const test::Example example = test::examples()[1].make();  // blur
    const FunctionDag dag = read(example.outputs);
    const int out = dag.outputs[0], bx = dag.node(out).producers[0], edge = dag.node(bx).producers[0];
    std::vector<bool> inlined(dag.nodes.size(), false);
    Footprint alone(dag, out, {}, inlined);
    EXPECT_EQ(alone.order(), std::vector<int>{out});
    EXPECT_EQ(alone.inputs(), std::vector<int>{bx});
    EXPECT_FALSE(alone.touches(edge));
    EXPECT_TRUE(alone.regions({{0, 7}, {0, 7}})[static_cast<size_t>(edge)].empty());
    inlined[static_cast<size_t>(edge)] = true;
    Footprint fused(dag, out, {bx}, inlined);
    EXPECT_EQ(fused.order(), (std::vector<int>{out, bx, edge}));
    EXPECT_EQ(fused.inputs(), dag.node(edge).producers);
}

// A dozen stencils of two dimensions, each of three loads: 10^5 tiles a second on one core where the build is
// optimised. The limit is a third of it, so that neither a debug build nor a busy machine fails it.
TEST(Footprint, IsFast) {
    const Var x("x"), y("y");
    ImageParam in(Halide::Float(32), 2, "in");
    std::vector<Func> chain{Func(in)};
    for (int s = 0; s < 12; s++) {
        const Func &last = chain.back();
        Func next("stage" + std::to_string(s));
        next(x, y) = last(x - 1, y) + last(x, y + 1) + last(x + 1, y);
        chain.push_back(next);
    }
    chain.back().set_estimates({{0, 4096}, {0, 4096}});
    const FunctionDag dag = read({chain.back()});
    Footprint footprint = all_in_tile(dag);
    const int tiles = 20000;
    int64_t points = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int t = 0; t < tiles; t++) {
        points += volume(footprint.regions({{t, t + 31}, {t, t + 7}})[0]);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double rate = tiles / seconds.count();
    EXPECT_EQ(points, int64_t{tiles} * (32 + 24) * (8 + 12));
    std::cout << "[ footprints ] " << static_cast<int>(rate) << " tiles a second through 12 stages\n";
    EXPECT_GT(rate, 33000);
}

}  // namespace
}  // namespace warptile
