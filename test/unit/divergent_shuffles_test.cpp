// Shuffles that only some lanes reach: found in the chain whose last lanes have no column, in which Halide joins the
// tests of two members, and not in the same chain where every lane has one.

#include <string>

#include <gtest/gtest.h>

#include "Halide.h"
#include "verify/trial.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

/// Four steps of a stencil of three points in lane registers, 15 adjacent columns a lane. A tile of `points` has
/// points / 15 lanes at work.
Trial chain(int points) {
    constexpr int columns = 15, row = 32 * columns, steps = 4;
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    Var x("x"), xo("xo"), xi("xi"), warp("warp"), lane("lane"), column("column"), chunk("chunk");
    std::vector<Func> f = {Halide::BoundaryConditions::repeat_edge(in)};
    for (int s = 1; s <= steps; s++) {
        Func next("step_" + std::to_string(s));
        next(x) = 0.5f * f.back()(x) + 0.25f * (f.back()(x - 1) + f.back()(x + 1));
        f.push_back(next);
    }
    Func out = f.back();
    out.output_buffer().dim(0).set_min(0);
    out.compute_root()
        .split(x, xo, xi, points, TailStrategy::RoundUp)
        .split(xi, lane, column, columns)
        .split(xo, xo, warp, 1)
        .reorder(column, lane, warp, xo)
        .unroll(column)
        .gpu_blocks(xo)
        .gpu_threads(warp)
        .gpu_lanes(lane);
    for (size_t s = 1; s < steps; s++) {
        f[s].compute_at(out, warp)
            .align_storage(x, row)
            .bound_storage(x, row)
            .split(x, chunk, x, row, TailStrategy::GuardWithIf)
            .split(x, lane, column, columns)
            .reorder(column, chunk, lane)
            .unroll(column)
            .unroll(chunk)
            .gpu_lanes(lane);
    }
    LowerOptions options;
    options.device_code = false;
    return lower(Halide::Pipeline(out), Halide::Target("x86-64-linux-cuda-cuda_capability_80-no_runtime"), options);
}

TEST(DivergentShuffles, AreSeenWhereTheLastLanesHaveNoColumn) {
    const Trial trial = chain(28 * 15);
    ASSERT_EQ(trial.kernels.size(), 1u);
    EXPECT_TRUE(trial.kernels[0].lanes);
    EXPECT_TRUE(trial.kernels[0].divergent_shuffles);
    EXPECT_NE(describe(trial).find("divergent shuffles"), std::string::npos);
}

TEST(DivergentShuffles, AreNotSeenWhereTheTileFillsTheLanes) {
    // The tile and its halo of three points a side fill 32 lanes: no member tests its lane.
    const Trial trial = chain(32 * 15 - 6);
    ASSERT_EQ(trial.kernels.size(), 1u);
    EXPECT_TRUE(trial.kernels[0].lanes);
    EXPECT_FALSE(trial.kernels[0].divergent_shuffles);
}

}  // namespace
}  // namespace warptile
