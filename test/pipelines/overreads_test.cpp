// Pipelines that read inputs without a boundary condition ask for no more of them than they do without a schedule.

#include <gtest/gtest.h>

#include "plugin/find_plan.h"
#include "schedule/rules/check_plan.h"
#include "test/support/found_plan.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

struct Case {
    const char *name;
    bool overreads;  ///< of 'd', where it is stored
    int dims;        ///< of the output
    Func (*define)(const ImageParam &in, Func d);
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

Var x("x"), y("y"), c("c");

/// Dear enough for the search to store it where it may.
Expr dear(const Expr &e) {
    Expr v = Halide::cast<float>(e);
    for (int i = 0; i < 4; i++) {
        v = Halide::sqrt(v * 0.5f + 3.0f);
    }
    return v;
}

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"pairs", true, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(Halide::max(in(2 * x + c), in(2 * x + c + 1)));
             Func f("f");
             f(x) = d(x, 0) + d(x, 1) + d(x + 1, 0);
             return f;
         }},
        {"thirds_backwards", true, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(in(3 * x - 2 * c));
             Func f("f");
             f(x) = d(x, 0) + d(x + 2, 2);
             return f;
         }},
        {"a_select_of_channels", true, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(Halide::select(c == 0, in(2 * x), in(2 * x + 5)));
             Func f("f");
             f(x) = d(x + 1, 0) + d(x, 1);
             return f;
         }},
        {"every_other", true, 1,
         [](const ImageParam &in, Func d) {
             d(x) = dear(Halide::select(x % 2 == 0, in(x), in(x + 7)));
             Func f("f");
             f(x) = d(2 * x) + d(2 * x + 2);
             return f;
         }},
        {"a_diagonal", true, 2,
         [](const ImageParam &in, Func d) {
             d(x, y) = dear(in(x + y));
             Func f("f");
             f(x, y) = d(x + 4, y) + d(x, y + 4);
             return f;
         }},
        {"an_update_that_reads", true, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(in(2 * x + c));
             Func f("f");
             f(x) = d(x + 1, 0);
             f(x) += d(x, 1);
             return f;
         }},
        {"through_another", true, 1,
         [](const ImageParam &in, Func d) {
             Func e("e");
             d(x, c) = dear(in(2 * x + c));
             e(x) = d(x, 1) + d(x + 1, 0);
             Func f("f");
             f(x) = e(x) * e(x + 1);
             return f;
         }},
        {"a_total_longer_than_the_output", true, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(in(2 * x + c));
             const RDom r(0, 13);
             Func total("total"), f("f");
             total() += d(r, 0);
             f(x) = d(x, 1) + d(x, 2) + total();
             return f;
         }},
        {"a_dimension_that_may_be_shorter", true, 2,
         [](const ImageParam &in, Func d) {
             d(x, y) = dear(in(x + 2 * y));
             const RDom r(0, 9);
             Func column("column"), f("f");
             column(x) += d(x, r);
             f(x, y) = d(x + 3, y) + column(x);
             return f;
         }},
        {"a_constant_that_shows_where_two_are_inlined", true, 1,
         [](const ImageParam &in, Func d) {
             Func e("e"), f("f");
             d(x) = Halide::cast<int>(in(x) > 100);
             e(x) = d(x) + d(x + 9);
             f(x) = dear(in(x)) + e(x) / 3;
             return f;
         }},
        {"a_square_under_a_where", true, 1,
         [](const ImageParam &in, Func d) {
             d(x) = dear(in(x));
             RDom r(0, 70);
             r.where(r < x + 2);
             Func f("f");
             f(x) = 0.0f;
             f(x) += d(r) * d(r);
             return f;
         }},
        {"a_whole_box", false, 1,
         [](const ImageParam &in, Func d) {
             d(x, c) = dear(in(2 * x + c));
             const RDom r(0, 3);
             Func f("f");
             f(x) += d(x, r);
             return f;
         }},
        {"a_dimension_each", false, 2,
         [](const ImageParam &in, Func d) {
             d(x, y) = dear(in(2 * x) + in(3 * y + 1));
             Func f("f");
             f(x, y) = d(x + 1, y) + d(x, y + 1);
             return f;
         }},
        {"a_stencil", false, 1,
         [](const ImageParam &in, Func d) {
             d(x) = dear(in(x - 1) + in(x + 1));
             Func f("f");
             f(x) = d(2 * x) + d(2 * x + 1) + d(x / 2);
             return f;
         }},
    };
    return all;
}

class Overreads : public testing::TestWithParam<Case> {
protected:
    Built build() const {
        ImageParam in(Halide::UInt(16), 1, "in");
        in.set_estimates({{-64, 9000}});
        Func f = GetParam().define(in, Func("d"));
        for (int i = 0; i < GetParam().dims; i++) {
            f.set_estimate(f.args()[static_cast<size_t>(i)], 0, GetParam().dims == 1 ? 2048 : 256);
        }
        return {{f}, {in}};
    }

    /// What the pipeline asks for at each of some sizes.
    std::vector<std::pair<int, int>> asked(Built built) const {
        std::vector<std::pair<int, int>> all;
        Halide::Pipeline pipeline(built.outputs);
        for (const int size : {1, 2, 3, 5, 8, 31, 32, 33, 100, 129}) {
            built.inputs[0].reset();
            pipeline.infer_input_bounds(std::vector<int>(static_cast<size_t>(GetParam().dims), size));
            const Halide::Buffer<> b = built.inputs[0].get();
            all.emplace_back(b.dim(0).min(), b.dim(0).extent());
        }
        return all;
    }

    void expect_asks_for_as_much(const Plan &plan) const {
        const Built planned = build();
        apply_directives(make_directives(plan, planned.outputs), planned.outputs, ApplyTo::HostMirror);
        EXPECT_EQ(asked(planned), asked(build()));
    }
};

TEST_P(Overreads, AreSeen) {
    const Built built = build();
    const FunctionDag dag = read_function_dag(built.outputs, cuda_80());
    for (const Node &node : dag.nodes) {
        if (node.func_index >= 0 && node.name.substr(0, node.name.find('$')) == "d") {
            EXPECT_EQ(node.overreads, GetParam().overreads);
        }
    }
}

TEST_P(Overreads, AreNotInThePlanThatIsFound) { expect_asks_for_as_much(found_plan(build())); }

TEST_P(Overreads, AreNotWhereTheLeastIsInlined) {
    const Built built = build();
    const FunctionDag dag = read_function_dag(built.outputs, cuda_80());
    SearchOptions options;
    options.inlining = Inlining::Wrappers;
    const FoundPlan found =
        find_plan(dag, built.outputs, cuda_80(), h100(), options, VerifyOptions(), [](const char *, const auto &) {});
    EXPECT_TRUE(found.verified.ok) << found.verified.log;
    expect_asks_for_as_much(found.verified.plan);
}

TEST_P(Overreads, AreRefusedInAPlan) {
    const Built built = build();
    const FunctionDag dag = read_function_dag(built.outputs, cuda_80());
    Plan plan = found_plan(built);
    const FuncRef d = ref(plan, "d");
    for (const Group &g : plan.groups) {
        if (g.output == d) {
            return;  // stored already
        }
    }
    plan.groups.insert(plan.groups.begin(), kernel_of(d));
    const std::string error = check_plan(plan, dag);
    if (GetParam().overreads) {
        expect_words(error, {"'d'", "more of an input"});
    }
}

// At the estimates the pairs need all that the longer one of the outputs adds.
TEST(OverreadsOfOutputs, AreSeenWhereOneIsSmaller) {
    const auto build = [] {
        ImageParam in(Halide::UInt(16), 1, "in");
        Func d("d"), pairs("pairs"), single("single");
        d(x, c) = dear(in(2 * x + c));
        pairs(x) = d(x, 1) + d(x, 2);
        single(x) = d(x, 0);
        pairs.set_estimate(x, 0, 2048);
        single.set_estimate(x, 0, 2048);
        in.set_estimates({{0, 9000}});
        return Built{{pairs, single}, {in}};
    };
    const auto asked = [](Built built) {
        std::vector<int> extents;
        for (const auto &[pairs, single] : {std::pair(1, 13), std::pair(13, 1), std::pair(40, 40)}) {
            built.inputs[0].reset();
            Halide::Realization outputs({Halide::Buffer<float>(pairs), Halide::Buffer<float>(single)});
            Halide::Pipeline(built.outputs).infer_input_bounds(outputs);
            extents.push_back(built.inputs[0].get().dim(0).extent());
        }
        return extents;
    };
    const Built planned = build();
    const Plan plan = found_plan(planned);
    apply_directives(make_directives(plan, planned.outputs), planned.outputs, ApplyTo::HostMirror);
    EXPECT_EQ(asked(planned), asked(build()));
}

INSTANTIATE_TEST_SUITE_P(Inputs, Overreads, testing::ValuesIn(cases()),
                         [](const auto &info) { return std::string(info.param.name); });

/// Two kernels: `first` is read whole by `out`, which reads the input too.
struct TwoKernels {
    ImageParam in{Halide::Float(32), 1, "in"};
    Func first{"first"}, out{"out"};
    std::vector<Func> outputs;
    Plan plan;

    TwoKernels() {
        first(x) = in(x)*2.0f;
        out(x) = first(x) + in(x + 3);
        out.set_estimates({{0, 4096}});
        outputs = {out};
        plan = empty_plan(outputs);
    }

    /// Part 0 and part 1; of each, candidate 0 is whole tiles, which ask for what is beyond the end.
    Verified verified(bool may_ask_for_more) const {
        Candidates candidates;
        candidates.groups = {{1, 1, 1}, {1, 1}};
        candidates.may_ask_for_more = may_ask_for_more;
        candidates.assemble = [&](const std::vector<int> &choice) {
            Plan made = plan;
            made.groups = {kernel_of(ref(plan, "first"), {{0, 1, 32}}), kernel_of(ref(plan, "out"), {{0, 1, 64}})};
            made.groups[0].tail = choice[0] == 0 ? Tail::RoundUp : Tail::Guard;
            made.groups[0].tile.axes[0].threads = choice[0] == 1 ? 64 : 32;
            made.groups[1].tail = Tail::Guard;
            return made;
        };
        return verify(candidates, outputs, cuda_80(), h100(), VerifyOptions());
    }
};

TEST(Overreads, OfAPlanAreSeenInWhatTheHostChecks) {
    const Verified v = TwoKernels().verified(true);
    EXPECT_EQ(v.choice, (std::vector<int>{1, 0})) << v.log;
    EXPECT_TRUE(v.ok) << v.log;
    const std::string words = "for an output of [0..2730] it asks for [0..2751] of dimension 0 of 'in";  // of 2734
    EXPECT_NE(v.log.find(words), std::string::npos) << v.log;
}

TEST(Overreads, AreNotLookedForWhereNoInputEnds) {
    EXPECT_EQ(TwoKernels().verified(false).choice, (std::vector<int>{0, 0}));
}

}  // namespace
}  // namespace warptile
