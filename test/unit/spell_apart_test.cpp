#include "schedule/spell_apart.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace warptile {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

/// A bin's total, counted at a place that is made of the same data.
struct TotalOfEachBin {
    ImageParam a{Halide::Float(32), 1, "a"};
    Func h{"h"};
    Var x{"x"};

    TotalOfEachBin() {
        const RDom r(0, 100, "r");
        h(x) = 0.0f;
        h(Halide::clamp(Halide::cast<int>(a(r) / 4), 0, 7)) += a(r);
    }

    Halide::Internal::Definition &update() { return definition_of(h); }

    static Halide::Internal::Definition &definition_of(const Func &f) {
        Halide::Internal::Function function = f.function();
        return function.update(0);
    }
};

TEST(SpellApart, LeavesEachExpressionWhatItIs) {
    const auto text = [](const Expr &e) {
        std::ostringstream out;
        out << Halide::Internal::simplify(Halide::Internal::substitute_in_all_lets(e));
        return out.str();
    };
    TotalOfEachBin bins;
    const std::string value = text(bins.update().values()[0]), place = text(bins.update().args()[0]);
    spell_apart(bins.h, 1);
    EXPECT_EQ(text(bins.update().values()[0]), value);
    EXPECT_EQ(text(bins.update().args()[0]), place);
}

TEST(SpellApart, NothingIsLeftThatOccursTwice) {
    TotalOfEachBin bins;
    const Halide::Internal::Let *lifted = bins.update().values()[0].as<Halide::Internal::Let>();
    ASSERT_NE(lifted, nullptr) << "Halide no longer lifts what the place and the value share: is this still needed?";
    spell_apart(bins.h, 1);
    const Expr value = bins.update().values()[0];
    EXPECT_EQ(Halide::Internal::common_subexpression_elimination(value).as<Halide::Internal::Let>(), nullptr);
}

TEST(SpellApart, SpecialisationsAreSpelledToo) {
    TotalOfEachBin bins;
    bins.h.update(0).specialize(bins.a.dim(0).extent() > 5);
    spell_apart(bins.h, 1);
    const Expr value = bins.update().specializations()[0].definition.values()[0];
    EXPECT_EQ(Halide::Internal::common_subexpression_elimination(value).as<Halide::Internal::Let>(), nullptr);
}

/// 2^40 uses of a variable, as a tree.
TEST(SpellApart, ATreeWithoutEndIsLeftOff) {
    Func f("f");
    Var x("x");
    const RDom r(0, 100, "r");
    f(x) = 0;
    Expr e = r.x * 3;
    for (int k = 0; k < 40; k++) {
        e = e * e + k;
    }
    f(Halide::clamp(e, 0, 9)) += e;
    spell_apart(f, 1);
    EXPECT_TRUE(TotalOfEachBin::definition_of(f).values()[0].defined());
}

}  // namespace
}  // namespace warptile
