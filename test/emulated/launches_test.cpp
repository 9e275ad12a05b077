// Grids of more blocks than a card has room for in y and z: run on the emulated card, which refuses such launches.

#include <gtest/gtest.h>

#include "test/support/emulated_card.h"
#include "test/support/found_plan.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

constexpr int kTooMany = 65536 + 3;

std::vector<Var> vars(int dims) {
    static const std::vector<const char *> names = {"x", "y", "z", "w", "v"};
    return {names.begin(), names.begin() + dims};
}

/// The point and its neighbour along every dimension, of a clamped input.
struct Neighbours {
    Built built;
    Func base, out;
};

Neighbours neighbours(int dims, bool updated) {
    ImageParam in(Halide::UInt(8), dims, "in");
    const std::vector<Var> at = vars(dims);
    Func base("base"), out("out");
    const Func edge = Halide::BoundaryConditions::repeat_edge(in);
    base(at) = edge(at) + Halide::cast<uint8_t>(1);
    Expr sum = base(at);
    for (int d = 0; d < dims; d++) {
        std::vector<Expr> next(at.begin(), at.end());
        next[static_cast<size_t>(d)] += 1;
        sum += base(next);
    }
    out(at) = sum;
    if (updated) {
        out(at) = out(at) * Halide::cast<uint8_t>(3) + edge(at);
    }
    for (int d = 0; d < dims; d++) {
        in.dim(d).set_estimate(0, 8);
        out.set_estimate(at[static_cast<size_t>(d)], 0, 8);
    }
    return {{{out}, {in}}, base, out};
}

/// Dimensions, which of them is the long one, and where `base` lives.
struct Case {
    int dims, along;
    const char *base;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.base << " in " << c.dims << " dimensions"; }

class Launches : public testing::TestWithParam<Case> {
protected:
    static std::vector<int> size() {
        std::vector<int> size(static_cast<size_t>(GetParam().dims), 1);
        size[0] = 2;
        size[static_cast<size_t>(GetParam().along)] = kTooMany;
        return size;
    }

    static std::vector<Halide::Buffer<>> inputs() {
        std::vector<int> extents(static_cast<size_t>(GetParam().dims), 3);
        return {numbers<uint8_t>(extents)};
    }
};

TEST_P(Launches, HaveRoomForTheirBlocks) {
    const Case &c = GetParam();
    const bool updated = c.base == std::string("update");
    const Neighbours reference = neighbours(c.dims, updated), planned = neighbours(c.dims, updated);
    Plan plan = empty_plan(planned.built.outputs);
    const FuncRef base = ref(plan, "base"), out = ref(plan, "out");
    plan.groups = {kernel_of(out, {{0, 1, 8}})};
    if (c.base == std::string("thread")) {
        std::vector<int64_t> storage(static_cast<size_t>(c.dims), 2);
        plan.groups[0].members = {member(base, Placement::Thread, out, {}, storage)};
    } else if (c.base == std::string("block")) {
        std::vector<int64_t> storage(static_cast<size_t>(c.dims), 2);
        storage[0] = 9;
        plan.groups[0].members = {member(base, Placement::Block, out, {{0, 1, 8}}, storage)};
    }
    if (updated) {
        KernelTile tile;
        tile.axes = {{0, 1, 8}};
        plan.groups[0].updates = {tile};
    }
    expect_card_agrees<uint8_t>(reference.built, planned.built, plan, {{inputs(), size()}});
}

INSTANTIATE_TEST_SUITE_P(Emulated, Launches,
                         testing::Values(Case{1, 0, "inline"}, Case{2, 1, "inline"}, Case{2, 1, "thread"},
                                         Case{2, 1, "block"}, Case{2, 1, "update"}, Case{3, 1, "block"},
                                         Case{3, 2, "inline"}, Case{3, 2, "block"}, Case{3, 2, "update"},
                                         Case{4, 2, "thread"}, Case{4, 3, "block"}, Case{4, 3, "update"},
                                         Case{5, 4, "inline"}, Case{5, 3, "update"}),
                         [](const auto &info) {
                             return info.param.base + std::to_string(info.param.dims) + "_along" +
                                    std::to_string(info.param.along);
                         });

/// Sums of few values at many places, estimated at few places.
Built sums() {
    ImageParam in(Halide::UInt(8), 3, "in");
    Var x("x"), y("y"), z("z");
    Func sum("sum"), out("out");
    const RDom r(0, 12);
    const Func edge = Halide::BoundaryConditions::repeat_edge(in);
    sum(y, z) = Halide::cast<uint8_t>(0);
    sum(y, z) += edge(r, y, z);
    out(x, y, z) = edge(x, y, z) - sum(y, z);
    in.set_estimates({{0, 64}, {0, 64}, {0, 8}});
    out.set_estimates({{0, 64}, {0, 64}, {0, 8}});
    return {{out}, {in}};
}

TEST(LaunchesOfPlans, OfWhatTheSearchFindsHaveRoomForTheirBlocks) {
    const Plan plan = found_plan(neighbours(3, false).built);
    expect_card_agrees<uint8_t>(neighbours(3, false).built, neighbours(3, false).built, plan,
                                {{{numbers<uint8_t>({3, 3, 3})}, {1, 1, kTooMany}}});
}

TEST(LaunchesOfPlans, OfThePlainPlanHaveRoomForTheirBlocks) {
    const Built planned = sums();
    expect_card_agrees<uint8_t>(sums(), planned, plain_plan(planned.outputs),
                                {{{numbers<uint8_t>({64, 3, 3})}, {1, 1, kTooMany}}});
}

TEST(LaunchesOfPlans, OfPartialResultsHaveRoomForTheirBlocks) {
    const Built planned = sums();
    Plan plan = empty_plan(planned.outputs);
    const FuncRef sum = ref(plan, "sum"), out = ref(plan, "out");
    plan.derived = {partial_of(sum, 4)};
    Group parts = kernel_of(plan.funcs, {{2, 1, 4}});
    Group total = kernel_of(sum, {{0, 1, 4}});
    plan.groups = {parts, total, kernel_of(out, {{0, 1, 4}})};
    expect_card_agrees<uint8_t>(sums(), planned, plan, {{{numbers<uint8_t>({64, 3, 3})}, {1, 1, kTooMany}}});
}

TEST(LaunchesOfPlans, AreRefusedByTheCardWhereTheyAreTooHigh) {
    Func f("f");
    Var x("x"), y("y");
    f(x, y) = Halide::cast<uint8_t>(x + y);
    f.gpu_blocks(x, y);
    EXPECT_THROW(f.realize({1, kTooMany}, card()), Halide::RuntimeError);
}

}  // namespace
}  // namespace warptile
