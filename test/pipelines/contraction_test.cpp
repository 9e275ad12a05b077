// Sums of products, as the autoscheduler schedules them: several results a thread along several dimensions, and right
// at sizes that no tile divides.

#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "test/support/found_plan.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

/// A product of two matrices.
Built product() {
    Var x("x"), y("y");
    ImageParam left(Halide::Float(32), 2, "left"), right(Halide::Float(32), 2, "right");
    const Halide::RDom k(0, left.width(), "k");
    Func product("product"), out("out");
    product(x, y) = 0.0f;
    product(x, y) += left(k, y) * right(x, k);
    out(x, y) = product(x, y);
    left.set_estimates({{0, 1024}, {0, 1024}});
    right.set_estimates({{0, 1024}, {0, 1024}});
    out.set_estimates({{0, 1024}, {0, 1024}});
    return {{out}, {left, right}};
}

/// A convolution of all channels with all channels.
Built convolution() {
    Var c("c"), x("x"), y("y");
    ImageParam filter(Halide::Float(32), 4, "filter"), in(Halide::Float(32), 3, "in");
    const Halide::RDom r(0, in.dim(0).extent(), 0, 3, 0, 3, "r");
    Func sum("sum"), out("out");
    sum(c, x, y) = 1.0f;
    sum(c, x, y) += filter(c, r.y, r.z, r.x) * in(r.x, x + r.y, y + r.z);
    out(c, x, y) = Halide::max(sum(c, x, y), 0.0f);
    filter.set_estimates({{0, 64}, {0, 3}, {0, 3}, {0, 64}});
    in.set_estimates({{0, 64}, {0, 102}, {0, 82}});
    out.set_estimates({{0, 64}, {0, 100}, {0, 80}});
    return {{out}, {filter, in}};
}

void agrees(const std::function<Built()> &build, const std::vector<Call> &calls) {
    const auto tiled = [](const Built &b) {
        const Plan plan = found_plan(b);
        EXPECT_EQ(plan.groups.size(), 1u);
        int wide = 0;
        for (const AxisTile &axis : plan.groups.at(0).tile.axes) {
            wide += axis.width > 1 ? 1 : 0;
        }
        EXPECT_GE(wide, 2);
        return plan;
    };
    expect_mirror_agrees<float>(build, tiled, calls);
}

Halide::Buffer<> numbered(const std::vector<int> &size) { return numbers<float>(size, -8, 8); }

Call product_of(int width, int height) { return {{numbered({19, height}), numbered({width, 19})}, {width, height}}; }

Call convolution_of(int channels, int width, int height) {
    return {{numbered({channels, 3, 3, 5}), numbered({5, width + 2, height + 2})}, {channels, width, height}};
}

TEST(Contraction, AProductOfMatrices) {
    agrees(product, {product_of(130, 71), product_of(256, 128), product_of(3, 200)});
}

/// Eight steps together where tiles are whole, in lanes that have every 32nd column; otherwise one after the other.
TEST(Contraction, StepsAreTakenTogetherInWholeTiles) {
    const Built built = product();
    const Plan plan = found_plan(built);
    ASSERT_EQ(plan.groups[0].members.size(), 1u);
    const Member &sums = plan.groups[0].members[0];
    EXPECT_EQ(sums.placement, Placement::Warp);
    EXPECT_EQ(plan.groups[0].tile.axes[0].width, 128);
    EXPECT_EQ(sums.steps.together(), 8);
    EXPECT_TRUE(sums.steps.whole_tiles);
    const std::string text = print(make_directives(plan, built.outputs));
    EXPECT_NE(text.find("product_large = product.update(0).specialize(out.output_buffers()[0].dim(0).extent() >= 128"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("product_large.split(product_x, "), std::string::npos) << text;
    EXPECT_EQ(text.find("_step, 8"), text.rfind("_step, 8")) << text;
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), built.outputs)));
}

/// The window of a convolution and two channels at once, whether or not there are as many: a box, of which two loops
/// are whole and one is cut.
Plan in_boxes(const Built &built) {
    Plan plan = empty_plan(built.outputs);
    const FuncRef out = ref(plan, "out");
    Group kernel = kernel_of(out, {{0, 1, 32}, {1, 2, 2}});
    kernel.tail = Tail::Guard;
    kernel.members = {member(ref(plan, "sum"), Placement::Thread, out, {}, {1, 2, 1})};
    kernel.members[0].steps.counts = {2, 3, 3};
    plan.groups = {kernel};
    return plan;
}

TEST(Contraction, ABoxOfStepsIsUnrolledInsideWhatIsLeft) {
    const std::string text = print(make_directives(in_boxes(convolution()), convolution().outputs));
    EXPECT_NE(text.find(".split(sum_r_x, r_x_turn, r_x_step, 2, TailStrategy::GuardWithIf)"), std::string::npos)
        << text;
    EXPECT_NE(text.find(".reorder(sum_c, sum_x, sum_y, r_x_step, sum_r_y, sum_r_z, r_x_turn)"), std::string::npos)
        << text;
    EXPECT_NE(text.find(".unroll(r_x_step).unroll(sum_r_y)"), std::string::npos) << text;
    EXPECT_NE(text.find(".unroll(sum_r_z)"), std::string::npos) << text;
    expect_mirror_agrees<float>(convolution, in_boxes, {convolution_of(40, 9, 7), convolution_of(1, 1, 1)});
}

TEST(Contraction, AConvolution) {
    agrees(convolution, {convolution_of(130, 17, 11), convolution_of(128, 20, 10), convolution_of(1, 1, 1)});
}

}  // namespace
}  // namespace warptile
