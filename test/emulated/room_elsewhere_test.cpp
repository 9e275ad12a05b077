// What a block keeps in shared memory, of a size that is known at run time only: run on the emulated card, which
// refuses to launch more than 48 KB.

#include <gtest/gtest.h>

#include "schedule/passes/room_elsewhere.h"
#include "schedule/plan_json.h"
#include "test/support/emulated_card.h"
#include "test/support/found_plan.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

/// How often each value occurs in a cell of 4 x 4 pixels, and how often the value below it, times a weight; as many
/// values as there are weights. `Count` is what counts.
template<typename Count>
Built cells() {
    ImageParam in(Halide::UInt(16), 2, "in"), weight(Halide::Int(32), 1, "weight");
    Var x("x"), y("y"), v("v");
    Func counts("counts"), first("first"), out("out");
    const Expr values = weight.dim(0).extent();
    const RDom r(0, 4, 0, 4);
    counts(x, y, v) = Halide::cast<Count>(0);
    const Expr value = Halide::clamp(Halide::cast<int>(in(4 * x + r.x, 4 * y + r.y)), 0, values - 1);
    counts(x, y, value) += Halide::cast<Count>(1);
    first(x, y) = Halide::cast<uint8_t>(in(4 * x, 4 * y));
    const Expr below = Halide::cast<int>(counts(x, y, Halide::max(v - 1, 0)));
    out(x, y, v) = Halide::cast<int>(counts(x, y, v)) + below * weight(v) + first(x, y) + first(x + 1, y);
    weight.dim(0).set_min(0);
    in.set_estimates({{0, 1024}, {0, 1024}});
    weight.set_estimates({{0, 12}});
    out.set_estimates({{0, 255}, {0, 256}, {0, 12}});
    return {{out}, {in, weight}};
}

/// Both Funcs in shared memory.
Plan shared_plan(const Built &b) {
    Plan plan = empty_plan(b.outputs);
    const FuncRef out = ref(plan, "out"), counts = ref(plan, "counts"), first = ref(plan, "first");
    Group group = kernel_of(out, {{0, 1, 8}, {1, 1, 4}, {2, 12, 1}});
    group.members = {member(counts, Placement::Block, out, {{0, 1, 8}, {1, 1, 4}}, {8, 4, 0}),
                     member(first, Placement::Block, out, {{0, 1, 8}, {1, 1, 4}}, {12, 4})};
    plan.groups = {group};
    return plan;
}

template<typename Count>
void expect_agrees(const Plan &plan, const std::vector<int> &numbers_of_values,
                   const std::vector<int> &cells_of_image) {
    std::vector<Call> calls;
    for (const int values : numbers_of_values) {
        const int width = cells_of_image[0], height = cells_of_image[1];
        calls.push_back({{numbers<uint16_t>({4 * width + 4, 4 * height}, 0, values - 1), numbers({values})},
                         {width, height, values}});
    }
    expect_card_agrees<int>(cells<Count>(), cells<Count>(), plan, calls);
}

// 32 cells of 300 values are 38,400 bytes, of 500 values 64,000.
TEST(RoomElsewhere, IsTakenWhereSharedMemoryHasNone) {
    expect_agrees<int32_t>(shared_plan(cells<int32_t>()), {1, 12, 300, 500}, {11, 5});
}

TEST(RoomElsewhere, HoldsWiderElementsThanTheOthers) {
    expect_agrees<uint64_t>(shared_plan(cells<uint64_t>()), {12, 500}, {11, 5});
}

/// What each channel is at nine pixels, and its sums with weights: as many channels as the image has.
Built sums_of_channels() {
    ImageParam in(Halide::UInt(8), 3, "in"), weight(Halide::UInt(8), 2, "weight");
    Var c("c"), x("x"), y("y"), k("k");
    Func wide("wide"), sums("sums"), out("out");
    Expr nine = Halide::cast<uint16_t>(0);
    for (int i = 0; i < 9; i++) {
        nine += Halide::cast<uint16_t>(in(k, x + i % 3, y + i / 3));
    }
    wide(k, x, y) = nine;
    const RDom r(0, weight.dim(1).extent());
    sums(c, x, y) = 0;
    sums(c, x, y) += Halide::cast<int>(weight(c, r)) * wide(r, x, y);
    out(c, x, y) = sums(c, x, y) / 2;
    weight.dim(1).set_min(0);
    in.set_estimates({{0, 32}, {0, 130}, {0, 130}});
    weight.set_estimates({{0, 16}, {0, 32}});
    out.set_estimates({{0, 16}, {0, 128}, {0, 128}});
    return {{out}, {in, weight}};
}

TEST(RoomElsewhere, HoldsRowsOfAnyLength) {
    const Built planned = sums_of_channels();
    Plan plan = empty_plan(planned.outputs);
    const FuncRef out = ref(plan, "out"), sums = ref(plan, "sums"), wide = ref(plan, "wide");
    Group group = kernel_of(out, {{0, 1, 8}, {1, 1, 4}, {2, 4, 1}});
    Member rows = member(wide, Placement::Block, out, {{0, 1, 8}, {1, 1, 4}}, {0, 4, 4});
    rows.row_multiple = 36;
    rows.unroll = false;
    group.members = {member(sums, Placement::Thread, out, {}, {1, 1, 4}), rows};
    plan.groups = {group};
    std::vector<Call> calls;
    for (const int channels : {1, 32, 37, 1600}) {
        calls.push_back({{numbers<uint8_t>({channels, 15, 8}), numbers<uint8_t>({11, channels})}, {11, 13, 6}});
    }
    expect_card_agrees<int>(sums_of_channels(), sums_of_channels(), plan, calls);
}

TEST(RoomElsewhere, IsThereForWhatTheSearchFinds) {
    const Plan plan = found_plan(cells<int32_t>());
    const FuncRef counts = ref(plan, "counts");
    bool shared = false;
    for (const Group &g : plan.groups) {
        for (const Member &m : g.members) {
            shared = shared || (m.func == counts && m.placement == Placement::Block);
        }
    }
    EXPECT_TRUE(shared) << to_json(plan);
    expect_agrees<int32_t>(plan, {12, 700}, {11, 5});
}

TEST(RoomElsewhere, IsNotLookedForWhereSizesAreConstant) {
    using namespace Halide::Internal;
    const Stmt body =
        Allocate::make("a", Halide::Int(32), Halide::MemoryType::GPUShared, {64}, const_true(), Evaluate::make(0));
    const Stmt kernel =
        For::make("f.s0.x.block_id_x", 0, 8, ForType::GPUBlock, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
    EXPECT_TRUE(room_elsewhere(kernel).same_as(kernel));
}

}  // namespace
}  // namespace warptile
