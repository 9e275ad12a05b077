// Points of a thread that read places in common take them from a copy in the thread's registers, loaded once.

#include <gtest/gtest.h>

#include "test/support/found_plan.h"
#include "verify/trial.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

constexpr int kSide = 5;

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

/// Three such sums, each too much to be computed anew for every point of the next. Unless `planned`, they are
/// scheduled.
Built squares(bool planned) {
    ImageParam in(Halide::UInt(16), 2, "in");
    in.set_estimates({{0, 1536}, {0, 2560}});
    Func first = square(Halide::BoundaryConditions::repeat_edge(in), "first");
    Func second = square(first, "second"), out = square(second, "out");
    out.set_estimates({{0, 1536}, {0, 2560}});
    if (!planned) {
        first.compute_root();
        second.compute_root();
    }
    return {{out}, {in}};
}

TEST(OwnCopies, LoadAWindowOnce) {
    const Built built = squares(true);
    apply_directives(make_directives(found_plan(built), built.outputs), built.outputs);
    LowerOptions options;
    options.device_code = true;
    const Trial trial = lower(Halide::Pipeline(built.outputs), cuda_80(), options);
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
    const Built built = squares(true);
    apply_directives(make_directives(found_plan(built), built.outputs), built.outputs, ApplyTo::HostMirror);
    OnHost unscheduled(squares(false)), planned(built);
    const Halide::Buffer<> values = numbers<uint16_t>({77, 61}, 0, 1008);
    for (const Call &call : {Call{{values}, {300, 70}}, {{values}, {33, 17}}, {{values}, {1, 1}}}) {
        expect_same_values<uint16_t>(unscheduled(call), planned(call));
    }
}

}  // namespace
}  // namespace warptile
