#include "schedule/passes/add_in_place.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Internal::Atomic;
using Halide::Internal::Load;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

Expr load(const char *buffer, const Expr &index) {
    return Load::make(Halide::Float(32), buffer, index, Halide::Buffer<>(), {}, Halide::Internal::const_true(), {});
}

Stmt store(const char *buffer, const Expr &value, const Expr &index) {
    return Store::make(buffer, value, index, {}, Halide::Internal::const_true(), {});
}

const Expr kX = Variable::make(Halide::Int(32), "x"), kLifted = Variable::make(Halide::Int(32), "t0");

/// One place, of which a part was lifted out of the value: h[x * 3 + 1] = (h[t0 + 1] + a[t0]), t0 = x * 3.
Stmt addition() { return store("h", load("h", kLifted + 1) + load("a", kLifted), kX * 3 + 1); }

TEST(AddInPlace, AnAtomicAdditionReadsByThePlaceOfItsStore) {
    const Stmt done = add_in_place(Atomic::make("h", "", addition()));
    const Stmt want = Atomic::make("h", "", store("h", load("h", kX * 3 + 1) + load("a", kLifted), kX * 3 + 1));
    EXPECT_TRUE(Halide::Internal::equal(done, want)) << done;
}

TEST(AddInPlace, OthersStayAsTheyAre) {
    const Stmt atomic = Atomic::make("h", "", store("h", load("h", kX) + 1.0f, kX));
    const Stmt both = Halide::Internal::Block::make(atomic, addition());
    EXPECT_TRUE(Halide::Internal::equal(add_in_place(both), both));
}

/// Halide's code for the addition, as it was and as it is made: the reason why this file exists.
TEST(AddInPlace, IsStillNeeded) {
    const auto added = [](const Stmt &stmt) {
        const Store *s = stmt.as<Store>();
        const Expr delta = Halide::Internal::simplify(
            Halide::Internal::common_subexpression_elimination(s->value - load("h", s->index)));
        return !Halide::Internal::expr_uses_var(delta, "h");
    };
    EXPECT_FALSE(added(addition()));
    const Stmt done = add_in_place(Atomic::make("h", "", addition()));
    EXPECT_TRUE(added(done.as<Atomic>()->body));
}

}  // namespace
}  // namespace warptile
