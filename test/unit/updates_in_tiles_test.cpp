// Which Funcs with updates can be computed wherever a tile of them is needed.
#include <gtest/gtest.h>

#include "dag/constant_regions.h"
#include "search/graph/kept_graph.h"
#include "test/support/plans.h"

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

struct Updated {
    ImageParam in{Halide::Int(32), 2, "in"};
    Var x{"x"}, y{"y"}, c{"c"};
    Func f{"f"}, out{"out"};

    /// Of `f`, which `out` reads as `read` says.
    bool in_tiles(const Expr &read) {
        out(x, y) = read;
        in.set_estimates({{0, 640}, {0, 480}});
        out.set_estimates({{0, 640}, {0, 480}});
        const FunctionDag dag = read_function_dag({out}, cuda_80());
        for (const Node &node : dag.nodes) {
            if (node.name.rfind("f", 0) == 0) {
                return updates_in_tiles(node, constant_regions(dag)[static_cast<size_t>(node.id)]);
            }
        }
        ADD_FAILURE() << "no f";
        return false;
    }
};

TEST(UpdatesInTiles, AtThePointItself) {
    Updated u;
    u.f(u.x, u.y) = u.in(u.x, u.y);
    u.f(u.x, u.y) *= 3;
    EXPECT_TRUE(u.in_tiles(u.f(u.x, u.y) + u.f(u.x + 1, u.y)));
}

TEST(UpdatesInTiles, AtConstantPlaces) {
    Updated u;
    u.f(u.x, u.y, u.c) = u.in(u.x, u.y) + u.c;
    u.f(u.x, u.y, 2) -= u.f(u.x, u.y, 0);
    u.f(u.x, u.y, 1) *= u.f(u.x, u.y, 2);
    EXPECT_TRUE(u.in_tiles(u.f(u.x, u.y, 1)));
}

TEST(UpdatesInTiles, AlongReductionsOfConstantLength) {
    Updated u;
    const RDom r(1, 7);
    u.f(u.x, u.y, u.c) = u.in(u.x, u.y) + u.c;
    u.f(u.x, u.y, r) += u.f(u.x, u.y, r - 1);
    EXPECT_TRUE(u.in_tiles(u.f(u.x, u.y, 7)));
}

TEST(UpdatesInTiles, NotWhereTheLengthIsTheImages) {
    Updated u;
    const RDom r(1, u.in.width() - 1);
    u.f(u.x, u.y) = u.in(u.x, u.y);
    u.f(r, u.y) += u.f(r - 1, u.y);
    EXPECT_FALSE(u.in_tiles(u.f(u.x, u.y)));
}

TEST(UpdatesInTiles, NotAtAConstantPlaceOfWhatIsAsLargeAsTheImage) {
    Updated u;
    u.f(u.x, u.y) = u.in(u.x, u.y);
    u.f(u.x, 0) = 0;
    EXPECT_FALSE(u.in_tiles(u.f(u.x, u.y)));
}

TEST(UpdatesInTiles, NotAtAConstantPlaceOfManyThatAreNeeded) {
    Updated u;
    const RDom r(0, 100);
    u.f(u.x, u.y) = u.in(u.x, u.y);
    u.f(2, u.y) = 0;
    EXPECT_FALSE(u.in_tiles(sum(u.f(r, u.y)) + u.x));
}

TEST(UpdatesInTiles, NotAtPlacesThatAreManyInTwoDimensions) {
    for (const int rows : {5, 6}) {  // of six places each: 30 and 36
        Updated u;
        const Var d("d");
        u.f(u.x, u.y, u.c, d) = u.in(u.x, u.y) + u.c * d;
        u.f(u.x, u.y, 5, rows - 1) = u.f(u.x, u.y, 0, 0);
        EXPECT_EQ(u.in_tiles(u.f(u.x, u.y, 5, rows - 1)), rows == 5);
    }
}

TEST(UpdatesInTiles, NotInMoreStepsThanAreUnrolled) {
    for (const int turns : {4, 5}) {  // of seven places each: 28 and 35
        Updated u;
        const RDom r(1, 7, 0, turns);
        u.f(u.x, u.y, u.c) = u.in(u.x, u.y) + u.c;
        u.f(u.x, u.y, r.x) += u.f(u.x, u.y, r.x - 1) * r.y;
        EXPECT_EQ(u.in_tiles(u.f(u.x, u.y, 7)), turns == 4);
    }
}

TEST(UpdatesInTiles, NotWhereDataSay) {
    Updated u;
    const RDom r(0, 5);
    u.f(u.x, u.y, u.c) = 0;
    u.f(u.x, u.y, clamp(u.in(u.x + r, u.y), 0, 7)) += 1;
    EXPECT_FALSE(u.in_tiles(u.f(u.x, u.y, 3)));
}

}  // namespace
}  // namespace warptile
