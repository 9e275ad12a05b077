#include "schedule/passes/keep_stored.h"

#include <gtest/gtest.h>

#include <sstream>

namespace warptile {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

Expr variable(const std::string &name) { return Variable::make(Halide::Int(32), name); }

Expr load(const std::string &buffer, const Expr &index) {
    return Load::make(Halide::Float(32), buffer, index, Halide::Buffer<>(), Halide::Parameter(), const_true(),
                      ModulusRemainder());
}

Stmt store(const std::string &buffer, const Expr &value, const Expr &index) {
    return Store::make(buffer, value, index, Halide::Parameter(), const_true(), ModulusRemainder());
}

Stmt loop(const std::string &name, ForType type, const Stmt &body) {
    return For::make(name, 0, 8, type, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
}

Stmt kernel(const Stmt &body) { return loop("f.block_id_x", ForType::GPUBlock, body); }

std::string text(const Stmt &s) {
    std::ostringstream out;
    out << s;
    return out.str();
}

size_t count(const Stmt &s, const std::string &word) {
    const std::string all = text(s);
    size_t n = 0;
    for (size_t at = all.find(word); at != std::string::npos; at = all.find(word, at + 1)) {
        n++;
    }
    return n;
}

const Expr k = variable("k"), stride = variable("stride"), x = variable("x");

/// f at row k, from what f and g have in the row before.
Stmt two_steps() {
    return Block::make(store("f", load("g", k * stride + x), k * stride + x),
                       store("f", load("f", (k + 1) * stride + x - stride) * 2.0f, (k + 1) * stride + x));
}

TEST(KeepStored, AStepReadsWhatTheOneBeforeItStored) {
    const Stmt done = keep_stored(kernel(two_steps()));
    EXPECT_EQ(count(done, "f["), 2U) << done;  // the stores
    EXPECT_EQ(count(done, "f.kept0[0]"), 5U) << done;
    EXPECT_EQ(count(done, "allocate f.kept0"), 1U);
    EXPECT_EQ(count(done, "free f.kept0"), 1U);
}

TEST(KeepStored, EachLoopHasItsOwn) {
    const Stmt nested = Block::make(two_steps(), loop("i", ForType::Serial, two_steps()));
    const Stmt done = keep_stored(kernel(nested));
    EXPECT_EQ(count(done, "allocate f.kept"), 2U) << done;
    EXPECT_EQ(count(done, "free f.kept"), 2U);
    EXPECT_EQ(count(done, "f["), 4U);
}

TEST(KeepStored, LetsOutsideTheKernelAreSeenThrough) {
    const Expr n = variable("n"), m = variable("m");
    const Stmt steps = Block::make(store("f", load("g", k), (m - k) * stride + x),
                                   store("f", load("f", (n - k - 1) * stride + x), (n - k - 2) * stride + x));
    const Stmt done = keep_stored(LetStmt::make("n", m + 1, kernel(steps)));
    EXPECT_EQ(count(done, "f["), 2U) << done;
    EXPECT_EQ(text(keep_stored(kernel(steps))), text(kernel(steps))) << "without the let they may be two places";
}

TEST(KeepStored, WhatMayHaveChangedIsLoaded) {
    const Stmt first = store("f", 1.0f, x), again = store("g", load("f", x), x);
    const Stmt barrier = Evaluate::make(Call::make(Halide::Int(32), Call::gpu_thread_barrier, {0}, Call::Intrinsic));
    const Stmt cases[] = {
        Block::make({first, store("f", 2.0f, k), again}),                           // where k may be x
        Block::make({first, barrier, again}),                                       // another thread's value
        Block::make({first, IfThenElse::make(k > 0, store("f", 2.0f, x)), again}),  // sometimes
        Block::make(IfThenElse::make(k > 0, first), again),                         // or not at all
        Block::make({first, loop("i", ForType::Serial, store("f", 2.0f, x)), again}),
        loop("i", ForType::Serial, Block::make(again, first)),  // of the iteration before
        Block::make(store("f", 1.0f, x + 1), again),            // elsewhere
    };
    for (const Stmt &s : cases) {
        EXPECT_EQ(text(keep_stored(kernel(s))), text(kernel(s)));
    }
}

TEST(KeepStored, OnlyInKernelsAndOnlyOfMemoryBeyondThem) {
    EXPECT_EQ(text(keep_stored(two_steps())), text(two_steps()));
    const Stmt own =
        kernel(Allocate::make("f", Halide::Float(32), Halide::MemoryType::GPUShared, {64}, const_true(), two_steps()));
    EXPECT_EQ(text(keep_stored(own)), text(own));
}

TEST(KeepStored, AtomicAdditionsStayAsTheyAre) {
    const Stmt add = Atomic::make("f", "", store("f", load("f", x) + 1.0f, x));
    const Stmt all = kernel(Block::make({store("f", 0.0f, x), add, store("g", load("f", x), x)}));
    EXPECT_EQ(text(keep_stored(all)), text(all));
}

TEST(KeepStored, AConditionDoesNotHideWhatWasStoredBefore) {
    const Stmt first = store("f", load("g", x), x), again = store("g", load("f", x), x + 1);
    const Stmt done = keep_stored(kernel(Block::make(first, IfThenElse::make(k > 0, again))));
    EXPECT_EQ(count(done, "f["), 1U) << done;
}

}  // namespace
}  // namespace warptile
