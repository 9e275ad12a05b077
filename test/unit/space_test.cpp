// What is left out of the space of kernels is in none of them.
#include "search/space.h"

#include <gtest/gtest.h>

#include "hand_dag.h"

namespace warptile {
namespace {

/// `out` reads `b`, which reads `a`.
struct Chain {
    HandDag d;
    Region whole = {{0, 1023}, {0, 1023}};
    int a = d.func("a", whole, 1), b = d.func("b", whole, 1), out = d.func("out", whole, 1);
    FunctionDag dag;

    Chain() {
        d.reads_point(b, a);
        d.reads_point(out, b);
        dag = d.done({out});
    }

    bool allows(const Space &space, const Kernel &kernel) const {
        return space.allows(GroupView(dag, out, {a, b}, std::vector<bool>(dag.nodes.size(), false)), kernel);
    }

    Kernel kernel(Placement of_b, Placement of_a) const {
        Kernel kernel;
        kernel.parts.resize(2);
        kernel.parts[0].node = b;
        kernel.parts[0].placement = of_b;
        kernel.parts[1].node = a;
        kernel.parts[1].placement = of_a;
        return kernel;
    }
};

TEST(Space, PlacesOfMembers) {
    const Chain c;
    const Kernel block = c.kernel(Placement::Block, Placement::Block),
                 warp = c.kernel(Placement::Warp, Placement::Warp),
                 hybrid = c.kernel(Placement::Warp, Placement::Block),
                 nested = c.kernel(Placement::Thread, Placement::Block);
    for (const Kernel &kernel : {block, warp, hybrid, nested}) {
        EXPECT_TRUE(c.allows({}, kernel));
    }
    Space space;
    space.hybrid = false;
    EXPECT_FALSE(c.allows(space, hybrid));
    EXPECT_TRUE(c.allows(space, nested));
    space = {};
    space.nested = false;
    EXPECT_FALSE(c.allows(space, nested));
    EXPECT_TRUE(c.allows(space, c.kernel(Placement::Thread, Placement::Thread)));
    space = {};
    space.block_tiles = false;
    EXPECT_FALSE(c.allows(space, block));
    EXPECT_FALSE(c.allows(space, nested));
    EXPECT_TRUE(c.allows(space, warp));
    space = {};
    space.warp_tiles = false;
    EXPECT_FALSE(c.allows(space, warp));
    EXPECT_TRUE(c.allows(space, block));
}

TEST(Space, StreamsAndCopies) {
    const Chain c;
    Kernel stream = c.kernel(Placement::Thread, Placement::Thread);
    stream.tile.stream = 1;
    Kernel staged = c.kernel(Placement::Thread, Placement::Thread);
    staged.parts[1].role = Role::Copy;
    Space space;
    space.streams = false;
    EXPECT_FALSE(c.allows(space, stream));
    EXPECT_TRUE(c.allows(space, staged));
    space = {};
    space.staging = false;
    EXPECT_FALSE(c.allows(space, staged));
    EXPECT_TRUE(c.allows(space, stream));
}

TEST(Space, PartialResultsAreNoTiles) {
    const Chain c;
    Kernel kernel = c.kernel(Placement::Block, Placement::Thread);
    kernel.parts[0].role = Role::Partial;
    kernel.parts[1].role = Role::Total;
    Space space;
    space.block_tiles = space.thread_tiles = false;
    EXPECT_TRUE(c.allows(space, kernel));
}

TEST(Space, EveryPartHasAName) {
    Space none;
    for (const SpacePart &part : space_parts()) {
        none.*part.part = false;
    }
    EXPECT_FALSE(none.block_tiles || none.warp_tiles || none.thread_tiles || none.nested || none.hybrid ||
                 none.streams || none.staging || none.moves || none.beam);
}

}  // namespace
}  // namespace warptile
