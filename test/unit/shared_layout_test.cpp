// Shared memory of a kernel with elements of several widths, padded so that Halide's sum of bytes holds all of it.

#include <gtest/gtest.h>

#include "schedule/shared_layout.h"

namespace warptile {
namespace {

Member member(Placement placement, std::vector<int64_t> storage) {
    Member m;
    m.placement = placement;
    m.storage = std::move(storage);
    return m;
}

TEST(SharedLayout, PadsNarrowElementsToTheWidest) {
    // Beside doubles a multiple of 8 bytes is wanted: three rows of single bytes take 8 columns for 5, and three of
    // halves a multiple of 4 columns, 8 as well.
    std::vector<Member> members = {member(Placement::Block, {10}), member(Placement::Block, {5, 3}),
                                   member(Placement::Block, {5, 3})};
    pad_shared_storage({{8}, {1}, {2}}, members);
    EXPECT_EQ(members[0].storage, (std::vector<int64_t>{10}));
    EXPECT_EQ(members[1].storage, (std::vector<int64_t>{8, 3}));
    EXPECT_EQ(members[2].storage, (std::vector<int64_t>{8, 3}));
    EXPECT_TRUE(unpadded_members({{8}, {1}, {2}}, members).empty());
}

TEST(SharedLayout, LeavesOneWidthAndRegistersAlone) {
    std::vector<Member> members = {member(Placement::Block, {5}), member(Placement::Block, {7, 3}),
                                   member(Placement::Warp, {32}), member(Placement::Thread, {1})};
    const ElementBytes elements = {{2}, {2}, {8}, {1}};
    pad_shared_storage(elements, members);
    EXPECT_EQ(members[0].storage, (std::vector<int64_t>{5}));
    EXPECT_EQ(members[1].storage, (std::vector<int64_t>{7, 3}));
    EXPECT_EQ(members[3].storage, (std::vector<int64_t>{1}));
    EXPECT_TRUE(unpadded_members(elements, members).empty());
}

TEST(SharedLayout, CountsEachElementOfATuple) {
    std::vector<Member> members = {member(Placement::Block, {3})};
    EXPECT_EQ(unpadded_members({{1, 4, 2}}, members), (std::vector<size_t>{0, 0}));
    pad_shared_storage({{1, 4, 2}}, members);
    EXPECT_EQ(members[0].storage, (std::vector<int64_t>{4}));
    EXPECT_TRUE(unpadded_members({{1, 4, 2}}, members).empty());
}

TEST(SharedLayout, RowsThatAreReadAcrossAreAnOddNumberOfWordsLong) {
    EXPECT_EQ(padded_row(32, {4}), 33);
    EXPECT_EQ(padded_row(33, {4}), 33);
    EXPECT_EQ(padded_row(32, {2}), 34);  // 17 words
    EXPECT_EQ(padded_row(29, {1}), 36);  // 9 words
    EXPECT_EQ(padded_row(16, {8}), 17);  // of doubles, which take two banks each
    EXPECT_EQ(padded_row(16, {2, 4}), 17);
}

TEST(SharedLayout, CannotPadAPointOrWhatIsLeftToHalide) {
    std::vector<Member> members = {member(Placement::Block, {}), member(Placement::Block, {0}),
                                   member(Placement::Block, {2})};
    const ElementBytes elements = {{1}, {1}, {4}};
    pad_shared_storage(elements, members);
    EXPECT_TRUE(members[0].storage.empty());
    EXPECT_EQ(members[1].storage, (std::vector<int64_t>{0}));
    EXPECT_EQ(unpadded_members(elements, members), (std::vector<size_t>{0, 1}));
}

}  // namespace
}  // namespace warptile
