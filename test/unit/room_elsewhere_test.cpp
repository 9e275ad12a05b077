#include "schedule/passes/room_elsewhere.h"

#include <gtest/gtest.h>

#include <sstream>

namespace warptile {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

Stmt blocks(const std::string &name, const Expr &extent, const Stmt &body) {
    return For::make(name, 0, extent, ForType::GPUBlock, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
}

/// A grid of n blocks, each with m numbers in shared memory; `x` is what its loop is called.
std::string moved(const std::string &x) {
    const Expr n = Variable::make(Halide::Int(32), "n"), m = Variable::make(Halide::Int(32), "m");
    const Expr at = Variable::make(Halide::Int(32), x);
    const Stmt store = Store::make("room", 7, at, Halide::Parameter(), const_true(), ModulusRemainder());
    const Stmt kernel = blocks(
        "f.s0.y.block_id_y$2", 2,
        blocks(x, n, Allocate::make("room", Halide::Int(32), Halide::MemoryType::GPUShared, {m}, const_true(), store)));
    std::ostringstream text;
    text << room_elsewhere(kernel);
    return text.str();
}

// The part of the buffer that a block has is a number of its loop along x, which is the innermost.
TEST(RoomOfABlock, IsFoundWhateverItsLoopIsCalled) {
    for (const std::string x : {"f.s0.x.block_id_x", "f.s0.x.block_id_x$1", "f$3.s0.x.block_id_x$14"}) {
        const std::string text = moved(x);
        EXPECT_NE(text.find(".part = " + x), std::string::npos) << text;
        EXPECT_NE(text.find("gpu_block<CUDA> (" + x + ", 0, min("), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace warptile
