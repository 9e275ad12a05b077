// Which loops of an update may run side by side, of updates as people write them: a case is one update, and what is
// expected of each of its reduction variables.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "dag/dependences.h"
#include "dag/read.h"

namespace warptile {
namespace {

using namespace Halide;

/// One letter a reduction variable, innermost first: Apart, Sum, scaTter, Ordered; small where it has to be promised;
/// t for one that is apart within each turn of those behind it.
std::string letters(const Stage &update) {
    std::string text;
    for (const Loop &loop : update.loops) {
        if (loop.reduction) {
            const char letter = "ASTO"[static_cast<int>(loop.dependence)];
            text += loop.apart_in_turn && loop.dependence != Dependence::Apart ? 't'
                    : loop.promised                                            ? static_cast<char>(letter - 'A' + 'a')
                                                                               : letter;
        }
    }
    return text;
}

struct Case {
    std::string name;
    std::string expected;
    std::function<void(Func f, Var x, Var y, ImageParam in)> define;
};

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"a_window", "AA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 1, 20);
             f(x, y) = 0.f;
             f(r.x, r.y) = in(r.x - 1, r.y) + in(r.x + 1, r.y);
         }},
        {"turned_shifted_and_strided", "AA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 10, 0, 10);
             f(x, y) = 0.f;
             f(39 - r.y, 2 * r.x + 3) = in(r.x, r.y);
         }},
        {"a_picture_as_one_row", "aa",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(r.x + 30 * r.y, 0) = in(r.x, r.y);
         }},
        {"every_second_place_of_the_others", "aa",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 15, 1, 20);
             f(x, y) = in(x, y);
             const Expr px = 1 + 2 * r.x + (r.y + 1) % 2;
             f(px, r.y) = f(px - 1, r.y) + f(px + 1, r.y) + f(px, r.y - 1) + f(px, r.y + 1);
         }},
        {"every_second_place_of_one_further_on", "OO",  // which is of the same color
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 15, 1, 20);
             f(x, y) = in(x, y);
             const Expr px = 1 + 2 * r.x + (r.y + 1) % 2;
             f(px, r.y) = f(px - 2, r.y) + f(px + 1, r.y - 1);
         }},
        {"a_ring_of_two", "ttO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 15, 1, 7, 1, 9);
             f(x, y) = in(x, y);
             f(r.x + 20 * r.y, r.z % 2) = f(r.x + 1 + 20 * r.y, (r.z - 1) % 2) + f(r.x + 20 * (r.y - 1), (r.z + 1) % 2);
         }},
        {"a_ring_of_two_that_reads_two_before", "OOO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 15, 1, 7, 1, 9);
             f(x, y) = in(x, y);
             f(r.x + 20 * r.y, r.z % 2) = f(r.x + 1 + 20 * r.y, (r.z - 2) % 2) + f(r.x + 20 * (r.y - 1), r.z % 2);
         }},
        {"rows_of_one_row_that_overlap", "tO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(r.x + 29 * r.y, 0) = in(r.x, r.y);
         }},
        {"skewed", "aA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(r.x + r.y, r.y) = in(r.x, r.y);
         }},
        {"two_places_and_a_sum", "AAS",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 16, 0, 16, 0, 30);
             f(x, y) = 0.f;
             f(r.x, r.y) += in(r.x, r.z) * in(r.y, r.z);
         }},
        {"a_sum_with_a_condition", "SS",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 5, 0, 5);
             r.where(in(r.x, r.y) > 0.f);
             f(x, y) = 0.f;
             f(x, y) += in(x + r.x, y + r.y);
         }},
        {"a_histogram_of_each_row", "T",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30);
             f(x, y) = 0.f;
             f(clamp(cast<int>(in(r, y)), 0, 31), y) += 1.f;
         }},
        {"halves_that_meet", "TA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(r.x / 2, r.y) += in(r.x, r.y);
         }},
        {"the_last_of_two_counts", "OA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(r.x / 2, r.y) = in(r.x, r.y);
         }},
        {"a_scan_down_the_columns", "AO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 1, 20);
             f(x, y) = in(x, y);
             f(r.x, r.y) = 0.5f * f(r.x, r.y - 1) + f(r.x, r.y);
         }},
        {"a_swap_of_neighbours", "OA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 20, 0, 20);
             f(x, y) = in(x, y);
             f(r.x, r.y) = f(r.x + 1, r.y);
         }},
        {"read_backwards_up_to_the_middle", "a",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(8, 8);
             f(x, y) = in(x, y);
             f(r, 3) = f(16 - r, 3);
         }},
        {"read_backwards_from_the_middle_on", "aA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 8, 0, 20);
             f(x, y) = in(x, y);
             f(r.x, r.y) = 0.5f * (f(r.x, r.y) + f(16 - r.x, r.y));
         }},
        {"read_backwards_beyond_the_middle", "O",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(7, 9);
             f(x, y) = in(x, y);
             f(r, 3) = f(16 - r, 3);
         }},
        {"read_backwards_over_a_length_that_is_not_known", "O",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(in.width() / 2, in.width() / 2);
             f(x, y) = in(x, y);
             f(r, 3) = f(16 - r, 3);
         }},
        {"even_places_from_odd_ones", "A",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, in.width());
             f(x, y) = 0.f;
             f(2 * r, 3) = 0.5f * (f(2 * r - 1, 3) + f(2 * r + 1, 3));
         }},
        {"even_places_from_even_ones", "O",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, in.width());
             f(x, y) = 0.f;
             f(2 * r, 3) = f(2 * r + 2, 3);
         }},
        {"a_half_from_the_other", "A",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30);
             f(x, y) = in(x, y);
             f(r + 30, 3) = f(r, 3);
         }},
        {"a_half_from_the_other_and_one_more", "O",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 31);
             f(x, y) = in(x, y);
             f(r + 30, 3) = f(r, 3);
         }},
        {"butterflies", "aa",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 8, 0, 4);
             f(x, y) = in(x, y);
             f(r.x + 16 * r.y, 3) = f(r.x + 16 * r.y, 3) - f(r.x + 16 * r.y + 8, 3);
         }},
        {"a_grid_in_time", "ttO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 1, 20, 1, 9);
             f(x, y) = in(x, y);
             const auto at = [&](Expr i, Expr j, Expr t) { return f(i, j + 32 * t); };
             f(r.x, r.y + 32 * r.z) = at(r.x - 1, r.y, r.z - 1) + at(r.x + 1, r.y, r.z - 1) + at(r.x, r.y, r.z - 1);
         }},
        {"each_row_from_the_one_before", "tO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 1, in.height());
             f(x, y) = in(x, y);
             f(r.x, r.y) += min(f(r.x - 1, r.y - 1), f(r.x, r.y - 1), f(r.x + 1, r.y - 1));
         }},
        {"each_point_from_three_before", "OO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 1, 20);
             f(x, y) = in(x, y);
             f(r.x, r.y) += min(f(r.x - 1, r.y - 1), f(r.x, r.y - 1), f(r.x - 1, r.y));
         }},
        {"each_row_from_the_one_before_from_its_end_on", "tO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 0, 20);
             f(x, y) = in(x, y);
             f(r.x, 20 - r.y) = f(r.x - 1, 21 - r.y) + f(r.x + 1, 21 - r.y);
         }},
        {"each_row_from_the_one_before_from_an_end_of_unknown_height", "tO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(1, 30, 1, in.height() - 1);
             const Expr row = in.height() - 1 - r.y;
             f(x, y) = in(x, y);
             f(r.x, row) = f(r.x - 1, row + 1) + f(r.x + 1, row + 1);
         }},
        {"places_of_which_one_is_beyond_an_unknown_width_and_the_other_beyond_a_height", "OA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = in(x, y);
             f(r.x + in.width(), r.y) = f(r.x + in.height(), r.y);
         }},
        {"what_is_below_the_diagonal_from_above_it", "aa",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 30);
             r.where(r.x > r.y);
             f(x, y) = in(x, y);
             f(r.x, r.y) = f(r.y, r.x);
         }},
        {"elimination_without_pivots", "ttO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 30, 0, 30);
             r.where(r.x > r.z && r.y > r.z);
             f(x, y) = in(x, y);
             f(r.x, r.y) -= f(r.x, r.z) * f(r.z, r.y) / f(r.z, r.z);
         }},
        {"shortest_paths", "OOO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 30, 0, 30);
             f(x, y) = in(x, y);
             f(r.x, r.y) = min(f(r.x, r.y), f(r.x, r.z) + f(r.z, r.y));
         }},
        {"the_largest_value_a_bin", "TT",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             Expr bin = clamp(cast<int>(in(r.x, r.y)), 0, 31);
             f(bin, 0) = max(f(bin, 0), in(r.x, r.y));
         }},
        {"written_where_data_say", "OO",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(clamp(cast<int>(in(r.x, r.y)), 0, 31), 0) = in(r.x, r.y);
         }},
        {"written_where_data_say_in_each_row", "OA",
         [](Func f, Var x, Var y, ImageParam in) {
             RDom r(0, 30, 0, 20);
             f(x, y) = 0.f;
             f(clamp(cast<int>(in(r.x, r.y)), 0, 31), r.y) = in(r.x, r.y);
         }},
    };
    return all;
}

class Dependences : public testing::TestWithParam<Case> {};

TEST_P(Dependences, OfEachReductionVariable) {
    Func f("f");
    Var x("x"), y("y");
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    GetParam().define(f, x, y, in);
    f.set_estimates({{0, 640}, {0, 32}});
    const FunctionDag dag = read_function_dag({f}, Target("x86-64-linux-cuda-cuda_capability_80"));
    const Node &node = dag.node(dag.outputs[0]);
    EXPECT_EQ(letters(node.stages[1]), GetParam().expected) << to_string(dag);
}

INSTANTIATE_TEST_SUITE_P(Updates, Dependences, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

TEST(DependencesOfChoices, StayInOrderWhereAnInputIsReadThroughAFunc) {
    const auto letters_of = [](bool clamped) {
        Func stored("stored"), best("best");
        Var x("x");
        ImageParam in(Float(32), 1, "in");
        in.set_estimates({{0, 64}});
        RDom r(0, 60);
        stored(x) = in(clamped ? clamp(x, 0, in.width() - 1) : x) * 2;
        best() = -1.f;
        best() = select(stored(r) > best() || is_nan(stored(r)), stored(r), best());
        const FunctionDag dag = read_function_dag({best}, Target("x86-64-linux-cuda-cuda_capability_80"));
        return letters(dag.node(dag.outputs[0]).stages[1]);
    };
    EXPECT_EQ(letters_of(true), "S");
    EXPECT_EQ(letters_of(false), "O");
}

TEST(DependencesInTheGivenOrder, OnlyWhatRoundsIsOrdered) {
    Func sum("sum"), most("most");
    Var x("x");
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    RDom r(0, 64);
    sum(x) = 0.f;
    sum(x) += in(x, r);
    most(x) = 0.f;
    most(x) = max(most(x), in(x, r));
    sum.set_estimates({{0, 64}});
    most.set_estimates({{0, 64}});
    FunctionDag dag = read_function_dag({sum, most}, Target("x86-64-linux-cuda-cuda_capability_80"));
    keep_given_order(dag);
    EXPECT_EQ(letters(dag.node(dag.outputs[0]).stages[1]), "O");
    EXPECT_EQ(letters(dag.node(dag.outputs[1]).stages[1]), "S");
}

}  // namespace
}  // namespace warptile
