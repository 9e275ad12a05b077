// Occupancy: values worked out by hand, and our arithmetic against NVIDIA's header on every shipped card.
#include "machine/machine.h"
#include "machine/occupancy.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

GpuSpec card(const std::string &name) { return choose_machine(name, "", 0).gpu; }

void expect_occupancy(const Occupancy &actual, int blocks, int warps, double fraction) {
    EXPECT_EQ(actual.blocks_per_sm, blocks);
    EXPECT_EQ(actual.warps_per_sm, warps);
    EXPECT_DOUBLE_EQ(actual.fraction, fraction);
}

TEST(Occupancy, IsBoundByTheScarcestResource) {
    const GpuSpec h100 = card("h100");
    expect_occupancy(occupancy(h100, 256, 32, 0), 8, 64, 1);             // 64 warps an SM
    expect_occupancy(occupancy(h100, 32, 16, 0), 32, 32, 0.5);           // 32 blocks an SM
    expect_occupancy(occupancy(h100, 256, 64, 0), 4, 32, 0.5);           // 8 warps of 2,048 registers, of 65,536
    expect_occupancy(occupancy(h100, 128, 32, 48 * 1024), 4, 16, 0.25);  // 48 + 1 KB a block, of 228
    expect_occupancy(occupancy(card("gtx1080ti"), 128, 32, 48 * 1024), 2, 8, 0.125);  // 48 KB, of 96
}

TEST(Occupancy, IsZeroWhereAKernelCannotLaunch) {
    const GpuSpec h100 = card("h100");
    expect_occupancy(occupancy(h100, 1056, 32, 0), 0, 0, 0);
    expect_occupancy(occupancy(h100, 1024, 65, 0), 0, 0, 0);
    expect_occupancy(occupancy(h100, 32, 32, 48 * 1024 + 1), 0, 0, 0);
    expect_occupancy(occupancy_by_arithmetic(h100, 32, 32, 2147483647), 0, 0, 0);
}

TEST(Occupancy, CountsBrokenWarpsWhole) { expect_occupancy(occupancy(card("v100"), 33, 32, 0), 32, 64, 1); }

class OccupancyOfCard : public testing::TestWithParam<std::string> {};

TEST_P(OccupancyOfCard, ArithmeticAgreesWithNvidia) {
    const GpuSpec gpu = card(GetParam());
    if (!occupancy_by_nvidia(gpu, 32, 32, 0)) {
        GTEST_SKIP() << "built without cuda_occupancy.h";
    }
    for (int threads = 1; threads <= 1056; threads += threads < 64 ? 31 : 32) {
        for (int registers = 1; registers <= 255; registers += 2) {
            for (const int shared : {0, 1, 100, 1024, 4000, 8 * 1024, 12345, 24 * 1024, 49151, 49152, 49153}) {
                const Occupancy ours = occupancy_by_arithmetic(gpu, threads, registers, shared);
                const Occupancy nvidias = occupancy_by_nvidia(gpu, threads, registers, shared).value();
                ASSERT_EQ(ours.blocks_per_sm, nvidias.blocks_per_sm)
                    << threads << " threads, " << registers << " registers, " << shared << " bytes";
                ASSERT_EQ(ours.warps_per_sm, nvidias.warps_per_sm);
                ASSERT_EQ(ours.fraction, nvidias.fraction);
            }
        }
    }
}

std::string test_name(const testing::TestParamInfo<std::string> &info) {
    std::string name = info.param;
    for (char &c : name) {
        c = c == '-' ? '_' : c;
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(EveryCard, OccupancyOfCard, testing::ValuesIn(known_gpus()), test_name);

}  // namespace
}  // namespace warptile
