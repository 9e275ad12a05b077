// Sums of products, as the autoscheduler schedules them: several results a thread along several dimensions, and right
// at sizes that no tile divides.

#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/analysis.h"
#include "schedule/apply.h"
#include "schedule/directives.h"
#include "schedule/plan_json.h"
#include "schedule/print.h"

namespace warptile {
namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

/// Small whole numbers, whose sums are exact in any order.
void fill(Buffer<float> &buffer) {
    int n = 0;
    buffer.for_each_value([&](float &v) { v = static_cast<float>((n = (n * 5 + 3) % 17) - 8); });
}

struct Built {
    Func out;
    std::function<void(const std::vector<int> &)> set_inputs;  ///< for an output of such extents
};

/// A product of two matrices.
Built product() {
    Var x("x"), y("y");
    const ImageParam left(Halide::Float(32), 2, "left"), right(Halide::Float(32), 2, "right");
    const Halide::RDom k(0, left.width(), "k");
    Func product("product"), out("out");
    product(x, y) = 0.0f;
    product(x, y) += left(k, y) * right(x, k);
    out(x, y) = product(x, y);
    ImageParam(left).set_estimates({{0, 1024}, {0, 1024}});
    ImageParam(right).set_estimates({{0, 1024}, {0, 1024}});
    out.set_estimates({{0, 1024}, {0, 1024}});
    return {out, [=](const std::vector<int> &size) {
                Buffer<float> l(19, size[1]), r(size[0], 19);
                fill(l);
                fill(r);
                ImageParam(left).set(l);
                ImageParam(right).set(r);
            }};
}

/// A convolution of all channels with all channels.
Built convolution() {
    Var c("c"), x("x"), y("y");
    const ImageParam filter(Halide::Float(32), 4, "filter"), in(Halide::Float(32), 3, "in");
    const Halide::RDom r(0, in.dim(0).extent(), 0, 3, 0, 3, "r");
    Func sum("sum"), out("out");
    sum(c, x, y) = 1.0f;
    sum(c, x, y) += filter(c, r.y, r.z, r.x) * in(r.x, x + r.y, y + r.z);
    out(c, x, y) = Halide::max(sum(c, x, y), 0.0f);
    ImageParam(filter).set_estimates({{0, 64}, {0, 3}, {0, 3}, {0, 64}});
    ImageParam(in).set_estimates({{0, 64}, {0, 102}, {0, 82}});
    out.set_estimates({{0, 64}, {0, 100}, {0, 80}});
    return {out, [=](const std::vector<int> &size) {
                Buffer<float> f(size[0], 3, 3, 5), i(5, size[1] + 2, size[2] + 2);
                fill(f);
                fill(i);
                ImageParam(filter).set(f);
                ImageParam(in).set(i);
            }};
}

Plan plan_of(const Func &out) {
    const Halide::Target target("x86-64-linux-cuda-cuda_capability_80");
    const Machine machine = choose_machine("h100", "", 80);
    const Analysis analysis = analyse({out}, target, machine, Parameters(), Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(analysis.fallbacks, 0);
    return analysis.plan;
}

void agrees(const std::function<Built()> &build, const std::vector<int> &size) {
    const Built plain = build(), planned = build();
    const Plan plan = plan_of(planned.out);
    ASSERT_EQ(plan.groups.size(), 1u);
    int wide = 0;
    for (const AxisTile &axis : plan.groups[0].tile.axes) {
        wide += axis.width > 1 ? 1 : 0;
    }
    EXPECT_GE(wide, 2);
    apply_directives(make_directives(plan, {planned.out}), {planned.out}, ApplyTo::HostMirror);
    plain.set_inputs(size);
    planned.set_inputs(size);
    const Buffer<float> expected = Func(plain.out).realize(size), found = Func(planned.out).realize(size);
    int wrong = 0;
    expected.for_each_element([&](const int *at) { wrong += expected(at) != found(at) ? 1 : 0; });
    EXPECT_EQ(wrong, 0);
}

TEST(Contraction, AProductOfMatrices) {
    agrees(product, {130, 71});
    agrees(product, {256, 128});
    agrees(product, {3, 200});
}

/// Eight steps together where tiles are whole, in lanes that have every 32nd column; otherwise one after the other.
TEST(Contraction, StepsAreTakenTogetherInWholeTiles) {
    const Built built = product();
    const Plan plan = plan_of(built.out);
    ASSERT_EQ(plan.groups[0].members.size(), 1u);
    const Member &sums = plan.groups[0].members[0];
    EXPECT_EQ(sums.placement, Placement::Warp);
    EXPECT_EQ(plan.groups[0].tile.axes[0].width, 128);
    EXPECT_EQ(sums.steps.count, 8);
    EXPECT_TRUE(sums.steps.whole_tiles);
    const std::string text = print(make_directives(plan, {built.out}));
    EXPECT_NE(text.find("product_large = product.update(0).specialize(out.output_buffers()[0].dim(0).extent() >= 128"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("product_large.split(product_x, "), std::string::npos) << text;
    EXPECT_EQ(text.find("_step, 8"), text.rfind("_step, 8")) << text;
    EXPECT_EQ(text, print(make_directives(plan_from_json(to_json(plan)), {built.out})));
}

TEST(Contraction, AConvolution) {
    agrees(convolution, {130, 17, 11});
    agrees(convolution, {128, 20, 10});
    agrees(convolution, {1, 1, 1});
}

}  // namespace
}  // namespace warptile
