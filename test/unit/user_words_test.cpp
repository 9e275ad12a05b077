// Names as users know them.
#include "schedule/user_words.h"

#include "dag/halide/user_name.h"
#include "test/unit/hand_dag.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

TEST(UserNames, HaveNoSuffix) {
    EXPECT_EQ(user_name("blur"), "blur");
    EXPECT_EQ(user_name("blur$12"), "blur");
    EXPECT_EQ(user_rvar("r$x"), "r.x");
    EXPECT_EQ(user_rvar("r$1$x$2"), "r.x");
    EXPECT_EQ(user_rvar("r$3"), "r");
}

TEST(UserNames, OfTheFuncAroundAnInputAreTheInputs) {
    HandDag h;
    const int in = h.input("in$2", {{0, 9}}), around = h.func("in_im$5", {{0, 9}}, 0),
              im = h.func("in_im", {{0, 9}}, 1);
    h.reads_point(around, in);
    const FunctionDag dag = h.done({around, im});
    EXPECT_EQ(user_name(dag, dag.node(around)), "in");
    EXPECT_EQ(user_name(dag, dag.node(im)), "in_im") << "a Func of the user's that reads no such input";
}

Plan example() {
    Plan plan;
    plan.funcs = 3;
    plan.names = {"in_im", "sum$1", "out"};
    Derived copy, partial, twice, copy_of_partial;
    copy.source = 0;
    copy.consumers = {2};
    partial.kind = twice.kind = Derived::Kind::Partial;
    partial.source = 1;
    twice.source = 4;
    copy_of_partial.source = 5;
    plan.derived = {copy, partial, twice, copy_of_partial};
    return plan;
}

TEST(UserWords, NameNoFuncThatThePlanMakes) {
    const UserWords words(example(), {"in", "sum", "out"});
    EXPECT_EQ(words.in("kernel of 'sum$1_intm', stage 1: 'in_im_in_out$0' went away"),
              "kernel of 'sum', stage 1: 'in' went away");
    EXPECT_EQ(words.in("sum_intm_intm_global_wrapper$0.s0.x sum_intm$3[out]"), "sum.s0.x sum[out]");
    EXPECT_EQ(words.in("a summer of sum_in, outer"), "a summer of sum_in, outer");
    EXPECT_EQ(words.name(6), "sum");
    EXPECT_EQ(words.name(3), "in");
}

TEST(UserWords, AreThePlansNamesWithoutSuffixesWhereNoOthersAreGiven) {
    const UserWords words(example(), {});
    EXPECT_EQ(words.in("'in_im_in_out$0' of 'sum$1_intm'"), "'in_im' of 'sum'");
}

TEST(UserWords, KeepTheUsersOwnNamesThatLookAlike) {
    Plan plan = example();
    plan.names[2] = "sum_intm$7";
    EXPECT_EQ(UserWords(plan, {}).in("'sum_intm$7' and 'in_im_in_sum_intm$0'"), "'sum_intm' and 'in_im'");
}

}  // namespace
}  // namespace warptile
