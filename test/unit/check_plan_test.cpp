// The rules of plans: a legal plan, and for each rule one change that breaks it and what the message then says.
#include "schedule/check_plan.h"

#include <gtest/gtest.h>

#include <functional>

#include "Halide.h"
#include "dag/read.h"
#include "schedule/plain_plan.h"

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

/// out = a row stencil of a column stencil of a raw input, over the row's sum; and `wide`, an output of 64 bits.
struct Example {
    FunctionDag dag;
    FuncRef down, sum, out, wide;

    Example() {
        Halide::ImageParam in(Halide::Float(32), 2, "in");
        Halide::Func d("down"), s("sum"), o("out"), w("wide");
        Halide::Var x("x"), y("y");
        Halide::RDom r(0, 64, "r");
        d(x, y) = in(x, y) + in(x, y + 1);
        s(y) = 0.0f;
        s(y) += d(r, y);
        o(x, y) = (d(x - 1, y) + d(x + 1, y)) / s(y);
        w(x, y) = Halide::cast<double>(o(x, y));
        in.set_estimates({{-1, 258}, {0, 200}});
        for (Halide::Func f : {o, w}) {
            f.set_estimates({{0, 256}, {0, 128}});
        }
        dag = read_function_dag({o, w}, Halide::Target("x86-64-linux-cuda-cuda_capability_80"));
        down = ref(dag, "down");
        sum = ref(dag, "sum");
        out = ref(dag, "out");
        wide = ref(dag, "wide");
    }

    Group root(FuncRef func, std::vector<AxisTile> axes) const {
        Group g;
        g.output = func;
        g.tile.axes = std::move(axes);
        return g;
    }

    /// `down` in lane registers of `out`, whose rows are 30 wide; `sum` and `wide` kernels of their own.
    Plan legal() const {
        Plan plan;
        plan.fingerprint = dag.fingerprint;
        for (const Node &n : dag.nodes) {
            plan.funcs = std::max(plan.funcs, n.func_index + 1);
        }
        Derived copy;
        copy.source = down;
        copy.consumers = {out};
        plan.derived = {copy};
        Group kernel = root(out, {{0, 30, 1}, {1, 2, 4}});
        kernel.tile.lane_axis = 0;
        kernel.tail = Tail::Both;
        kernel.conditions = {{0, 0, 30}, {0, 1, 8}};
        Member staged;
        staged.func = plan.funcs;
        staged.placement = Placement::Warp;
        staged.at = out;
        staged.axes = {{0, 1, 1}};
        staged.storage = {32, 2};
        kernel.members = {staged};
        plan.groups = {root(sum, {{0, 1, 32}}), root(down, {{0, 1, 32}, {1, 1, 8}}), kernel, root(wide, {{0, 1, 32}})};
        return plan;
    }
};

constexpr size_t kSum = 0, kDown = 1, kKernel = 2, kWide = 3;

Group &kernel(Plan &p) { return p.groups[kKernel]; }

Member &staged(Plan &p) { return p.groups[kKernel].members[0]; }

/// `sum` becomes a member of the kernel of its copy.
Member &sum_in_a_thread(Plan &p, const Example &e) {
    Derived copy;
    copy.source = e.sum;
    p.derived.push_back(copy);
    Group &group = p.groups[kSum];
    group.output = p.funcs + 1;
    Member m;
    m.func = e.sum;
    m.placement = Placement::Thread;
    m.at = group.output;
    m.storage = {1};
    group.members = {m};
    return group.members[0];
}

/// Of the update of `sum`, a kernel of its own.
Steps &steps_of_sum(Plan &p) {
    p.groups[kSum].updates = {KernelTile()};
    return p.groups[kSum].updates[0].steps;
}

struct Broken {
    const char *name;
    std::function<void(Plan &, const Example &)> change;
    std::vector<const char *> says;  ///< parts of the message
};

const std::vector<Broken> &broken_plans() {
    static const std::vector<Broken> all = {
        {"fingerprint", [](Plan &p, const Example &) { p.fingerprint = "0123"; }, {"another pipeline", "anew"}},
        {"funcs", [](Plan &p, const Example &) { p.funcs++; }, {"Funcs", "anew"}},
        {"reference", [](Plan &p, const Example &) { p.groups[kSum].output = 99; }, {"99"}},
        {"twice", [](Plan &p, const Example &e) { p.groups[kWide].output = e.sum; }, {"'sum'", "two places"}},
        {"output_missing",
         [](Plan &p, const Example &) { p.groups.erase(p.groups.begin() + kWide); },
         {"'wide'", "output"}},
        {"update_missing", [](Plan &p, const Example &) { p.groups.erase(p.groups.begin()); }, {"'sum'", "updates"}},
        {"axis", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].dim = 2; }, {"'down'", "dimension 2"}},
        {"axis_twice", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].dim = 1; }, {"'down'", "twice"}},
        {"width", [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].width = 0; }, {"'down'", "below 1"}},
        {"threads",
         [](Plan &p, const Example &) { p.groups[kDown].tile.axes[0].threads = 256; },
         {"'down'", "2048", "1024"}},
        {"lane_axis", [](Plan &p, const Example &) { kernel(p).tile.lane_axis = 2; }, {"'out'", "lane axis"}},
        {"lanes",
         [](Plan &p, const Example &) {
             kernel(p).tile.layout = LaneLayout::Adjacent;
             kernel(p).tile.axes[0].width = 40;
         },
         {"'out'", "40 lanes", "32"}},
        {"round_up_output",
         [](Plan &p, const Example &) { kernel(p).tail = Tail::RoundUp; },
         {"'out'", "output", "guard"}},
        {"round_up_raw",
         [](Plan &p, const Example &) { p.groups[kDown].tail = Tail::RoundUp; },
         {"'down'", "boundary condition", "guard"}},
        {"condition_missing", [](Plan &p, const Example &) { kernel(p).conditions.pop_back(); }, {"'out'", "8 points"}},
        {"condition_small",
         [](Plan &p, const Example &) { kernel(p).conditions[0].extent = 29; },
         {"'out'", "30 points"}},
        {"condition_output", [](Plan &p, const Example &) { kernel(p).conditions[0].output = 7; }, {"output 7"}},
        {"no_lanes", [](Plan &p, const Example &) { kernel(p).tile.lane_axis = -1; }, {"down", "'out'", "lane"}},
        {"rolled", [](Plan &p, const Example &) { staged(p).unroll = false; }, {"down", "unroll"}},
        {"storage_small", [](Plan &p, const Example &) { staged(p).storage[0] = 31; }, {"down", "31", "32"}},
        {"storage_missing", [](Plan &p, const Example &) { staged(p).storage = {}; }, {"down", "storage", "32"}},
        {"lane_dimension", [](Plan &p, const Example &) { staged(p).axes.clear(); }, {"down", "one axis"}},
        {"place", [](Plan &p, const Example &e) { staged(p).at = e.wide; }, {"down", "'out'"}},
        {"copy_consumer", [](Plan &p, const Example &e) { p.derived[0].consumers = {e.wide}; }, {"'wide'", "'down'"}},
        {"copy_source", [](Plan &p, const Example &) { p.derived[0].source = 50; }, {"50", "earlier"}},
        {"elsewhere",
         [](Plan &p, const Example &e) {
             p.groups.erase(p.groups.begin() + kDown);
             Member m;
             m.func = e.down;
             m.at = e.out;
             m.axes = {{0, 1, 32}};
             m.storage = {32, 8};
             p.groups[kKernel - 1].members.push_back(m);
         },
         {"'down'", "'sum'", "root"}},
        {"update_reads",
         [](Plan &p, const Example &e) {
             p.derived[0].consumers = {e.sum};
             staged(p).at = e.sum;
             p.groups[kSum].members = {staged(p)};
             p.groups[kSum].members[0].placement = Placement::Block;
             kernel(p).members.clear();
         },
         {"update", "'sum'"}},
        {"shared",
         [](Plan &p, const Example &) {
             staged(p).placement = Placement::Block;
             staged(p).storage = {400, 40};
         },
         {"'out'", "64000", "49152"}},
        {"partial_update",
         [](Plan &p, const Example &e) {
             Derived d;
             d.kind = Derived::Kind::Partial;
             d.source = e.sum;
             d.update = 1;
             p.derived.push_back(d);
         },
         {"'sum'", "update 1"}},
        {"partial_variable",
         [](Plan &p, const Example &e) {
             Derived d;
             d.kind = Derived::Kind::Partial;
             d.source = e.sum;
             d.rvar = 1;
             p.derived.push_back(d);
         },
         {"'sum'", "number 1"}},
        {"partial_of_nothing",
         [](Plan &p, const Example &e) {
             Derived d;
             d.kind = Derived::Kind::Partial;
             d.source = e.out;
             p.derived.push_back(d);
         },
         {"'out'", "0 updates"}},
        {"race",
         [](Plan &p, const Example &) {
             KernelTile tile;
             tile.axes = {{1, 1, 8}};
             p.groups[kSum].updates = {tile};
         },
         {"'sum'", "race"}},
        {"flat", [](Plan &p, const Example &) { kernel(p).tile.flat_grid = true; }, {"'out'", "flat_grid"}},
        {"wide_in_lanes",
         [](Plan &p, const Example &e) {
             Derived d;
             d.source = e.out;
             d.consumers = {e.wide};
             p.derived.push_back(d);
             Member m = staged(p);
             m.func = p.funcs + 1;
             m.at = e.wide;
             p.groups[kWide].members = {m};
         },
         {"out", "'wide'", "lane"}},
        {"steps_of_a_pure_func",
         [](Plan &p, const Example &) { staged(p).steps.count = 4; },
         {"the copy of down", "of 0 together"}},
        {"steps_of_a_pure_stage",
         [](Plan &p, const Example &) { kernel(p).tile.steps.count = 4; },
         {"'out'", "4 steps", "of 0 together"}},
        {"too_many_steps_of_an_update",
         [](Plan &p, const Example &) { steps_of_sum(p).count = 33; },
         {"'sum'", "update 0", "33 steps", "1 to 32"}},
        {"steps_of_another_loop",
         [](Plan &p, const Example &) {
             steps_of_sum(p) = {1, 4};
         },
         {"'sum'", "loop 1 of 1"}},
        {"steps_that_threads_share",
         [](Plan &p, const Example &) {
             steps_of_sum(p).count = 4;
             p.groups[kSum].atomic = {true};
         },
         {"'sum'", "does not add a constant"}},
        {"steps_of_a_loop_with_an_axis",
         [](Plan &p, const Example &) {
             steps_of_sum(p).count = 4;
             p.groups[kSum].updates[0].axes = {{1, 4, 1}};
         },
         {"'sum'", "an axis of its tile"}},
        {"too_many_steps",
         [](Plan &p, const Example &e) { sum_in_a_thread(p, e).steps.count = 33; },
         {"'sum'", "33 steps", "1 to 32"}},
        {"steps_in_whole_tiles_of_an_update",
         [](Plan &p, const Example &) { steps_of_sum(p).whole_tiles = true; },
         {"'sum'", "whole tiles only", "for members"}},
        {"steps_in_whole_tiles_of_a_guarded_kernel",
         [](Plan &p, const Example &e) { sum_in_a_thread(p, e).steps.whole_tiles = true; },
         {"'sum'", "whole tiles only", "tests whether tiles are whole"}},
        {"steps_that_read_a_member",
         [](Plan &p, const Example &e) {
             Member down = sum_in_a_thread(p, e);
             p.groups[kSum].members[0].steps.count = 4;
             down.func = e.down;
             p.groups[kSum].members.push_back(down);
             p.groups.erase(p.groups.begin() + kDown);
         },
         {"'sum'", "same kernel computes"}},
        {"one_point_along_the_lanes",
         [](Plan &p, const Example &) {
             kernel(p).tile.axes[1].width = 1;
             staged(p).axes = {{1, 1, 1}};
             staged(p).storage = {32, 32};
         },
         {"the copy of down", "one point along the lanes", "another dimension"}},
        {"atomic_floats",
         [](Plan &p, const Example &) {
             p.groups[kSum].updates = {KernelTile()};
             p.groups[kSum].atomic = {true};
         },
         {"'sum'", "does not add a constant", "rfactor"}},
        {"host", [](Plan &p, const Example &) { kernel(p).on_host = true; }, {"'out'", "host", "members"}},
    };
    return all;
}

}  // namespace

TEST(CheckPlan, TakesALegalPlan) {
    const Example e;
    EXPECT_EQ(check_plan(e.legal(), e.dag), "");
}

TEST(CheckPlan, TakesStepsTogetherOfWhatIsInMemory) {
    const Example e;
    Plan plan = e.legal();
    Member &sum = sum_in_a_thread(plan, e);
    sum.steps.count = 4;
    sum.full = true;
    EXPECT_EQ(check_plan(plan, e.dag), "");
}

TEST(CheckPlan, TakesStepsTogetherOfAnUpdateAtRoot) {
    const Example e;
    Plan plan = e.legal();
    steps_of_sum(plan).count = 4;
    EXPECT_EQ(check_plan(plan, e.dag), "");
}

TEST(CheckPlan, RefusesEachBrokenPlanWithWordsThatNameTheFuncAndTheMend) {
    const Example e;
    for (const Broken &broken : broken_plans()) {
        Plan plan = e.legal();
        broken.change(plan, e);
        const std::string message = check_plan(plan, e.dag);
        for (const char *words : broken.says) {
            EXPECT_NE(message.find(words), std::string::npos)
                << broken.name << ": \"" << message << "\" lacks " << words;
        }
    }
}

TEST(CheckPlan, TakesThePlainPlan) {
    Halide::ImageParam in(Halide::UInt(8), 2, "in");
    Halide::Func f("f"), g("g");
    Halide::Var x("x"), y("y");
    f(x, y) = in(x, y) * 2;
    g(x) = Halide::cast<uint8_t>(0);
    Halide::RDom r(0, 256);
    g(Halide::cast<int>(in(r, 0))) += f(r, 1);
    g.set_estimates({{0, 256}});
    in.set_estimates({{0, 256}, {0, 2}});
    const FunctionDag dag = read_function_dag({g}, Halide::Target("x86-64-linux-cuda-cuda_capability_80"));
    EXPECT_EQ(check_plan(plain_plan({g}), dag), "");
}

TEST(CheckPlan, SeveralValuesWithAnUpdateAreNotOneThreadsInSharedMemory) {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    Halide::Func sums("sums"), out("out");
    Halide::Var y("y");
    Halide::RDom r(0, 500, "r");
    sums(y) = {0.0f, 0.0f};
    sums(y) = {sums(y)[0] + in(r, y), sums(y)[1] + in(r, y) * in(r, y)};
    out(y) = sums(y)[0] / sums(y)[1];
    in.set_estimates({{0, 500}, {0, 100}});
    out.set_estimates({{0, 100}});
    const FunctionDag dag = read_function_dag({out}, Halide::Target("x86-64-linux-cuda-cuda_capability_80"));
    Plan plan;
    plan.fingerprint = dag.fingerprint;
    plan.funcs = std::max(ref(dag, "sums"), ref(dag, "out")) + 1;
    for (const Node &n : dag.nodes) {
        plan.funcs = std::max(plan.funcs, n.func_index + 1);
    }
    Derived parts;
    parts.kind = Derived::Kind::Partial;
    parts.source = ref(dag, "sums");
    plan.derived = {parts};
    Member total;
    total.func = parts.source;
    total.at = ref(dag, "out");
    total.storage = {1};
    Member partial = total;
    partial.func = plan.funcs;
    partial.axes = {{1, 1, 32}};
    partial.storage = {1, 32};
    Group kernel;  // a block for each row
    kernel.output = total.at;
    kernel.members = {total, partial};
    plan.groups = {kernel};
    const std::string message = check_plan(plan, dag);
    EXPECT_NE(message.find("'sums' has several values and an update, and one thread of 32"), std::string::npos)
        << message;
    plan.groups[0].members[0].placement = Placement::Thread;
    EXPECT_EQ(check_plan(plan, dag), "");
}

TEST(CheckPlan, RefusesAnEmptyPlan) { EXPECT_NE(check_plan(Plan(), Example().dag), ""); }
