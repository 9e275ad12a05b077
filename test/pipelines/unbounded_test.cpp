// Funcs that are read where Halide knows no bound, as by floats or bits: they cannot be stored, and are inlined
// whatever that costs, as in the unscheduled pipeline, where the place may be clamped after all.

#include <gtest/gtest.h>

#include "dag/read.h"
#include "machine/error.h"
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

Var x("x"), y("y");

/// A place in perspective: what is divided by has no bound.
Expr seen_from(const Expr &place) {
    return Halide::cast<int>(Halide::floor(Halide::cast<float>(place) / (0.001f * x + 0.002f * y + 1.0f)));
}

/// The Funcs between the input, which clamps, and the output, by name.
struct Warped {
    ImageParam in{Halide::Float(32), 2, "in"};
    Func dear{"dear"}, half{"half"}, out{"out"};

    Warped() {
        const Func edged = Halide::BoundaryConditions::repeat_edge(in);
        dear(x, y) = Halide::exp(edged(x, y)) + Halide::exp(edged(x + 1, y));
        half(x, y) = Halide::sqrt(dear(x, y)) + dear(x, y + 1);
        out(x, y) = half(seen_from(x), seen_from(y));
        in.set_estimates({{0, 640}, {0, 480}});
        out.set_estimates({{0, 640}, {0, 480}});
    }
};

const Node &named(const FunctionDag &dag, const std::string &name) {
    for (const Node &node : dag.nodes) {
        if (node.name.substr(0, node.name.find('$')) == name) {
            return node;
        }
    }
    throw Error("there is no node " + name);
}

TEST(Unbounded, FuncsAreOnlyInlined) {
    const Warped warped;
    const FunctionDag dag = read_function_dag({warped.out}, cuda_80());
    for (const char *const name : {"dear", "half"}) {
        EXPECT_TRUE(named(dag, name).unbounded) << name;
    }
    const Plan plan = found_plan({{warped.out}, {warped.in}});
    EXPECT_EQ(plan.groups.size(), 1u);
    Plan stored = plan;
    stored.groups.insert(stored.groups.begin(), kernel_of(ref(plan, "half")));
    expect_words(check_plan(stored, dag), {"'half'", "no bound"});
}

TEST(Unbounded, FuncsOfWhichSomeReadersKnowABoundAreToo) {
    const Warped warped;
    Func both("both");
    both(x, y) = warped.out(x, y) + warped.dear(x, y);
    both.set_estimates({{0, 640}, {0, 480}});
    EXPECT_TRUE(named(read_function_dag({both}, cuda_80()), "dear").unbounded);
    EXPECT_EQ(found_plan({{both}, {warped.in}}).groups.size(), 1u);
}

TEST(Unbounded, FuncsWithUpdatesAreAnErrorThatNamesBoth) {
    Warped warped;
    const RDom r(0, 3, "r");
    Func sum("sum"), out("warped");
    sum(x, y) = 0.0f;
    sum(x, y) += warped.dear(x + r, y);
    out(x, y) = sum(seen_from(x), y);
    out.set_estimates({{0, 640}, {0, 480}});
    try {
        read_function_dag({out}, cuda_80());
        ADD_FAILURE() << "it has no bound";
    } catch (const Error &e) {
        expect_words(e.what(), {"'warped'", "'sum'", "without bound", "'x'", "clamp"});
    }
}

}  // namespace
}  // namespace warptile
