// Members moved one by one, by prices that are made up: what is found, what is too little, and when it ends.
#include "search/placing/moves.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

constexpr int kFirst = 7, kSecond = 8, kInput = 9;

/// A kernel with lanes, of two members and a staged input. All are in shared memory unless wished elsewhere.
Kernel kernel_under(const Wishes &wishes) {
    Kernel kernel;
    kernel.tile.lane_axis = 0;
    for (const int node : {kFirst, kSecond, kInput}) {
        Part part;
        part.node = node;
        part.role = node == kInput ? Role::Copy : Role::Func;
        const auto wish = wishes.places.find(node);
        if (wish != wishes.places.end()) {
            part.placement = wish->second.placement;
            part.each_step = wish->second.step_of >= 0;
            part.at = part.each_step ? part_of(kernel, wish->second.step_of) : -1;
        }
        if (wishes.unstaged.count(node) == 0) {
            kernel.parts.push_back(part);
        }
    }
    return kernel;
}

Placement placement_of(const Kernel &kernel, int node) {
    return kernel.parts[static_cast<size_t>(part_of(kernel, node))].placement;
}

using Price = double (*)(const Kernel &);

std::optional<Moved> moved_by(Price price, int most_tries = 100) {
    return move_members(
        [&](const Wishes &wishes) {
            const Kernel kernel = kernel_under(wishes);
            return std::optional<Tried>({kernel, price(kernel)});
        },
        most_tries);
}

TEST(Moves, NoneWhereNothingIsCheaper) {
    EXPECT_FALSE(moved_by([](const Kernel &) { return 10.0; }));
    // Half a percent is nothing that the model can tell.
    EXPECT_FALSE(moved_by([](const Kernel &k) { return placement_of(k, kFirst) == Placement::Warp ? 9.95 : 10.0; }));
}

TEST(Moves, OneMemberAtATimeToWhereItIsCheapest) {
    const std::optional<Moved> moved = moved_by([](const Kernel &k) {
        const bool first = placement_of(k, kFirst) == Placement::Warp;
        const bool second = placement_of(k, kSecond) == Placement::Thread;
        return 10.0 - (first ? 1 : 0) - (second ? 3 : 0);
    });
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->kernel.cost, 6);
    EXPECT_EQ(placement_of(moved->kernel.kernel, kFirst), Placement::Warp);
    EXPECT_EQ(placement_of(moved->kernel.kernel, kSecond), Placement::Thread);
    EXPECT_EQ(moved->wishes.places.size(), 2u);
}

TEST(Moves, TheFirstAgainWhereTheSecondHasMadeRoom) {
    const std::optional<Moved> moved = moved_by([](const Kernel &k) {
        const bool first = placement_of(k, kFirst) == Placement::Warp;
        const bool second = placement_of(k, kSecond) == Placement::Thread;
        return second ? (first ? 7.0 : 9.0) : (first ? 12.0 : 10.0);
    });
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->kernel.cost, 7);
}

TEST(Moves, IntoTheStepsOfAnother) {
    const std::optional<Moved> moved =
        moved_by([](const Kernel &k) { return k.parts[1].each_step && k.parts[1].at == 0 ? 5.0 : 10.0; });
    ASSERT_TRUE(moved);
    EXPECT_TRUE(moved->wishes.places.at(kSecond) == (Place{Placement::Thread, kFirst}));
}

TEST(Moves, AStagedInputIsReadWhereItLies) {
    const std::optional<Moved> moved = moved_by([](const Kernel &k) { return part_of(k, kInput) < 0 ? 5.0 : 10.0; });
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->wishes.unstaged, std::set<int>{kInput});
    EXPECT_EQ(moved->kernel.kernel.parts.size(), 2u);
}

TEST(Moves, EndAfterSoManyTries) {
    int tries = 0;
    const Arrange ever_cheaper = [&](const Wishes &wishes) {
        return std::optional<Tried>({kernel_under(wishes), 1000.0 / ++tries});
    };
    EXPECT_TRUE(move_members(ever_cheaper, 25));
    EXPECT_LE(tries, 26);  // the kernel without wishes, and 25
}

TEST(Moves, AWishThatIsNotGrantedIsNone) {
    const Arrange deaf = [&](const Wishes &wishes) {
        return std::optional<Tried>({kernel_under({}), wishes.places.empty() && wishes.unstaged.empty() ? 10.0 : 1.0});
    };
    EXPECT_FALSE(move_members(deaf, 100));
}

}  // namespace
}  // namespace warptile
