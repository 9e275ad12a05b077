#include "schedule/passes/launch_in_parts.h"

#include <gtest/gtest.h>

#include <sstream>

namespace warptile {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Var;

/// A loop over blocks.
Stmt blocks(const std::string &name, const Expr &extent, const Stmt &body) {
    return For::make(name, 0, extent, ForType::GPUBlock, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
}

/// Something is done with `e`.
Stmt use(const Expr &e) { return Evaluate::make(Call::make(Halide::Int(32), "use", {e}, Call::Extern)); }

std::string text(const Stmt &s) {
    std::ostringstream out;
    out << s;
    return out.str();
}

const Expr n = Variable::make(Halide::Int(32), "n"), m = Variable::make(Halide::Int(32), "m");

TEST(LaunchInParts, TheHostWalksWhatIsBeyondAGrid) {
    const Expr x = Variable::make(Halide::Int(32), "f.block_id_x"), y = Variable::make(Halide::Int(32), "f.block_id_y");
    const Stmt parts = launch_in_parts(blocks("f.block_id_y", n, blocks("f.block_id_x", m, use(x + y * 2))));
    EXPECT_EQ(text(parts), "if ((m > 0) && (n > 0)) {\n"
                           " if (n <= 65535) {\n"
                           "  gpu_block<CUDA> (f.block_id_y, 0, n) {\n"
                           "   gpu_block<CUDA> (f.block_id_x, 0, m) {\n"
                           "    use(f.block_id_x + (f.block_id_y*2))\n"
                           "   }\n"
                           "  }\n"
                           " } else {\n"
                           "  for (f.block_id_y.launch, 0, ((n - 1)/65535) + 1) {\n"
                           "   let f.block_id_y.launch.begin = f.block_id_y.launch*65535\n"
                           "   gpu_block<CUDA> (f.block_id_y, 0, min(n - f.block_id_y.launch.begin, 65535)) {\n"
                           "    gpu_block<CUDA> (f.block_id_x, 0, m) {\n"
                           "     use(f.block_id_x + ((f.block_id_y + f.block_id_y.launch.begin)*2))\n"
                           "    }\n"
                           "   }\n"
                           "  }\n"
                           " }\n"
                           "}\n");
}

TEST(LaunchInParts, AGridThatIsKnownToFitStaysAsItIs) {
    const Stmt small = blocks("f.block_id_z", 3, blocks("f.block_id_y", 65535, blocks("f.block_id_x", 100000, use(n))));
    EXPECT_EQ(text(launch_in_parts(small)), text(small));
}

// In a process that has lowered much, names of loops are made unique.
TEST(LaunchInParts, AGridOfAnyWidthIsLaunchedAtOnceWhateverItsLoopIsCalled) {
    const Stmt wide = blocks("f.block_id_y$2", 3, blocks("f.block_id_x$1", n, use(m)));
    EXPECT_EQ(text(launch_in_parts(wide)).find("launch"), std::string::npos) << text(launch_in_parts(wide));
}

// How many turns there are the host works out before the kernel, where it does not have what the kernel has.
TEST(LaunchInParts, WhatStandsBetweenTheLoopsIsPutInTheirExtents) {
    const Expr rows = Variable::make(Halide::Int(32), "rows");
    const Stmt inner = LetStmt::make("rows", n * 4, blocks("f.block_id_y", rows, blocks("f.block_id_x", 1, use(rows))));
    const std::string parts = text(launch_in_parts(blocks("f.block_id_z", 2, inner)));
    EXPECT_EQ(parts.find("if ((n*4) > 0)"), 0u) << parts;
    EXPECT_NE(parts.find("if ((n*4) <= 65535)"), std::string::npos) << parts;
    EXPECT_NE(parts.find("for (f.block_id_y.launch, 0, (((n*4) - 1)/65535) + 1)"), std::string::npos) << parts;
    EXPECT_NE(parts.find("min(rows - f.block_id_y.launch.begin, 65535)"), std::string::npos) << parts;
}

TEST(LaunchInParts, EachKernelHasItsOwnLoops) {
    const Stmt one = blocks("f.block_id_y", n, blocks("f.block_id_x", 1, use(n)));
    const Stmt other = blocks("g.block_id_z", m, blocks("g.block_id_y", 2, blocks("g.block_id_x", 1, use(m))));
    const std::string parts = text(launch_in_parts(Block::make(one, other)));
    const size_t f = parts.find("if (n <= 65535)"), g = parts.find("if (m <= 65535)");
    EXPECT_NE(f, std::string::npos) << parts;
    EXPECT_NE(g, std::string::npos) << parts;
    EXPECT_GT(g, parts.find("for (f.block_id_y.launch")) << parts;
    EXPECT_GT(parts.find("for (g.block_id_z.launch"), g) << parts;
}

}  // namespace
}  // namespace warptile
