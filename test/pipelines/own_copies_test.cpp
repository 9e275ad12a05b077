// Points of a thread that read places in common take them from a copy in the thread's registers, loaded once.

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/analysis.h"
#include "schedule/apply.h"
#include "schedule/directives.h"
#include "verify/trial.h"

namespace warptile {
namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

constexpr int kSide = 5;
const Halide::Target cuda("x86-64-linux-cuda-cuda_capability_80");

/// The sum over a square of `from` around a point, each of its values with a weight of its own.
Func square(const Func &from, const std::string &name) {
    Var x("x"), y("y");
    Expr sum = Halide::cast<uint16_t>(0);
    for (int j = 0; j < kSide; j++) {
        for (int i = 0; i < kSide; i++) {
            sum += from(x + i - 2, y + j - 2) * Halide::cast<uint16_t>((i + 1) * (j + 1));
        }
    }
    Func result(name);
    result(x, y) = sum;
    return result;
}

/// Three such sums, each too much to be computed anew for every point of the next. Unless `planned`, they are scheduled.
Func squares_of_squares(const ImageParam &in, bool planned) {
    ImageParam(in).set_estimates({{0, 1536}, {0, 2560}});
    Func first = square(Halide::BoundaryConditions::repeat_edge(in), "first");
    Func second = square(first, "second"), out = square(second, "out");
    out.set_estimates({{0, 1536}, {0, 2560}});
    if (!planned) {
        first.compute_root();
        second.compute_root();
    }
    return out;
}

Analysis analysis_of(const Func &out) {
    return analyse({out}, cuda, choose_machine("h100", "", 80), Parameters(), Debug());
}

TEST(OwnCopies, LoadAWindowOnce) {
    const ImageParam in(Halide::UInt(16), 2, "in");
    const Func out = squares_of_squares(in, true);
    apply_directives(make_directives(analysis_of(out).plan, {out}), {out});
    LowerOptions options;
    options.device_code = true;
    const Trial trial = lower(Halide::Pipeline(out), cuda, options);
    int found = 0;
    for (const TrialKernel &kernel : trial.kernels) {
        if (kernel.func.rfind("second", 0) == 0) {
            found++;
            ASSERT_TRUE(kernel.ptx.has_value());
            // Of 25 a point on its own; of 60 for the window of a column of 8 points.
            EXPECT_LE(kernel.ptx->counts.global.load_count(), 12 * kernel.ptx->counts.global.store_count());
        }
    }
    EXPECT_EQ(found, 1);
}

TEST(OwnCopies, HostMirrorAgrees) {
    const ImageParam in(Halide::UInt(16), 2, "in");
    const Func plain = squares_of_squares(in, false), planned = squares_of_squares(in, true);
    apply_directives(make_directives(analysis_of(planned).plan, {planned}), {planned}, ApplyTo::HostMirror);
    Buffer<uint16_t> values(77, 61);
    int n = 0;
    values.for_each_value([&](uint16_t &v) { v = static_cast<uint16_t>(n = (n * 31 + 17) % 1009); });
    ImageParam(in).set(values);
    for (const auto &[width, height] : {std::pair<int, int>{300, 70}, {33, 17}, {1, 1}}) {
        const Buffer<uint16_t> expected = Func(plain).realize({width, height});
        const Buffer<uint16_t> found = Func(planned).realize({width, height});
        int wrong = 0;
        expected.for_each_element([&](int x, int y) { wrong += expected(x, y) != found(x, y) ? 1 : 0; });
        EXPECT_EQ(wrong, 0) << width << " x " << height;
    }
}

}  // namespace
}  // namespace warptile
