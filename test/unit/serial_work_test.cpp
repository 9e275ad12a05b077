// What runs in few threads though it is no chain: pipelines and plans by hand, each with a neighbour that is as it
// should be.
#include "model/serial_work.h"
#include "test/unit/hand_dag.h"

#include <gtest/gtest.h>

#include "test/support/words.h"

namespace warptile {
namespace {

constexpr int64_t kLong = 100000;

/// One Func with one update, computed at root.
struct Example {
    HandDag dag;
    int func = 0;
    Plan plan;

    Example(Region estimate, int64_t length) {
        func = dag.func("f$3", std::move(estimate), 1);
        dag.reduce(func, length, 1);
        meet(Dependence::Sum);
        plan.funcs = 1;
        plan.names = {"f$3"};
        plan.groups.resize(1);
        plan.groups[0].updates.resize(1);
        plan.groups[0].atomic = {false};
    }

    Stage &update() { return dag.node(func).stages[1]; }

    int reduction() { return static_cast<int>(update().loops.size()) - 1; }

    /// The update stores where its reduction leads in the last dimension, and reads `lo` to `hi` from there.
    void walk(int64_t lo, int64_t hi) {
        update().associative = update().commutative = false;
        update().scatters = true;
        update().loops.erase(update().loops.end() - 2);
        update().pure_of_dim.back() = -1;
        Access own;
        for (size_t d = 0; d + 1 < update().pure_of_dim.size(); d++) {
            own.axes.push_back(HandDag::along(static_cast<int>(d)));
        }
        own.axes.push_back(HandDag::along(reduction(), lo, hi));
        update().own = {own};
        meet(lo == hi ? Dependence::Apart : Dependence::Ordered);
    }

    /// What the steps of its reduction do to each other.
    void meet(Dependence dependence) { update().loops.back().dependence = dependence; }

    std::vector<Notice> notices(bool reassociate = true) { return serial_work(plan, dag.done({func}), reassociate); }

    std::string reason(bool reassociate = true) {
        const std::vector<Notice> all = notices(reassociate);
        EXPECT_EQ(all.size(), 1U);
        if (all.empty()) {
            return "";
        }
        EXPECT_EQ(all[0].func, "f");
        return all[0].reason;
    }
};

TEST(SerialWork, ASumInOneThread) {
    Example e({}, kLong);
    expect_words(e.reason(), {"update(0)", "one thread", "100000 steps"});
}

TEST(SerialWork, AShortSumIsNone) { EXPECT_TRUE(Example({}, 1000).notices().empty()); }

TEST(SerialWork, ASumThatIsSplitIsNone) {
    Example e({}, kLong);
    Derived partial;
    partial.kind = Derived::Kind::Partial;
    partial.factor = 1024;
    e.plan.derived = {partial};
    Group parts;
    parts.output = 1;
    e.plan.groups.insert(e.plan.groups.begin(), parts);
    EXPECT_TRUE(e.notices().empty());
}

TEST(SerialWork, AFewPartsAreFew) {
    Example e({}, kLong);
    Derived partial;
    partial.kind = Derived::Kind::Partial;
    partial.factor = 4;
    e.plan.derived = {partial};
    Member m;
    m.func = 1;
    m.axes = {{0, 1, 4}};
    e.plan.groups[0].members = {m};
    expect_words(e.reason(), {"4 threads", "25000 steps each"});
}

TEST(SerialWork, AWarpOrTwoAreFewWhereEachHasLongToGo) {
    Example e({{0, 63}}, 12544);
    expect_words(e.reason(), {"64 threads", "12544 steps each"});
    EXPECT_TRUE(Example({{0, 63}}, 1000).notices().empty());
    EXPECT_TRUE(Example({{0, 1023}}, 12544).notices().empty());
}

TEST(SerialWork, SaysThatAConditionIsTheReason) {
    Example e({}, kLong);
    e.update().has_predicate = true;
    expect_words(e.reason(), {"`where`"});
}

TEST(SerialWork, SaysThatTheUserIsTheReason) {
    Example e({}, kLong);
    expect_words(e.reason(false), {"reassociate=false"});
    e.update().ops = {};  // integers do not mind
    EXPECT_EQ(e.reason(false).find("reassociate"), std::string::npos);
}

TEST(SerialWork, AScanIsAChain) {
    Example e({{0, kLong - 1}}, kLong);
    e.plan.groups[0].updates[0] = KernelTile();
    e.walk(-1, 0);
    EXPECT_TRUE(e.notices().empty());
}

TEST(SerialWork, StoresAtPlacesOfTheirOwnAreNone) {
    Example e({{0, kLong - 1}}, kLong);
    e.walk(0, 0);
    expect_words(e.reason(), {"one thread"});
}

TEST(SerialWork, ScansOfManyColumnsInOneThread) {
    Example e({{0, 1023}, {0, 1999}}, 2000);
    e.walk(-1, 0);
    EXPECT_TRUE(e.notices().empty()) << "a thread a column";
    AxisTile all;
    all.width = 1024;
    e.plan.groups[0].updates[0].axes = {all};
    expect_words(e.reason(), {"one thread", "2048000 steps"});
}

TEST(SerialWork, AnOperationThatIsNotKnownToCommuteIsTheReason) {
    Example e({}, kLong);  // at one place
    e.update().associative = e.update().commutative = false;
    Access there;
    e.update().own = {there};
    e.meet(Dependence::Ordered);
    expect_words(e.reason(), {"one thread", "not known to be associative"});
}

TEST(SerialWork, WhatIsReadWhereDataSayIsAChain) {
    Example e({{0, kLong - 1}}, kLong);
    e.walk(0, 0);
    Access parent;
    parent.axes.resize(1);
    parent.axes[0].kind = AxisAccess::Kind::Unknown;
    e.update().own.push_back(parent);
    e.meet(Dependence::Ordered);
    EXPECT_TRUE(e.notices().empty());
}

TEST(SerialWork, WhatIsAddedWhereDataSay) {
    Example e({{0, 255}}, kLong);
    e.walk(0, 0);
    e.update().own[0].axes[0] = AxisAccess();
    e.update().own[0].axes[0].kind = AxisAccess::Kind::Unknown;
    e.meet(Dependence::Ordered);
    expect_words(e.reason(), {"one thread", "not known to be associative"});
    e.update().associative = e.update().commutative = true;
    e.meet(Dependence::Scatter);
    expect_words(e.reason(), {"one thread", "no way was found"});
    AxisTile share;
    share.dim = 1;
    share.threads = 256;
    e.plan.groups[0].updates[0].axes = {share};
    e.plan.groups[0].atomic = {true};
    EXPECT_TRUE(e.notices().empty());
}

TEST(SerialWork, WhatTheHostDoesIsNone) {
    Example e({}, kLong);
    e.plan.groups[0].on_host = true;
    EXPECT_TRUE(e.notices().empty());
}

}  // namespace
}  // namespace warptile
