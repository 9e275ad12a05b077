// A sharpening mask lowered under several kinds of tile: what was planned must be what the trial shows, and what goes
// wrong silently in Halide must be seen.
#include "verify/processes/child.h"
#include "verify/trial.h"

#include <Halide.h>
#include <gtest/gtest.h>

using namespace warptile;
using namespace Halide;
using Place = TrialAllocation::Place;

namespace {

const Target cuda("x86-64-linux-cuda-cuda_capability_80-no_runtime");

// A 5x5 separable blur subtracted from its source. Rows of a lane and warps of a block are 4, the output tile is 28
// columns wide.
struct Sharpen {
    static constexpr int rows = 4, warps = 4, width = 28, height = rows * warps;
    ImageParam in{Float(32), 2, "in"};
    Func source, by{"by"}, bx{"bx"}, out{"out"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, yii{"yii"}, xt{"xt"}, lane{"lane"};

    Sharpen() {
        source = BoundaryConditions::repeat_edge(in);
        by(x, y) = source(x, y - 2) + source(x, y) * 2.0f + source(x, y + 2);
        bx(x, y) = by(x - 2, y) + by(x, y) * 2.0f + by(x + 2, y);
        out(x, y) = source(x, y) * 2.0f - bx(x, y) * 0.0625f;
    }

    Trial lower(const LowerOptions &options = {}) { return warptile::lower(Pipeline(out), cuda, options); }

    void tile_for_warps(Stage s, TailStrategy tail) {
        s.tile(x, y, xo, yo, xi, yi, width, height, tail).split(yi, yi, yii, rows).reorder(yii, xi, yi, xo, yo);
        s.unroll(yii).gpu_blocks(xo, yo).gpu_threads(yi).gpu_lanes(xi);
    }

    // The blur down the columns in lane registers. A bound of 0 is left out.
    void member_in_lanes(int bound_x, int bound_y) {
        by.compute_at(out, yi).align_storage(x, 32).unroll(y);
        if (bound_x > 0)
            by.bound_storage(x, bound_x);
        if (bound_y > 0)
            by.bound_storage(y, bound_y);
        by.split(x, xt, lane, 32, TailStrategy::GuardWithIf).reorder(xt, y, lane).unroll(xt).gpu_lanes(lane);
    }
};

LowerOptions seen(bool device_code, bool lowered_text) {
    LowerOptions options;
    options.device_code = device_code;
    options.lowered_text = lowered_text;
    return options;
}

std::vector<Place> places(const TrialKernel &k) {
    std::vector<Place> all;
    for (const TrialAllocation &a : k.allocations)
        all.push_back(a.place);
    return all;
}

}  // namespace

TEST(Trial, WarpTileKeepsItsMemberInLaneRegisters) {
    Sharpen p;
    p.out.compute_root();
    p.tile_for_warps(p.out, TailStrategy::ShiftInwards);
    p.member_in_lanes(0, 0);
    Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 1u);
    const TrialKernel &k = trial.kernels[0];
    EXPECT_EQ(k.func, p.out.name());
    EXPECT_EQ(k.stage, 0);
    EXPECT_EQ(k.loop.find(p.out.name() + ".s0.y.yo."), 0u) << k.loop;
    EXPECT_EQ(k.funcs, (std::vector<std::string>{p.out.name(), p.by.name()}));
    EXPECT_EQ(k.condition, "");
    EXPECT_TRUE(k.lanes);
    EXPECT_EQ(k.threads[0].value(), 32);
    EXPECT_EQ(k.threads[1].value(), 4);
    EXPECT_EQ(k.threads[2].value(), 1);
    EXPECT_EQ(k.most_threads(), 128);
    EXPECT_EQ(k.blocks[0].text, "(" + p.out.name() + ".extent.0 + 27)/28");
    EXPECT_EQ(k.blocks[1].text, "(" + p.out.name() + ".extent.1 + 15)/16");
    EXPECT_FALSE(k.blocks[0].at_most.has_value());
    EXPECT_EQ(k.blocks[2].value(), 1);
    EXPECT_EQ(k.shared_bytes.value(), 0);
    ASSERT_EQ(k.allocations.size(), 1u);
    EXPECT_EQ(k.allocations[0].place, Place::thread);
    EXPECT_EQ(k.allocations[0].funcs, (std::vector<std::string>{p.by.name()}));
    EXPECT_EQ(k.allocations[0].type, "float32");
    EXPECT_EQ(k.allocations[0].bytes.value(), 4 * Sharpen::rows);  // a lane's share of 32 x 4
    EXPECT_TRUE(k.storage_bound_checks.empty());
    EXPECT_TRUE(trial.allocations.empty());
    EXPECT_TRUE(trial.host_loops.empty());

    ASSERT_TRUE(k.ptx.has_value());
    EXPECT_EQ(k.ptx->counts.barriers, 0);
    EXPECT_EQ(k.ptx->counts.shuffles, 2 * Sharpen::rows);  // a lane reads its own value and two others' a row
    EXPECT_EQ(k.ptx->counts.global.store_count(), Sharpen::rows);
    EXPECT_EQ(k.ptx->counts.local.load_count(), 0);
    EXPECT_EQ(assemble_kernels(trial, 90, 64), "");
    ASSERT_TRUE(k.resources.has_value());
    EXPECT_GT(k.resources->registers, 10);
    EXPECT_LE(k.resources->registers, 64);
    EXPECT_FALSE(k.resources->spills());
}

TEST(Trial, BlockTileUsesSharedMemory) {
    Sharpen p;
    p.out.compute_root().gpu_tile(p.x, p.y, p.xi, p.yi, 32, 8, TailStrategy::ShiftInwards);
    p.by.compute_at(p.out, p.x).gpu_threads(p.x, p.y);
    const Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 1u);
    const TrialKernel &k = trial.kernels[0];
    EXPECT_FALSE(k.lanes);
    EXPECT_EQ(k.threads[0].value(), 36);  // the blurred tile is wider than the output's
    EXPECT_EQ(k.threads[1].value(), 8);
    EXPECT_EQ(places(k), (std::vector<Place>{Place::shared}));
    EXPECT_EQ(k.allocations[0].funcs, (std::vector<std::string>{p.by.name()}));
    EXPECT_EQ(k.allocations[0].bytes.value(), 4 * 36 * 8);
    EXPECT_EQ(k.shared_bytes.value(), 4 * 36 * 8);
    EXPECT_EQ(k.ptx->counts.barriers, 1);
    EXPECT_GT(k.ptx->counts.shared.load_count(), 0);
}

TEST(Trial, GuardedSizesHaveBounds) {
    Sharpen p;
    p.out.compute_root().gpu_tile(p.x, p.y, p.xi, p.yi, 32, 8, TailStrategy::GuardWithIf);
    p.by.compute_at(p.out, p.x).gpu_threads(p.x, p.y);
    const Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 1u);
    const TrialKernel &k = trial.kernels[0];
    // The tile shrinks at small sizes, so nothing is constant, but it cannot grow.
    EXPECT_FALSE(k.shared_bytes.value().has_value());
    ASSERT_TRUE(k.shared_bytes.at_most.has_value()) << k.shared_bytes.text;
    EXPECT_EQ(*k.shared_bytes.at_most, 4 * 36 * 8);
    ASSERT_TRUE(k.most_threads().has_value()) << k.threads[0].text;
    EXPECT_EQ(*k.most_threads(), 36 * 8);
}

TEST(Trial, GuardedSizesOfAStagedInputHaveBounds) {
    Sharpen p;
    p.out.compute_root();
    p.tile_for_warps(p.out, TailStrategy::GuardWithIf);
    p.member_in_lanes(32, Sharpen::rows);
    Func tile = p.source.in();
    Var tx = tile.args()[0], ty = tile.args()[1], ti("ti");
    tile.compute_at(p.out, p.xo)
        .split(tx, tx, p.lane, 32, TailStrategy::GuardWithIf)
        .split(ty, ty, ti, Sharpen::rows, TailStrategy::GuardWithIf)
        .reorder(ti, tx, p.lane, ty)
        .unroll(ti)
        .unroll(tx)
        .gpu_threads(p.lane, ty);
    const Trial trial = p.lower(seen(false, false));
    const TrialKernel &k = trial.kernels.at(0);
    EXPECT_EQ(places(k), (std::vector<Place>{Place::shared, Place::thread}));
    EXPECT_EQ(k.allocations[0].funcs, (std::vector<std::string>{tile.name()}));
    EXPECT_EQ(k.shared_bytes.at_most, 4 * 32 * (Sharpen::height + 4)) << k.shared_bytes.text;
    EXPECT_EQ(k.most_threads(), 32 * 5);
}

TEST(Trial, EachSideOfASpecializationIsAKernel) {
    Sharpen p;
    p.out.compute_root();
    const Expr large = p.out.output_buffer().width() >= 28 && p.out.output_buffer().height() >= 16;
    p.tile_for_warps(p.out.specialize(large), TailStrategy::ShiftInwards);
    p.tile_for_warps(p.out, TailStrategy::GuardWithIf);
    p.member_in_lanes(32, Sharpen::rows);
    const Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 2u);
    const std::string condition = "(28 <= " + p.out.name() + ".extent.0) && (16 <= " + p.out.name() + ".extent.1)";
    EXPECT_EQ(trial.kernels[0].condition, condition);
    EXPECT_EQ(trial.kernels[1].condition, "!(" + condition + ")");
    for (const TrialKernel &k : trial.kernels) {
        EXPECT_EQ(places(k), (std::vector<Place>{Place::thread}));
        EXPECT_TRUE(k.storage_bound_checks.empty());
        EXPECT_EQ(k.ptx->counts.shuffles, 2 * Sharpen::rows);
    }
    EXPECT_LT(trial.kernels[0].ptx->counts.branches, trial.kernels[1].ptx->counts.branches);
    EXPECT_NE(trial.kernels[0].ptx->name, trial.kernels[1].ptx->name);
}

TEST(Trial, LaneMemberWithoutABoundIsSeenInGlobalMemory) {
    for (const auto &[bound_x, bound_y] : {std::pair(0, Sharpen::rows), std::pair(32, 0)}) {
        Sharpen p;
        p.out.compute_root();
        p.tile_for_warps(p.out, TailStrategy::GuardWithIf);
        p.member_in_lanes(bound_x, bound_y);
        const Trial trial = p.lower();
        ASSERT_EQ(trial.kernels.size(), 1u);
        const TrialKernel &k = trial.kernels[0];
        ASSERT_EQ(places(k), (std::vector<Place>{Place::scratch})) << bound_x << " " << bound_y;
        EXPECT_EQ(k.allocations[0].funcs, (std::vector<std::string>{p.by.name()}));
        EXPECT_EQ(k.ptx->counts.shuffles, 0);
    }
}

TEST(Trial, StorageBoundThatIsTooSmallIsSeen) {
    for (const auto &[bound_x, bound_y, dimension] :
         {std::tuple(31, Sharpen::rows, "x"), std::tuple(32, Sharpen::rows - 1, "y")}) {
        Sharpen p;
        p.out.compute_root();
        p.tile_for_warps(p.out, TailStrategy::GuardWithIf);
        p.member_in_lanes(bound_x, bound_y);
        const Trial trial = p.lower();
        ASSERT_EQ(trial.kernels.size(), 1u);
        ASSERT_EQ(trial.kernels[0].storage_bound_checks.size(), 1u);
        const StorageBoundCheck &check = trial.kernels[0].storage_bound_checks[0];
        EXPECT_EQ(check.func, p.by.name());
        EXPECT_EQ(check.dimension, dimension);
        EXPECT_EQ(check.bound.value(), dimension[0] == 'x' ? 31 : 3);
        EXPECT_EQ(check.required.at_most, dimension[0] == 'x' ? 32 : 4);
        EXPECT_FALSE(check.holds());
        EXPECT_EQ(trial.kernels[0].ptx->counts.traps, 1);
    }
}

TEST(Trial, StorageBoundThatNeverHoldsIsSeen) {
    Sharpen p;
    p.out.compute_root();
    p.tile_for_warps(p.out, TailStrategy::ShiftInwards);
    p.member_in_lanes(31, Sharpen::rows);
    testing::internal::CaptureStderr();  // Halide warns
    const Trial trial = p.lower();
    testing::internal::GetCapturedStderr();
    ASSERT_EQ(trial.kernels[0].storage_bound_checks.size(), 1u);
    EXPECT_TRUE(trial.kernels[0].storage_bound_checks[0].always_fails);
    EXPECT_FALSE(trial.kernels[0].storage_bound_checks[0].holds());
}

TEST(Trial, FuncsAtRootAreDeviceMemory) {
    Sharpen p;
    p.out.compute_root().gpu_tile(p.x, p.y, p.xi, p.yi, 32, 8, TailStrategy::GuardWithIf);
    p.by.compute_root().gpu_tile(p.x, p.y, p.xi, p.yi, 32, 8, TailStrategy::GuardWithIf);
    const Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 2u);
    EXPECT_EQ(trial.kernels[0].func, p.by.name());
    EXPECT_EQ(trial.kernels[1].func, p.out.name());
    EXPECT_NE(trial.kernels[0].ptx->name.find("_by_"), std::string::npos);
    EXPECT_NE(trial.kernels[1].ptx->name.find("_out_"), std::string::npos);
    ASSERT_EQ(trial.allocations.size(), 1u);
    EXPECT_EQ(trial.allocations[0].place, Place::device);
    EXPECT_EQ(trial.allocations[0].funcs, (std::vector<std::string>{p.by.name()}));
    EXPECT_TRUE(trial.host_loops.empty());
}

TEST(Trial, StagesLeftOnTheHostAreSeen) {
    Sharpen p;
    p.out.compute_root().gpu_tile(p.x, p.y, p.xi, p.yi, 32, 8, TailStrategy::GuardWithIf);
    p.by.compute_root();
    const Trial trial = p.lower();
    ASSERT_EQ(trial.kernels.size(), 1u);
    ASSERT_EQ(trial.allocations.size(), 1u);
    EXPECT_EQ(trial.allocations[0].place, Place::host_and_device);
    ASSERT_FALSE(trial.host_loops.empty());
    for (const HostLoop &loop : trial.host_loops) {
        EXPECT_EQ(loop.func, p.by.name());
        EXPECT_FALSE(loop.launches_kernels);
    }
}

TEST(Trial, LoopsThatLaunchAreSeen) {
    Sharpen p;
    p.out.compute_root().split(p.y, p.yo, p.yi, 64).gpu_tile(p.x, p.yi, p.xo, p.xi, 32, 8, TailStrategy::GuardWithIf);
    const Trial trial = p.lower(seen(false, false));
    ASSERT_FALSE(trial.host_loops.empty());
    for (const HostLoop &loop : trial.host_loops) {
        EXPECT_EQ(loop.func, p.out.name());
        EXPECT_EQ(loop.kind, "for");
        EXPECT_TRUE(loop.launches_kernels);
    }
}

TEST(Trial, EachUpdateIsAKernel) {
    Var x("x");
    RDom r(0, 8);
    Func f("sums");
    f(x) = 0;
    f(x) += x * r;
    Var xi("xi");
    f.gpu_tile(x, xi, 64, TailStrategy::GuardWithIf).update().gpu_tile(x, xi, 64, TailStrategy::GuardWithIf);
    const Trial trial = lower(Pipeline(f), cuda);
    ASSERT_EQ(trial.kernels.size(), 2u);
    EXPECT_EQ(trial.kernels[0].stage, 0);
    EXPECT_EQ(trial.kernels[1].stage, 1);
    EXPECT_EQ(trial.kernels[0].func, f.name());
    EXPECT_EQ(trial.kernels[1].func, f.name());
}

TEST(Trial, SharedStorageNamesAllItsFuncs) {
    // Three tiles in shared memory; the first and the last are never needed at once.
    Var x("x"), xi("xi");
    Func a("a"), b("b"), c("c"), out("out");
    a(x) = x * 3;
    b(x) = a(x - 1) + a(x + 1);
    c(x) = b(x - 1) + b(x + 1);
    out(x) = c(x - 1) + c(x + 1);
    out.gpu_tile(x, xi, 64, TailStrategy::ShiftInwards);
    for (Func f : {a, b, c})
        f.compute_at(out, x).gpu_threads(x);
    const Trial trial = lower(Pipeline(out), cuda);
    const TrialKernel &k = trial.kernels.at(0);
    EXPECT_EQ(k.funcs, (std::vector<std::string>{out.name(), a.name(), b.name(), c.name()}));
    std::set<std::string> stored;
    for (const TrialAllocation &alloc : k.allocations) {
        EXPECT_EQ(alloc.place, Place::shared);
        stored.insert(alloc.funcs.begin(), alloc.funcs.end());
    }
    EXPECT_EQ(stored, (std::set<std::string>{a.name(), b.name(), c.name()}));
    EXPECT_EQ(k.shared_bytes.value(), 4 * (70 + 68));  // c lies where a was
}

TEST(Trial, BrokenLimitsAreSeen) {
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func f("f"), g("g");
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(x + 1, y + 1);
    g.gpu_tile(x, y, xi, yi, 64, 32, TailStrategy::ShiftInwards).bound(y, 0, 32 * 100000);
    f.compute_at(g, x).split(x, x, xi, 8).gpu_threads(x, y);
    f.store_in(MemoryType::GPUShared).align_storage(x, 1024);
    const Trial trial = lower(Pipeline(g), cuda, seen(false, false));
    const TrialKernel &k = trial.kernels.at(0);
    EXPECT_EQ(k.most_threads(), 64 * 33);
    EXPECT_EQ(k.shared_bytes.value(), 4 * 1024 * 33);
    EXPECT_EQ(k.blocks[1].value(), 100000);
}

TEST(Trial, RefusedScheduleIsAnError) {
    Sharpen p;
    p.out.compute_root().split(p.x, p.xo, p.xi, 64).gpu_blocks(p.xo, p.y).gpu_lanes(p.xi);  // 64 lanes
    const ChildResult r = run_in_child([&] { return to_json_text(p.lower()); }, 60);
    EXPECT_EQ(r.end, ChildResult::End::failed);
    EXPECT_NE(r.message.find("lanes"), std::string::npos) << r.message;
}

TEST(Trial, CrossesThePipeWhole) {
    Sharpen p;
    p.out.compute_root();
    p.tile_for_warps(p.out, TailStrategy::GuardWithIf);
    p.member_in_lanes(31, 0);  // a check and scratch memory
    const auto work = [&] {
        Trial trial = p.lower(seen(true, true));
        trial.storage_bound_checks = trial.kernels[0].storage_bound_checks;
        assemble_kernels(trial, 90, 64);
        return to_json_text(trial);
    };
    const ChildResult r = run_in_child(work, 60);
    ASSERT_TRUE(r.ok()) << r.message;
    const Trial trial = trial_from_json_text(r.bytes);
    EXPECT_EQ(to_json_text(trial), r.bytes);
    EXPECT_EQ(trial.kernels.at(0).func, p.out.name());
    EXPECT_TRUE(trial.kernels[0].resources.has_value());
    EXPECT_NE(trial.lowered_text.find("produce by"), std::string::npos);
    EXPECT_NE(trial.ptx.find(".visible .entry"), std::string::npos);
    const std::string text = describe(trial);
    EXPECT_NE(text.find("scratch: by"), std::string::npos) << text;
    EXPECT_THROW(trial_from_json_text("{}"), std::exception);
}

TEST(Trial, WithoutDeviceCodeTheSameIsSeen) {
    Sharpen p;
    p.out.compute_root();
    p.tile_for_warps(p.out, TailStrategy::ShiftInwards);
    p.member_in_lanes(0, 0);
    // Each in a child, since Halide's counters of unique names go on.
    const auto text = [&](bool device_code) {
        const auto work = [&] { return p.lower(seen(device_code, true)).lowered_text; };
        return run_in_child(work, 60).bytes;
    };
    EXPECT_EQ(text(true), text(false));
    EXPECT_EQ(text(true), text(true));
    Trial trial = p.lower(seen(false, false));
    EXPECT_EQ(trial.ptx, "");
    EXPECT_NE(assemble_kernels(trial, 90, 64), "");
    EXPECT_EQ(trial.codegen_seconds, 0);
    EXPECT_FALSE(trial.kernels.at(0).ptx.has_value());
    EXPECT_EQ(places(trial.kernels[0]), (std::vector<Place>{Place::thread}));
}
