#include "schedule/passes/guard_loads.h"

#include <gtest/gtest.h>

#include <sstream>

namespace warptile {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

Expr variable(const std::string &name) { return Variable::make(Halide::Int(32), name); }

Expr load(const Expr &index) {
    return Load::make(Halide::Int(32), "a", index, Halide::Buffer<>(), Halide::Parameter(), const_true(),
                      ModulusRemainder());
}

Stmt add(const Expr &e) { return Evaluate::make(Call::make(Halide::Int(32), "add", {e}, Call::Extern)); }

Stmt in_kernel(const Stmt &body) {
    return For::make("f.block_id_x", 0, 8, ForType::GPUBlock, Halide::Partition::Auto, Halide::DeviceAPI::CUDA, body);
}

std::string text(const Stmt &s) {
    std::ostringstream out;
    out << s;
    return out.str();
}

const Expr i = variable("i"), n = variable("n");

TEST(GuardLoads, ATestThatLoadsIsInsideTheOthers) {
    const Stmt joined = IfThenElse::make(load(i) > 0 && i < n && load(i + 1) < 9, add(i));
    EXPECT_EQ(text(guard_loads(in_kernel(joined))),
              text(in_kernel(
                  IfThenElse::make(i < n, IfThenElse::make(load(i) > 0, IfThenElse::make(load(i + 1) < 9, add(i)))))));
}

// Where a value is tested twice it is loaded once, in a let of the condition.
TEST(GuardLoads, LetsOfAConditionAreSeenThrough) {
    const Expr v = variable("v");
    const Stmt joined = IfThenElse::make(Let::make("v", load(i), i < n && v > 0 && v < 9), add(i));
    EXPECT_EQ(
        text(guard_loads(in_kernel(joined))),
        text(in_kernel(IfThenElse::make(i < n, IfThenElse::make(load(i) > 0, IfThenElse::make(load(i) < 9, add(i)))))));
}

TEST(GuardLoads, WhatNeedNotBeGuardedStaysAsItIs) {
    const Stmt no_guard = in_kernel(IfThenElse::make(load(i) > 0, add(i)));
    const Stmt no_load = in_kernel(IfThenElse::make(i > 0 && i < n, add(i)));
    const Stmt two_ways = in_kernel(IfThenElse::make(i < n && load(i) > 0, add(i), add(n)));
    const Stmt on_host = IfThenElse::make(i < n && load(i) > 0, add(i));
    for (const Stmt &s : {no_guard, no_load, two_ways, on_host}) {
        EXPECT_EQ(text(guard_loads(s)), text(s));
    }
}

}  // namespace
}  // namespace warptile
