// The rules of histograms in several parts: a legal plan, and what is refused.
#include <gtest/gtest.h>

#include "Halide.h"
#include "dag/read.h"
#include "schedule/check_plan.h"

using namespace warptile;

namespace {

/// Halide numbers the Funcs of a pipeline as it likes.
FuncRef ref(const FunctionDag &dag, const std::string &name) {
    for (const Node &n : dag.nodes) {
        if (n.name.substr(0, n.name.find('$')) == name && n.func_index >= 0) {
            return n.func_index;
        }
    }
    throw std::runtime_error("no Func '" + name + "'");
}

/// A histogram of an image, counted in 16 parts of its rows, and what is twice each count.
struct Histogram {
    FunctionDag dag;
    FuncRef count, out, parts;

    explicit Histogram(bool per_row = false) {
        Halide::ImageParam in(Halide::UInt(8), 2, "in");
        Halide::Func c("count"), o("out");
        Halide::Var i("i"), y("y");
        const Halide::RDom r(0, in.width(), 0, in.height());
        c(i, y) = 0;
        if (per_row) {
            c(Halide::cast<int>(in(r.x, y)), y) += 1;
        } else {
            c(Halide::cast<int>(in(r.x, r.y)), r.y % 2) += 1;
        }
        o(i, y) = c(i, y) * 2;
        in.set_estimates({{0, 640}, {0, 480}});
        o.set_estimates({{0, 256}, {0, 2}});
        dag = read_function_dag({o}, Halide::Target("x86-64-linux-cuda-cuda_capability_80"));
        count = ref(dag, "count");
        out = ref(dag, "out");
        parts = std::max(count, out) + 1;
    }

    /// The parts and their total have two kernels each; the loops of the parts' update are numbered from 3.
    Plan plan() const {
        Plan plan;
        plan.fingerprint = dag.fingerprint;
        plan.funcs = parts;
        Derived d;
        d.kind = Derived::Kind::Partial;
        d.source = count;
        d.rvar = 1;
        d.factor = 16;
        plan.derived = {d};
        plan.groups.resize(3);
        plan.groups[0].output = parts;
        plan.groups[0].updates.resize(1);
        plan.groups[0].updates[0].axes = {{3, 1, 32}, {4, 1, 8}};
        plan.groups[0].atomic = {true};
        plan.groups[1].output = count;
        plan.groups[1].updates.resize(1);
        plan.groups[1].updates[0].axes = {{0, 1, 32}, {1, 1, 2}};
        plan.groups[1].atomic = {false};
        plan.groups[1].full = true;
        plan.groups[2].output = out;
        return plan;
    }
};

void expect_words(const std::string &message, const std::vector<const char *> &words) {
    for (const char *word : words) {
        EXPECT_NE(message.find(word), std::string::npos) << "\"" << message << "\" lacks " << word;
    }
}

}  // namespace

TEST(CheckHistogram, TakesAHistogramInParts) {
    const Histogram h;
    EXPECT_EQ(check_plan(h.plan(), h.dag), "");
}

TEST(CheckHistogram, PartsOfAHistogramHaveALoopOverPartsAlone) {
    const Histogram h;
    Plan plan = h.plan();
    plan.groups[0].updates[0].axes = {{0, 1, 32}};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "dimension 0", "no loop"});
    plan.groups[0].updates[0].axes = {{2, 1, 16}, {3, 1, 8}};
    EXPECT_EQ(check_plan(plan, h.dag), "");
}

TEST(CheckHistogram, PartsOfAHistogramRace) {
    const Histogram h;
    Plan plan = h.plan();
    plan.groups[0].atomic = {false};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "race"});
}

TEST(CheckHistogram, PartsOfAHistogramAreNoMember) {
    const Histogram h;
    Plan plan = h.plan();
    Derived copy;
    copy.source = h.parts;
    plan.derived.push_back(copy);
    plan.groups[0].output = h.parts + 1;
    plan.groups[0].updates.clear();
    plan.groups[0].atomic.clear();
    Member m;
    m.func = h.parts;
    m.at = h.parts + 1;
    m.storage = {256, 2, 16};
    plan.groups[0].members = {m};
    expect_words(check_plan(plan, h.dag), {"partial result of count", "output of a group"});
}

TEST(CheckHistogram, PartsOfAHistogramAreNotSplitAgainButTheirTotalIs) {
    const Histogram h;
    Plan plan = h.plan();
    Derived again = plan.derived[0];
    again.source = h.parts;
    again.rvar = 0;
    plan.derived.push_back(again);
    expect_words(check_plan(plan, h.dag), {"partial result of count", "loops of its own", "cannot be split"});
    plan.derived[1].source = h.count;
    plan.derived[1].factor = 4;
    Group tree;
    tree.output = h.parts + 1;
    plan.groups.insert(plan.groups.begin() + 1, tree);
    EXPECT_EQ(check_plan(plan, h.dag), "");
}

TEST(CheckHistogram, AHistogramOfEachRowIsNotSplit) {
    const Histogram h(true);
    Plan plan = h.plan();
    plan.derived[0].rvar = 0;
    expect_words(check_plan(plan, h.dag), {"'count'", "loops of its own", "cannot be split"});
}
