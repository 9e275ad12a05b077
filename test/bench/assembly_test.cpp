// Device code as NVIDIA's assembler makes it, where this machine has one.
#include "tools/bench/building/assembly.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace warptile::bench {
namespace {

/// A kernel that loads `live` values before it stores the first of them.
std::string kernel(const std::string &name, int live) {
    std::string text = ".visible .entry " + name + "(.param .u64 p) {\n.reg .u64 %a;\n.reg .f32 %f<" +
                       std::to_string(live) + ">;\nld.param.u64 %a, [p];\n";
    for (int i = 0; i < live; i++) {
        text += "ld.volatile.global.f32 %f" + std::to_string(i) + ", [%a+" + std::to_string(4 * i) + "];\n";
    }
    for (int i = live - 1; i >= 0; i--) {
        text += "st.volatile.global.f32 [%a+" + std::to_string(4 * i) + "], %f" + std::to_string(i) + ";\n";
    }
    return text + "ret;\n}\n";
}

std::filesystem::path written(const std::string &name, const std::string &kernels) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
    std::ofstream(path) << ".version 7.0\n.target sm_80\n.address_size 64\n" << kernels;
    return path;
}

TEST(Assembly, KernelsAreCountedAndWhatTheySpillIsAddedUp) {
    const std::string assembler = find_assembler(WARPTILE_SOURCE_DIR);
    if (assembler.empty()) {
        GTEST_SKIP() << "no ptxas on this machine";
    }
    const auto few = assemble(assembler, written("few.ptx", kernel("one", 8) + kernel("two", 20)), "sm_90");
    ASSERT_TRUE(few);
    EXPECT_EQ(few->kernels, 2);
    EXPECT_EQ(few->spilled_bytes, 0);
    EXPECT_EQ(few->error, "");
    const auto many = assemble(assembler, written("many.ptx", kernel("one", 8) + kernel("two", 200)), "sm_90");
    ASSERT_TRUE(many);
    EXPECT_EQ(many->kernels, 2);
    EXPECT_GT(many->spilled_bytes, 4 * 100);
    const auto broken = assemble(assembler, written("broken.ptx", ".visible .entry broken("), "sm_90");
    ASSERT_TRUE(broken);
    EXPECT_NE(broken->error, "");
}

TEST(Assembly, NothingIsKnownWithoutAnAssemblerOrCode) {
    EXPECT_FALSE(assemble("", written("code.ptx", kernel("one", 8)), "sm_90"));
    EXPECT_NE(assemble("/no/such/ptxas", written("code.ptx", kernel("one", 8)), "sm_90")->error, "");
    for (const std::filesystem::path &code : {written("host.ptx", ""), std::filesystem::path("/no/such/code")}) {
        const auto none = assemble("ptxas", code, "sm_90");
        ASSERT_TRUE(none);
        EXPECT_EQ(none->kernels, 0);
        EXPECT_EQ(none->error, "");
    }
}

}  // namespace
}  // namespace warptile::bench
