// Registers and spills of hand-written kernels, by each assembler that this machine has.
#include "verify/ptx/assembler.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace warptile;
using Source = KernelResources::Source;

namespace {

// Reads `values` floats and writes them in the opposite order, so that all of them live at once.
std::string reversing_kernel(const std::string &name, int values) {
    std::string s = ".visible .entry " + name + "(.param .u64 " + name + "_in)\n{\n.reg .b64 %rd<3>;\n.reg .f32 %f<" +
                    std::to_string(values) + ">;\nld.param.u64 %rd1, [" + name +
                    "_in];\ncvta.to.global.u64 %rd2, %rd1;\n";
    const auto address = [](int i) { return "[%rd2+" + std::to_string(4 * i) + "]"; };
    for (int i = 0; i < values; i++)
        s += "ld.volatile.global.f32 %f" + std::to_string(i) + ", " + address(i) + ";\n";
    for (int i = values; i-- > 0;)
        s += "st.volatile.global.f32 " + address(values - i) + ", %f" + std::to_string(i) + ";\n";
    return s + "ret;\n}\n";
}

std::string module(const std::string &kernels, const std::string &target = "sm_61") {
    return ".version 6.0\n.target " + target + "\n.address_size 64\n" + kernels;
}

// A shell script in the place of ptxas, as long as it lives.
class FakePtxas {
public:
    explicit FakePtxas(const std::string &commands) {
        path = testing::TempDir() + "ptxas-" + std::to_string(getpid());
        std::ofstream(path) << "#!/bin/sh\n" << commands << "\n";
        chmod(path.c_str(), 0700);
        const char *old = std::getenv("WARPTILE_PTXAS");
        before = old ? old : "";
        setenv("WARPTILE_PTXAS", path.c_str(), 1);
    }

    ~FakePtxas() {
        before.empty() ? unsetenv("WARPTILE_PTXAS") : setenv("WARPTILE_PTXAS", before.c_str(), 1);
        std::remove(path.c_str());
    }

    std::string path, before;
};

}  // namespace

TEST(Assembler, ReadsTheLogInTheOrderOfTheKernels) {
    const std::string log =
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
        "ptxas info    : Function properties for b\n"
        "    16 bytes stack frame, 20 bytes spill stores, 24 bytes spill loads\n"
        "ptxas info    : Used 64 registers, used 1 barriers, 16 bytes cumulative stack size, 512 bytes smem\n"
        "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
        "ptxas info    : Function properties for a\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 10 registers, 360 bytes cmem[0]\n";
    const Assembly a = parse_assembly_log(log, {"a", "b"}, Source::ptxas);
    ASSERT_TRUE(a.ok()) << a.error;
    ASSERT_EQ(a.kernels.size(), 2u);
    EXPECT_EQ(a.kernels[0].name, "a");
    EXPECT_EQ(a.kernels[0].registers, 10);
    EXPECT_FALSE(a.kernels[0].spills());
    EXPECT_EQ(a.kernels[1].name, "b");
    EXPECT_EQ(a.kernels[1].registers, 64);
    EXPECT_EQ(a.kernels[1].stack_bytes, 16);
    EXPECT_EQ(a.kernels[1].spill_store_bytes, 20);
    EXPECT_EQ(a.kernels[1].spill_load_bytes, 24);
    EXPECT_EQ(a.kernels[1].shared_bytes, 512);
    EXPECT_TRUE(a.kernels[1].spills());
    EXPECT_EQ(a.kernels[1].source, Source::ptxas);
    EXPECT_FALSE(parse_assembly_log(log, {"a", "c"}, Source::ptxas).ok());
}

TEST(Assembler, EveryWayCountsRegistersAndSpills) {
    // The large kernel comes first: the assembler's log has another order.
    const std::string ptx = module(reversing_kernel("large", 48) + reversing_kernel("small", 4));
    for (Source way : {Source::library, Source::ptxas, Source::estimate}) {
        const Assembly roomy = assemble_by(way, ptx, 75, 128);
        if (roomy.unable)
            continue;  // not on this machine
        ASSERT_TRUE(roomy.ok()) << roomy.error;
        ASSERT_EQ(roomy.kernels.size(), 2u);
        EXPECT_EQ(roomy.kernels[0].name, "large");
        EXPECT_EQ(roomy.kernels[1].name, "small");
        EXPECT_EQ(roomy.kernels[0].source, way);
        EXPECT_GE(roomy.kernels[0].registers, 48);
        EXPECT_LE(roomy.kernels[0].registers, 64);
        EXPECT_LE(roomy.kernels[1].registers, 16);
        EXPECT_FALSE(roomy.kernels[0].spills());

        const Assembly tight = assemble_by(way, ptx, 75, 32);
        ASSERT_TRUE(tight.ok()) << tight.error;
        EXPECT_LE(tight.kernels[0].registers, 32);
        EXPECT_GE(tight.kernels[0].spill_store_bytes, 4 * (48 - 32));
        EXPECT_GE(tight.kernels[0].stack_bytes, 4 * (48 - 32));
        EXPECT_FALSE(tight.kernels[1].spills());
    }
}

TEST(Assembler, SomeWayIsAlwaysThere) {
    for (int sm : {61, 70, 75, 80, 90}) {
        const Assembly a = assemble(module(reversing_kernel("k", 8)), sm, 64);
        ASSERT_TRUE(a.ok()) << "sm_" << sm << ": " << a.error;
        ASSERT_EQ(a.kernels.size(), 1u);
        EXPECT_GE(a.kernels[0].registers, 8);
        EXPECT_LE(a.kernels[0].registers, 32);
    }
    EXPECT_TRUE(assemble(module(""), 90, 64).kernels.empty());
}

TEST(Assembler, RefusedPtxIsAnErrorAndNotAnEstimate) {
    const std::string wrong = module(".visible .entry k()\n{\n.reg .b32 %r<2>;\nno.such.opcode %r1, 2;\nret;\n}\n");
    for (Source way : {Source::library, Source::ptxas}) {
        const Assembly a = assemble_by(way, wrong, 75, 64);
        if (a.unable)
            continue;
        EXPECT_FALSE(a.ok());
        EXPECT_TRUE(a.kernels.empty());
        EXPECT_FALSE(assemble(wrong, 75, 64).ok());
    }
}

TEST(Assembler, NamedProgramComesFirst) {
    const FakePtxas fake("echo \"ptxas info : Compiling entry function 'k' for '$1'\"\necho 'Used 7 registers'");
    EXPECT_EQ(ptxas_candidates().front(), fake.path);
    const Assembly a = assemble_by(Source::ptxas, module(reversing_kernel("k", 1)), 61, 64);
    ASSERT_TRUE(a.ok()) << a.error;
    EXPECT_EQ(a.kernels[0].registers, 7);
}

TEST(Assembler, ProgramThatDoesNotKnowTheCardIsPassedOver) {
    const FakePtxas fake("echo \"ptxas fatal   : Value 'sm_61' is not defined for option 'gpu-name'\"\nexit 1");
    EXPECT_TRUE(assemble(module(reversing_kernel("k", 4)), 61, 64).ok());
}

TEST(Assembler, CrashIsAnError) {
    const FakePtxas fake("kill -SEGV $$");
    const Assembly a = assemble_by(Source::ptxas, module(reversing_kernel("k", 4)), 61, 64);
    EXPECT_NE(a.error.find("SIGSEGV"), std::string::npos) << a.error;
    EXPECT_FALSE(a.unable);
}
