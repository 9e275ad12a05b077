// A `where` by which an update reads no further in an input than there is, whatever is asked for: it keeps doing so.

#include <gtest/gtest.h>

#include "dag/halide/user_name.h"
#include "schedule/rules/check_plan.h"
#include "test/support/found_plan.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

const Var x("x"), y("y");

struct Case {
    const char *name;
    bool bounds;
    Func (*define)(const ImageParam &in);
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"a_triangle", true,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, 200, "r");
             r.where(r <= x);
             sum(x) += Halide::cast<float>(in(r, x));
             return sum;
         }},
        {"a_triangle_of_what_is_stored", true,
         [](const ImageParam &in) {
             Func blurred("blurred"), sum("sum");
             blurred(x, y) = Halide::sqrt(Halide::cast<float>(in(x, y) + in(x + 1, y)));
             RDom r(0, 200, "r");
             r.where(r < x + 2);
             sum(x) += blurred(r, x) * blurred(r, x + 1);
             return sum;
         }},
        {"a_triangle_of_squares", true,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, 200, "r");
             r.where(r <= x);
             sum(x) += Halide::cast<float>(in(r, x)) * Halide::cast<float>(in(r, x));
             return sum;
         }},
        {"a_prefix_of_one_row", true,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, 200, "r");
             r.where(r <= x);
             sum(x) += Halide::cast<float>(in(r, 3));
             return sum;
         }},
        {"squares_of_what_has_an_update_clamped", false,
         [](const ImageParam &in) {
             Func table("table"), sum("sum");
             table(x) = Halide::cast<float>(in(x, 0));
             table(0) = 1.0f;
             RDom r(0, 200, "r");
             r.where(r <= x);
             sum(x) += table(min(r, x)) * table(min(r, x));
             return sum;
         }},
        {"the_largest_of_a_band", true,
         [](const ImageParam &in) {
             Func top("top");
             RDom r(0, 300, 0, 3, "r");
             r.where(r.x + r.y <= x && x - r.x < 70);
             top(x) = Halide::cast<uint16_t>(0);
             top(x) = max(top(x), in(r.x, x + r.y));
             return top;
         }},
        {"every_third", false,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, 200, "r");
             r.where(r % 3 != 1);
             sum(x) += Halide::cast<float>(in(r, x));
             return sum;
         }},
        {"the_positive", false,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, 200, "r");
             r.where(in(r, x) > 3);
             sum(x) += Halide::cast<float>(in(r, x));
             return sum;
         }},
        {"a_triangle_of_the_whole_input", false,
         [](const ImageParam &in) {
             Func sum("sum");
             RDom r(0, in.dim(0).extent(), "r");
             r.where(r <= x);
             sum(x) += Halide::cast<float>(in(r, x));
             return sum;
         }},
    };
    return all;
}

class WhereBounds : public testing::TestWithParam<Case> {
protected:
    Built build() const {
        ImageParam in(Halide::UInt(16), 2, "in");
        in.set_estimates({{0, 400}, {0, 2100}});
        Func f = GetParam().define(in);
        f.set_estimate(x, 0, 2048);
        return {{f}, {in}};
    }

    static const Stage &update(const FunctionDag &dag) { return dag.node(dag.outputs[0]).stages[1]; }
};

TEST_P(WhereBounds, AreSeen) {
    const Built built = build();
    EXPECT_EQ(update(read_function_dag(built.outputs, cuda_80())).where_bounds, GetParam().bounds);
}

// It never leaves the input that it runs over, but another one may be smaller.
TEST(WhereBoundsOfOneInput, AreSeenWhereTheLoopsRunOverAnother) {
    ImageParam in(Halide::UInt(16), 2, "in"), other(Halide::UInt(16), 1, "other");
    in.set_estimates({{0, 400}, {0, 2100}});
    other.set_estimates({{0, 108}});
    Func sum("sum");
    RDom r(0, other.dim(0).extent(), "r");
    r.where(r < x + 2);
    sum(x) += Halide::cast<float>(in(r, x));
    sum.set_estimate(x, 0, 2048);
    const FunctionDag dag = read_function_dag({sum}, cuda_80());
    EXPECT_TRUE(dag.node(dag.outputs[0]).stages[1].where_bounds);
}

TEST_P(WhereBounds, AreKeptInThePlanThatIsFound) {
    const auto asked = [](Built built) {
        std::vector<std::pair<int, int>> all;
        Halide::Pipeline pipeline(built.outputs);
        for (const int size : {1, 2, 31, 32, 33, 100}) {
            built.inputs[0].reset();
            pipeline.infer_input_bounds({size});
            const Halide::Buffer<> b = built.inputs[0].get();
            all.emplace_back(b.dim(0).extent(), b.dim(1).extent());
        }
        return all;
    };
    const Built planned = build();
    const Plan plan = found_plan(planned);
    if (GetParam().name == std::string("a_triangle_of_the_whole_input")) {
        return;  // as much as there is, which has to be said first
    }
    apply_directives(make_directives(plan, planned.outputs), planned.outputs, ApplyTo::HostMirror);
    EXPECT_EQ(asked(planned), asked(build()));
}

TEST_P(WhereBounds, AreNotCutIntoParts) {
    const Built built = build();
    const FunctionDag dag = read_function_dag(built.outputs, cuda_80());
    Plan plan = empty_plan(built.outputs);
    const FuncRef output = dag.node(dag.outputs[0]).func_index;
    plan.derived = {partial_of(output)};
    plan.groups = {kernel_of(output), kernel_of(plan.funcs)};
    for (Group &g : plan.groups) {
        g.updates = {KernelTile()};
        g.atomic = {false};
    }
    const std::string error = check_plan(plan, dag);
    if (GetParam().bounds) {
        expect_words(error, {"'" + user_name(dag, dag.node(dag.outputs[0])) + "'", "`where`", "partial results"});
    } else {
        EXPECT_EQ(error.find("partial results"), std::string::npos) << error;
    }
}

/// A sum under a `where`, read at every second point along one dimension.
Built enlarged_sum(bool wide) {
    ImageParam in(Halide::Float(32), 3, "in");
    Func sum("sum"), out("out");
    RDom r(0, 31, "r");
    r.where(r % 3 != 1);
    sum(x, y) += in(r, x, y);
    out(x, y) = wide ? sum(x / 2, y) * sum(x / 2 + 1, y) : sum(x, y / 2) * sum(x, y / 2 + 1);
    in.set_estimates({{0, 31}, {0, 641}, {0, 481}});
    out.set_estimates({{0, 640}, {0, 480}});
    return {{out}, {in}};
}

/// At root, with threads along `dim`: that loop is cut twice, and of the other one, with which it is fused, Halide has
/// to see all the same how far it goes.
Plan cut_along(int dim, const Built &built) {
    Plan plan = empty_plan(built.outputs);
    plan.groups = {kernel_of(ref(plan, "sum"), {{0, 1, 32}}), kernel_of(ref(plan, "out"), {{0, 1, 32}})};
    plan.groups[0].updates = {KernelTile()};
    plan.groups[0].updates[0].axes = {{dim, 1, 16}};
    return plan;
}

TEST(AnEnlargedSumUnderAWhere, AsksForNoMoreOfItsInputThanThereIs) {
    for (const bool wide : {false, true}) {
        for (const int dim : {0, 1}) {
            expect_mirror_agrees<float>([&] { return enlarged_sum(wide); },
                                        [&](const Built &built) { return cut_along(dim, built); },
                                        {{{numbers<float>({31, wide ? 45 : 87, wide ? 31 : 17})}, {87, 31}}});
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Inputs, WhereBounds, testing::ValuesIn(cases()),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warptile
