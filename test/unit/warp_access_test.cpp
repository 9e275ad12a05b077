// What a warp's load asks of memory, counted by hand and as an H200 took it (cycles a load, side by side with others of
// its kind): the turns of the banks, and a quarter of the lines.

#include <gtest/gtest.h>

#include "model/warp_access.h"

namespace warptile {
namespace {

/// A load of a plane: `along` says how far each loop goes in its rows and `across` from row to row.
ExpandedLoad load_of(const std::vector<double> &along, const std::vector<double> &across) {
    ExpandedLoad load;
    load.axes.resize(2);
    load.axes[0].slope = along;
    load.axes[1].slope = across;
    return load;
}

const ExpandedLoad kPlane = load_of({1, 0}, {0, 1});

/// Rows of `width` lanes of a plane of floats, whose rows are so many floats long.
WarpAccess rows_of(int width, int64_t row) {
    return access_of(kPlane, {{0, 1, width}, {1, 1, 32 / width}}, dense_layout({row, 1024}, 4));
}

TEST(WarpAccess, OfARowIsAsManyPiecesAsItIsLong) {
    const WarpAccess floats = access_of(kPlane, {{0, 1, 32}}, dense_layout({1024, 1024}, 4));
    EXPECT_EQ(floats.pieces, 4);
    EXPECT_EQ(floats.lines, 1);
    EXPECT_EQ(floats.turns, 1);
    const WarpAccess bytes = access_of(kPlane, {{0, 1, 32}}, dense_layout({1024, 1024}, 1));
    EXPECT_EQ(bytes.pieces, 1);
    const WarpAccess doubles = access_of(kPlane, {{0, 1, 32}}, dense_layout({1024, 1024}, 8));
    EXPECT_EQ(doubles.pieces, 8);
    EXPECT_EQ(doubles.turns, 2);
    EXPECT_EQ(access_of(kPlane, {{0, 1, 32}}, dense_layout({1024, 1024}, 4), 128).pieces, 1);
}

TEST(WarpAccess, OfEverySecondFloatComesToEachBankTwice) {
    const WarpAccess second = access_of(load_of({2}, {0}), {{0, 1, 32}}, dense_layout({1024, 1024}, 4));
    EXPECT_EQ(second.pieces, 8);
    EXPECT_EQ(second.turns, 2);
    // Lanes that have two points each are as far apart.
    EXPECT_EQ(access_of(load_of({1}, {0}), {{0, 2, 32}}, dense_layout({1024, 1024}, 4)).turns, 2);
    EXPECT_EQ(access_of(load_of({3}, {0}), {{0, 1, 32}}, dense_layout({1024, 1024}, 4)).turns, 1);
    EXPECT_EQ(access_of(load_of({12}, {0}), {{0, 1, 32}}, dense_layout({1024, 1024}, 4)).turns, 4);
    EXPECT_EQ(access_of(load_of({-1}, {0}), {{0, 1, 32}}, dense_layout({1024, 1024}, 4)).turns, 1);
}

// The turns: 2, 4, 8, 16 and 32 cycles on the card where rows begin in the same bank.
TEST(WarpAccess, OfSeveralRowsDependsOnWhereTheyBegin) {
    EXPECT_EQ(rows_of(16, 1024).turns, 2);
    EXPECT_EQ(rows_of(8, 1024).turns, 4);
    EXPECT_EQ(rows_of(4, 1024).turns, 8);
    EXPECT_EQ(rows_of(2, 1024).turns, 16);
    EXPECT_EQ(rows_of(8, 1024 + 8).turns, 1);
    EXPECT_EQ(rows_of(16, 1024 + 16).turns, 1);
    EXPECT_EQ(rows_of(8, 1024 + 16).turns, 2);
    EXPECT_EQ(rows_of(4, 1024 + 8).turns, 2);
    EXPECT_EQ(rows_of(8, 1024).pieces, 4);
    EXPECT_EQ(rows_of(8, 1024).lines, 4);
}

TEST(WarpAccess, OfATransposeIsALineALane) {
    const ExpandedLoad transposed = load_of({0, 1}, {1, 0});
    const WarpAccess whole_lines = access_of(transposed, {{0, 1, 32}}, dense_layout({1024, 1024}, 4));
    EXPECT_EQ(whole_lines.pieces, 32);
    EXPECT_EQ(whole_lines.lines, 32);
    EXPECT_EQ(whole_lines.turns, 32);
    // Of rows of an odd number of words each lane has a bank of its own.
    EXPECT_EQ(access_of(transposed, {{0, 1, 32}}, dense_layout({33, 1024}, 4)).turns, 1);
    // Of rows of two floats, 32 are 256 bytes.
    EXPECT_EQ(access_of(transposed, {{0, 1, 32}}, dense_layout({2, 1024}, 4)).lines, 2);
}

TEST(WarpAccess, OfWhatDoesNotGoWithTheLanesIsOnePlace) {
    EXPECT_EQ(access_of(load_of({0, 0}, {0, 1}), {{0, 1, 32}}, dense_layout({1024, 1024}, 4)).pieces, 1);
    // Two rows of 16 lanes, of which the load walks the rows alone.
    const WarpAccess rows = access_of(load_of({0, 0}, {0, 1}), {{0, 1, 16}, {1, 1, 2}}, dense_layout({1024, 9}, 4));
    EXPECT_EQ(rows.pieces, 2);
    EXPECT_EQ(rows.turns, 2);
}

// x / 2 and y / 2: 16 floats, of one row for two.
TEST(WarpAccess, OfHalvesIsOfWholePlaces) {
    const ExpandedLoad halves = load_of({0.5, 0}, {0, 0.5});
    EXPECT_EQ(access_of(halves, {{0, 1, 32}}, dense_layout({1024, 9}, 4)).pieces, 2);
    const WarpAccess rows = access_of(halves, {{0, 1, 16}, {1, 1, 2}}, dense_layout({1024, 9}, 4));
    EXPECT_EQ(rows.pieces, 1);
    EXPECT_EQ(rows.turns, 1);
}

// Estimates of 2^31 in each of four dimensions are 2^126 bytes: the lanes' rows are at least not one.
TEST(WarpAccess, OfRowsFurtherApartThanAnyMemoryIsCountedAllTheSame) {
    ExpandedLoad far;
    far.axes.resize(4);
    for (LoadAxis &axis : far.axes) {
        axis.slope = {0};
    }
    far.axes[3].slope = {-1};
    const int64_t most = int64_t(1) << 31;
    const WarpAccess rows = access_of(far, {{0, 1, 32}}, dense_layout({most, most, most, most}, 4));
    EXPECT_EQ(rows.lines, 2);  // the first, and what is too far away
    EXPECT_EQ(rows.turns, 2);
}

TEST(WarpAccess, OfPlacesThatDataChooseIsAGuess) {
    ExpandedLoad gather = kPlane;
    gather.axes[0].known = false;
    EXPECT_EQ(access_of(gather, {{0, 1, 32}}, dense_layout({1024, 1024}, 4)).pieces, 16);
}

}  // namespace
}  // namespace warptile
