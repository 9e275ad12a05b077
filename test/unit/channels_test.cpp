// Loops over channels: what all their steps cost in one thread, counted by hand.

#include <gtest/gtest.h>

#include "dag/read.h"
#include "model/expansion.h"
#include "test/support/plans.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

int id_of(const FunctionDag &dag, const std::string &name) {
    for (const Node &n : dag.nodes) {
        if (n.name.substr(0, n.name.find('$')) == name) {
            return n.id;
        }
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
}

/// Three channels of a grey image: the image, twice that and its square. `known`: the code knows which there are.
struct Colours {
    ImageParam in{Halide::Float(32), 2, "in"};
    Var x{"x"}, y{"y"}, c{"c"};
    Func colours{"colours"}, out{"out"};

    FunctionDag dag(bool known) {
        const Expr grey = in(x, y);
        colours(x, y, c) = Halide::mux(c, {grey, grey * 2.0f, grey * grey});
        out(x, y, c) = colours(x, y, c) + 1.0f;
        in.set_estimates({{0, 640}, {0, 480}});
        out.set_estimates({{0, 640}, {0, 480}, {0, 3}});
        if (known) {
            out.bound(c, 0, 3);
        }
        return read_function_dag({out}, cuda_80());
    }
};

TEST(Channels, OfAMuxCostTogetherWhatEachCosts) {
    Colours colours;
    const FunctionDag dag = colours.dag(true);
    const Stage &stage = dag.node(id_of(dag, "colours")).stages[0];
    // A point apart: two comparisons, two selects and two products, since all are made before one is chosen.
    EXPECT_EQ(stage.ops.float_ops, 4);
    EXPECT_EQ(stage.ops.int_ops, 2);
    ASSERT_EQ(stage.channel.loop, 2);
    EXPECT_EQ(stage.channel.steps, 3);
    EXPECT_TRUE(stage.loops[2].constant);
    // By number nothing is chosen: the two products.
    EXPECT_EQ(stage.channel.numbers.float_ops, 2);
    EXPECT_EQ(stage.channel.numbers.int_ops, 0);
    // From c on: the products once, two comparisons and two selects each, and c + 1 and c + 2.
    EXPECT_EQ(stage.channel.apart.float_ops, 2 + 3 * 2);
    EXPECT_EQ(stage.channel.apart.int_ops, 3 * 2 + 2);
}

TEST(Channels, AreNoneWhereEachStepHasItsOwnToDo) {
    Colours colours;
    const FunctionDag dag = colours.dag(true);
    EXPECT_EQ(dag.node(id_of(dag, "out")).stages[0].channel.loop, -1);
    EXPECT_EQ(dag.node(id_of(dag, "colours")).stages[0].channel.loop, 2);
}

TEST(Channels, OfAnInlinedFuncAreThoseOfItsReader) {
    for (const bool known : {true, false}) {
        SCOPED_TRACE(known);
        Colours colours;
        const FunctionDag dag = colours.dag(known);
        std::vector<bool> inlined(dag.nodes.size(), false);
        inlined[static_cast<size_t>(id_of(dag, "colours"))] = true;
        const Expansion e = expand(dag, id_of(dag, "out"), 0, inlined);
        EXPECT_EQ(e.float_ops, 4 + 1);
        ASSERT_TRUE(e.together);
        EXPECT_EQ(e.channel_loop, 2);
        EXPECT_EQ(e.channels, 3);
        // A third of what three points cost: an addition each, and the channels by number or not.
        EXPECT_DOUBLE_EQ(e.together->float_ops, ((known ? 2 : 8) + 3 * 1) / 3.0);
        ASSERT_EQ(e.together->loads.size(), 1u);
        // The grey value is loaded once for all three.
        EXPECT_EQ(e.together->loads[0].distinct({1, 1, 3}), 1);
    }
}

TEST(Channels, ThatAreReadByNumberCostWhatTheyAre) {
    ImageParam in(Halide::Float(32), 3, "in");
    Var x("x"), y("y"), c("c");
    Func swapped("swapped"), out("out");
    swapped(x, y, c) = Halide::mux(c, {in(x, y, 2), in(x, y, 1), in(x, y, 0)});
    out(x, y) = swapped(x, y, 0) + swapped(x, y, 2);
    in.set_estimates({{0, 640}, {0, 480}, {0, 3}});
    out.set_estimates({{0, 640}, {0, 480}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    std::vector<bool> inlined(dag.nodes.size(), false);
    inlined[static_cast<size_t>(id_of(dag, "swapped"))] = true;
    const Expansion e = expand(dag, id_of(dag, "out"), 0, inlined);
    EXPECT_EQ(e.float_ops, 1);
    EXPECT_EQ(e.int_ops, 0);
    EXPECT_DOUBLE_EQ(e.load_count(), 2);  // of two channels one each, and not all three
}

}  // namespace
}  // namespace warptile
