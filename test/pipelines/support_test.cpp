// The helpers that other tests lean on fail where they must.

#include <gtest/gtest-spi.h>

#include "test/support/host_mirror.h"
#include "test/support/words.h"

namespace warptile {
namespace {

TEST(Support, AWrongValueIsNamedWithItsPlace) {
    const Halide::Buffer<int> right = numbers({5, 3});
    Halide::Buffer<int> wrong = right.copy();
    expect_same_values<int>(right, wrong);
    wrong(2, 1) += 1;
    EXPECT_NONFATAL_FAILURE(expect_same_values<int>(right, wrong), "at 2 1");
    expect_same_values<int>(right, wrong, 1);
}

TEST(Support, AValueThatIsNoNumberIsWrong) {
    const Halide::Buffer<float> right = numbers<float>({4});
    Halide::Buffer<float> wrong = right.copy();
    wrong(3) = NAN;
    EXPECT_NONFATAL_FAILURE(expect_same_values<float>(right, wrong, 100), "at 3");
}

TEST(Support, AMissingWordIsNamed) {
    expect_words("one and two", {"one", "two"});
    EXPECT_NONFATAL_FAILURE(expect_words("one and two", {"one", "three"}), "three");
    EXPECT_EQ(count("abab", "ab"), 2u);
}

}  // namespace
}  // namespace warptile
