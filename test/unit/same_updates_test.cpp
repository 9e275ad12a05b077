// Two candidates for a kernel with an update, the first of which was wrong in the update: whether the second is too.
#include "verify/same_updates.h"

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

bool same(const std::function<void(Group &)> &change) { return has_same_updates(plan_of(), 1, plan_of(change), 1); }

TEST(SameUpdates, AnUpdateThatCannotBeUsedIsNotHelpedByTheFuncsTile) {
    const auto other_tile = [](Group &g) {
        g.tile.axes[0].width = 4;
        g.tail = Tail::RoundUp;
    };
    EXPECT_TRUE(same(other_tile));
    EXPECT_FALSE(same([](Group &g) { g.updates[0].steps = steps_along(0, 4); }));
    EXPECT_FALSE(same([](Group &g) { g.atomic = {false}; }));
    EXPECT_FALSE(same([](Group &g) { g.members.resize(1); }));
}

TEST(SameUpdates, IsThatOfTheKernelWhereverItStands) {
    Plan next = plan_of();
    next.groups.insert(next.groups.begin(), next.groups[0]);
    EXPECT_TRUE(has_same_updates(plan_of(), 1, next, 2));
    EXPECT_FALSE(has_same_updates(plan_of(), 1, next, 1));
    next.derived.resize(1);
    EXPECT_FALSE(has_same_updates(plan_of(), 1, next, 2)) << "it may read something else";
}

}  // namespace
}  // namespace warptile
