// Histograms in several parts, as the autoscheduler schedules them: right at sizes with fewer rows than parts as well.

#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/analysis.h"
#include "schedule/apply.h"
#include "schedule/directives.h"
#include "schedule/print.h"

namespace warptile {
namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

const Halide::Target kCuda("x86-64-linux-cuda-cuda_capability_80");

struct Built {
    Func out;
    ImageParam in;
};

/// How often each value occurs in an image of any size.
Built of_an_image() {
    Var i("i");
    ImageParam in(Halide::UInt(8), 2, "in");
    const RDom r(in.dim(0).min(), in.width(), in.dim(1).min(), in.height(), "r");
    Func count("count"), out("out");
    count(i) = 3;
    count(Halide::cast<int>(in(r.x, r.y))) += 1;
    out(i) = count(i) * 2;
    in.set_estimates({{0, 1536}, {0, 2560}});
    out.set_estimates({{0, 256}});
    return {out, in};
}

/// Twice as often as each value occurs in a list of any length, the output itself.
Built of_a_list() {
    Var i("i");
    ImageParam in(Halide::UInt(8), 1, "in");
    const RDom r(0, in.width(), "r");
    Func out("out");
    out(i) = Halide::cast<uint32_t>(i);
    out(Halide::cast<int>(in(r) % 64)) += Halide::cast<uint32_t>(2);
    in.set_estimates({{0, 1 << 22}});
    out.set_estimates({{0, 64}});
    return {out, in};
}

Plan plan_of(const Func &out) {
    const Analysis analysis = analyse({out}, kCuda, choose_machine("h100", "", 80), Parameters(), Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(analysis.fallbacks, 0);
    return analysis.plan;
}

void agrees(const std::function<Built()> &build, const std::vector<int> &size, int cells, int parts) {
    Buffer<uint8_t> values(size);
    int n = 0;
    values.for_each_value([&](uint8_t &v) { v = static_cast<uint8_t>((n = (n * 5 + 3) % 1021) / 4); });
    Built plain = build(), planned = build();
    const Plan plan = plan_of(planned.out);
    ASSERT_EQ(plan.derived.size(), 1u);
    EXPECT_EQ(plan.derived[0].factor, parts);
    apply_directives(make_directives(plan, {planned.out}), {planned.out}, ApplyTo::HostMirror);
    plain.in.set(values);
    planned.in.set(values);
    const Buffer<> expected = plain.out.realize({cells}), found = planned.out.realize({cells});
    for (int i = 0; i < cells; i++) {
        const auto at = [&](const Buffer<> &b) { return static_cast<const int32_t *>(b.data())[i]; };
        ASSERT_EQ(at(expected), at(found)) << "cell " << i;
    }
}

// 256 cells are 8 lines: 32 parts of them are enough for 132 SMs.
TEST(Histogram, OfAnImage) {
    agrees(of_an_image, {300, 200}, 256, 32);
    agrees(of_an_image, {64, 32}, 256, 32);
    agrees(of_an_image, {70, 31}, 7, 32);
    agrees(of_an_image, {5, 3}, 256, 32);
    agrees(of_an_image, {1, 1}, 1, 32);
}

// 64 cells are 2 lines.
TEST(Histogram, OfAList) {
    agrees(of_a_list, {10000}, 64, 64);
    agrees(of_a_list, {64}, 64, 64);
    agrees(of_a_list, {63}, 64, 64);
    agrees(of_a_list, {1}, 64, 64);
}

TEST(Histogram, AddsToPartsByAtomicAdditionsAndUpInOnePiece) {
    const Built b = of_an_image();
    const std::string text = print(make_directives(plan_of(b.out), {b.out}));
    const auto has = [&](const std::string &part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(has("Func count_partial = count.update(0).rfactor(r_y_part, r_y_partial)")) << text;
    EXPECT_TRUE(has("count_partial.compute_root()")) << text;
    EXPECT_TRUE(has("count_partial.update(0).atomic()")) << text;
    EXPECT_FALSE(has("count.update(0).atomic()")) << text;
    EXPECT_TRUE(has("count_full = count.update(0).specialize(count_extent_0_1 >= 32)")) << text;
}

}  // namespace
}  // namespace warptile
