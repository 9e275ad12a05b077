// Which updates are choices that may be joined in any order: a case is one update as people write it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "dag/halide/choice.h"

namespace warptile {
namespace {

using namespace Halide;

struct Case {
    std::string name;
    bool chooses;
    std::function<void(Func f, ImageParam in, RDom r)> define;
};

Expr lowest() { return std::numeric_limits<float>::lowest(); }

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"the_first_of_the_largest", true,
         [](Func f, ImageParam in, RDom r) {
             f() = Tuple(0, 0, lowest());
             const Expr larger = in(r.x, r.y) > f()[2];
             f() =
                 Tuple(select(larger, r.x, f()[0]), select(larger, r.y, f()[1]), select(larger, in(r.x, r.y), f()[2]));
         }},
        // What it begins with would come after the first steps, of which one may be as large.
        {"that_begins_behind_the_first_step", false,
         [](Func f, ImageParam in, RDom r) {
             f() = Tuple(1, 1, lowest());
             const Expr larger = in(r.x, r.y) > f()[2];
             f() =
                 Tuple(select(larger, r.x, f()[0]), select(larger, r.y, f()[1]), select(larger, in(r.x, r.y), f()[2]));
         }},
        // Of two that are as large the place in the row does not tell which was first.
        {"the_column_of_the_largest", false,
         [](Func f, ImageParam in, RDom r) {
             f() = Tuple(0, lowest());
             const Expr larger = in(r.x, r.y) > f()[1];
             f() = Tuple(select(larger, r.x, f()[0]), select(larger, in(r.x, r.y), f()[1]));
         }},
        // What it begins with is where the first step is, and may have another payload.
        {"a_payload_of_the_last_of_the_largest_that_begins_at_the_first_step", false,
         [](Func f, ImageParam in, RDom r) {
             f() = Tuple(0, 0, lowest(), 1.0f);
             const Expr smaller = in(r.x, r.y) < f()[2];
             f() = Tuple(select(smaller, f()[0], r.x), select(smaller, f()[1], r.y),
                         select(smaller, f()[2], in(r.x, r.y)), select(smaller, f()[3], in(r.y, r.x)));
         }},
        {"the_last_that_is_not_smaller", true,
         [](Func f, ImageParam in, RDom r) {
             f() = Tuple(0, 0, lowest());
             const Expr smaller = in(r.x, r.y) < f()[2];
             f() = Tuple(select(smaller, f()[0], r.x), select(smaller, f()[1], r.y),
                         select(smaller, f()[2], in(r.x, r.y)));
         }},
        {"the_last_of_the_largest_integers", true,
         [](Func f, ImageParam in, RDom r) {
             const Expr value = cast<int>(in(r.x, r.y));
             f() = Tuple(-1, -1, Int(32).min());
             const Expr smaller = value < f()[2];
             f() = Tuple(select(smaller, f()[0], r.x), select(smaller, f()[1], r.y), select(smaller, f()[2], value));
         }},
        {"the_largest_that_minds_nan", true,
         [](Func f, ImageParam in, RDom r) {
             f() = lowest();
             f() = select(in(r.x, r.y) > f() || is_nan(in(r.x, r.y)), in(r.x, r.y), f());
         }},
        {"the_last_that_is_positive", false,
         [](Func f, ImageParam in, RDom r) {
             f() = 0.0f;
             f() = select(in(r.x, r.y) > 0.0f, in(r.x, r.y), f());
         }},
        // Not what is stored is compared.
        {"the_value_with_the_largest_square", false,
         [](Func f, ImageParam in, RDom r) {
             f() = 0.0f;
             f() = select(in(r.x, r.y) * in(r.x, r.y) > f() * f(), in(r.x, r.y), f());
         }},
        {"larger_than_half_of_the_largest", false,
         [](Func f, ImageParam in, RDom r) {
             f() = 0.0f;
             f() = select(in(r.x, r.y) > f() * 0.5f, in(r.x, r.y), f());
         }},
    };
    return all;
}

class Choices : public testing::TestWithParam<Case> {};

TEST_P(Choices, AreToldFromOthers) {
    Func f("f");
    ImageParam in(Float(32), 2, "in");
    GetParam().define(f, in, RDom(0, in.width(), 0, in.height(), "r"));
    EXPECT_EQ(chooses_in_any_order(f.function(), 0), GetParam().chooses);
}

INSTANTIATE_TEST_SUITE_P(Updates, Choices, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

}  // namespace
}  // namespace warptile
