// The loop of the host over the launches of a kernel takes one turn at ordinary sizes. Halide's lowering would cut it
// into a beginning, a middle and an end where a guard or a boundary condition tests something, and each of these, with
// every kernel in it, along the next dimension again: a minute, and minutes, for stencils of three dimensions.

#include <gtest/gtest.h>

#include "schedule/print.h"
#include "test/support/lowered.h"
#include "test/support/words.h"
#include "verify/child.h"

namespace warptile {
namespace {

using namespace Halide;

/// Seconds. Whole, the loops take half a second; cut into parts, around the constant a minute.
constexpr double kSoon = 15;

struct Blurred {
    Built built;
    Plan plan;
};

/// A stencil along x over one along y over one of the input; what is beyond that is a constant, or its mirror image.
Blurred blurred(bool mirrored, Tail tail) {
    const Var x("x"), y("y"), z("z");
    ImageParam in(Int(8), 3, "in");
    const Func edge = mirrored ? BoundaryConditions::mirror_interior(in)
                               : BoundaryConditions::constant_exterior(in, Internal::make_const(Int(8), 1));
    Func down("down"), across("across");
    const auto row = [&](int dy) { return cast<float>(edge(x, y + dy, z)); };
    const auto pair = [&](int dy) {
        return cast<float>(cast<uint32_t>(clamp(cast<int>(abs(row(dy - 1) + row(dy))), 0, 120)));
    };
    down(x, y, z) = pair(-1) - pair(0) + pair(1) + pair(2);
    across(x, y, z) = down(x, y, z) + down(x + 1, y, z) + down(x + 2, y, z) + down(x + 3, y, z);
    in.set_estimates({{0, 21}, {0, 22}, {0, 5}});
    across.set_estimates({{0, 23}, {0, 12}, {0, 2}});
    Plan plan = empty_plan({across});
    Group first = kernel_of(ref(plan, "down"), {{0, 60, 8}, {1, 4, 1}, {2, 1, 1}});
    first.tile.lane_axis = 0;
    first.tile.layout = LaneLayout::Adjacent;
    first.tile.adjacent = 2;
    first.tail = Tail::RoundUp;
    Group last = kernel_of(ref(plan, "across"), {{0, 7, 8}});
    last.tile.lane_axis = 0;
    last.tail = tail;
    plan.groups = {first, last};
    return {{{across}, {in}}, plan};
}

void expect_soon_lowered(bool mirrored, Tail tail) {
    const ChildResult r = run_in_child(
        [&] {
            const Blurred b = blurred(mirrored, tail);
            return std::to_string(count(lowered(b.built, b.plan), ".visible .entry"));
        },
        kSoon);
    EXPECT_TRUE(r.ok()) << r.message;
    EXPECT_EQ(r.bytes, "2");
}

TEST(LaunchLoops, StayWholeAroundAGuardAndAConstantExterior) { expect_soon_lowered(false, Tail::Guard); }

TEST(LaunchLoops, StayWholeAroundAGuardAndAMirrorImage) { expect_soon_lowered(true, Tail::Guard); }

TEST(LaunchLoops, SayInTheTextThatTheyStayWhole) {
    const Blurred b = blurred(false, Tail::Guard);
    const std::string calls = print(make_directives(b.plan, b.built.outputs));
    expect_words(calls, {"TailStrategy::ShiftInwards).never_partition(y_block_launch)"});
    EXPECT_EQ(count(calls, ".never_partition("), 4U);  // along y and z of both kernels
}

}  // namespace
}  // namespace warptile
