// Which of the kernels that the model has priced are kept, and which comes first of those that it cannot tell apart.
#include "search/pricing/selection.h"

#include <gtest/gtest.h>

#include "hand_pipelines.h"

namespace warptile {
namespace {

constexpr int kMaxRegisters = 64;

class Selection : public ::testing::Test {
protected:
    const CopyDag copy{1024, 1024, 4};
    const std::shared_ptr<const GroupView> view =
        std::make_shared<const GroupView>(copy.dag, copy.out, std::vector<int>{}, nothing_inlined(copy.dag));
    std::vector<PricedKernel> kernels;

    void add(const char *form, double us, double registers, int shared_members) {
        PricedKernel priced;
        priced.view = view;
        priced.form = form;
        priced.cost.total = us;
        priced.cost.registers = registers;
        priced.kernel.tile.axes = {{0, 1, 32}};
        priced.kernel.parts.resize(static_cast<size_t>(shared_members));
        kernels.push_back(priced);
    }

    std::string first() const { return select_kernels(kernels, kMaxRegisters, 4).front().form; }
};

TEST_F(Selection, TheCheapest) {
    add("a", 10, 30, 3);
    add("b", 10.3, 30, 0);
    EXPECT_EQ(first(), "a");
}

TEST_F(Selection, OfWhatIsAsCheapThatWithFewestPhases) {
    add("a", 10, 30, 3);
    add("b", 10.1, 30, 1);
    add("c", 10.15, 30, 1);
    EXPECT_EQ(first(), "b");
}

// The window that two points read together is another one down a column than along a row.
TEST_F(Selection, BehindOneThatSpillsOneWithItsPointsAlongAnotherLoop) {
    add("a", 10, 60, 0);
    add("a", 10.2, 60, 0);
    kernels[0].kernel.tile.axes = {{0, 2, 32}, {1, 1, 4}};
    kernels[1].kernel.tile.axes = {{0, 2, 16}, {1, 1, 8}};
    EXPECT_EQ(select_kernels(kernels, kMaxRegisters, 4).size(), 1u);
    kernels[1].kernel.tile.axes = {{0, 1, 32}, {1, 2, 4}};
    EXPECT_EQ(select_kernels(kernels, kMaxRegisters, 4).size(), 2u);
}

TEST_F(Selection, NearTheCapThatWithClearlyFewerRegisters) {
    add("a", 10, 60, 0);
    add("b", 10.04, 40, 0);
    EXPECT_EQ(first(), "b");
    kernels.back().cost.total = 10.06;
    EXPECT_EQ(first(), "a");
}

}  // namespace
}  // namespace warptile
