// Two candidates for a kernel, and what was wrong with the first: whether it is wrong with the second, too.
#include "verify/same_fault.h"

#include <functional>

#include <gtest/gtest.h>

namespace warptile {
namespace {

/// A kernel with an update, as the second group of a plan.
Plan plan_of(const std::function<void(Group &)> &change = {}) {
    Plan plan;
    plan.funcs = 2;
    plan.names = {"first", "out"};
    plan.groups.resize(2);
    plan.groups[1].output = 1;
    plan.groups[1].tile.axes.resize(2);
    plan.groups[1].updates.resize(1);
    plan.groups[1].atomic = {true};
    if (change) {
        change(plan.groups[1]);
    }
    return plan;
}

bool same(const GroupFault &fault, const std::function<void(Group &)> &change) {
    return has_same_fault(fault, plan_of(), 1, plan_of(change), 1);
}

TEST(SameFault, MuchThatIsSpilledIsSpilledInOneLaunchToo) {
    const auto in_one_launch = [](Group &g) { g.tile.one_launch = g.updates[0].one_launch = true; };
    EXPECT_TRUE(same({280, false}, in_one_launch));
    EXPECT_FALSE(same({12, false}, in_one_launch)) << "a register or two are saved";
    EXPECT_FALSE(same({0, false}, in_one_launch)) << "another fault";
    EXPECT_FALSE(same({280, false}, [](Group &g) { g.tile.axes[0].width = 2; }));
    EXPECT_TRUE(has_same_fault({280, false}, plan_of(in_one_launch), 1, plan_of(), 1))
        << "nor does it help the other way";
}

TEST(SameFault, AnUpdateThatCannotBeUsedIsNotHelpedByTheFuncsTile) {
    const auto other_tile = [](Group &g) {
        g.tile.axes[0].width = 4;
        g.tile.one_launch = true;
        g.tail = Tail::RoundUp;
    };
    EXPECT_TRUE(same({0, true}, other_tile));
    EXPECT_FALSE(same({0, false}, other_tile));
    EXPECT_FALSE(same({0, true}, [](Group &g) { g.updates[0].one_launch = true; }));
    EXPECT_FALSE(same({0, true}, [](Group &g) { g.atomic = {false}; }));
    EXPECT_FALSE(same({0, true}, [](Group &g) { g.members.resize(1); }));
}

TEST(SameFault, IsThatOfTheKernelWhereverItStands) {
    Plan next = plan_of();
    next.groups.insert(next.groups.begin(), next.groups[0]);
    EXPECT_TRUE(has_same_fault({0, true}, plan_of(), 1, next, 2));
    EXPECT_FALSE(has_same_fault({0, true}, plan_of(), 1, next, 1));
    next.derived.resize(1);
    EXPECT_FALSE(has_same_fault({0, true}, plan_of(), 1, next, 2)) << "it may read something else";
}

}  // namespace
}  // namespace warptile
