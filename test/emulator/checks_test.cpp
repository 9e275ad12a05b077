// Errors: what a card would do silently, or at best without a word about where.
#include "card.h"

using namespace warptile::emulator;

namespace {

/// That a kernel with 64 bytes of global memory fails with a code and with words.
void expect_failure(const std::string &body, CUresult code, const std::string &words, unsigned threads = 32,
                    unsigned blocks = 1, unsigned shared_bytes = 256) {
    Card card;
    std::vector<uint32_t> memory(16);
    EXPECT_EQ(card.run(kernel(body), memory, threads, blocks, shared_bytes), code) << card.message() << body;
    EXPECT_NE(card.message().find(words), std::string::npos) << card.message();
    EXPECT_EQ(cuCtxSynchronize(), code >= 700 ? code : 0) << "a failed launch spoils its context";
}

void expect_success(const std::string &body, unsigned threads = 32, unsigned blocks = 1, unsigned shared_bytes = 256) {
    Card card;
    std::vector<uint32_t> memory(16);
    EXPECT_EQ(card.run(kernel(body), memory, threads, blocks, shared_bytes), 0) << card.message();
}

constexpr CUresult invalid_value = 1, illegal_address = 700, timeout = 702, misaligned = 716, failed = 719;

/// %rd2 = 4 * tid.
const std::string own_offset = "mul.wide.u32 %rd2, %r1, 4;\n";

}  // namespace

TEST(Addresses, OutsideEveryAllocation) {
    expect_failure("ld.global.b32 %r2, [%rd1+64];", illegal_address, "lie outside every allocation", 1);
    expect_failure("ld.global.b32 %r2, [%rd1+-4];", illegal_address, "lie outside every allocation", 1);
    expect_failure("st.global.v4.b32 [%rd1+56], {%r1, %r1, %r1, %r1};", illegal_address, "16 bytes", 1);
    expect_success("ld.global.b32 %r2, [%rd1+60];", 1);
}

TEST(Addresses, OutsideSharedAndLocalMemory) {
    expect_failure("st.shared.b32 [256], %r1;", illegal_address, "outside the shared memory", 1);
    expect_failure(".local .align 4 .b8 depot[8];\nst.local.b32 [depot+8], %r1;", illegal_address,
                   "outside the local memory", 1);
}

TEST(Addresses, Misaligned) {
    expect_failure("ld.global.v2.b32 {%r2, %r3}, [%rd1+4];", misaligned, "too large for its alignment", 1);
    expect_failure("ld.global.b32 %r2, [%rd1+2];", misaligned, "too large for its alignment", 1);
}

TEST(Addresses, TheMessageNamesThePlace) {
    expect_failure("setp.ne.b32 %p1, %r1, 5;\n@%p1 ret;\nld.global.b32 %r2, [%rd1+64];", illegal_address,
                   "test, block (0, 0, 0), thread (5, 0, 0), line 16 of the PTX");
}

TEST(SharedRaces, ReadWithoutABarrier) {
    const std::string body =
        own_offset + "st.shared.b32 [%rd2], %r1;\nxor.b32 %r3, %r1, 1;\nmul.wide.u32 %rd3, %r3, 4;\n";
    expect_failure(body + "ld.shared.b32 %r4, [0];", failed, "a data race in shared memory: reads byte 0");
    expect_success(body + "bar.sync 0;\nld.shared.b32 %r4, [%rd3];");
    expect_success(body + "bar.warp.sync -1;\nld.shared.b32 %r4, [%rd3];");
    expect_success(body + "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\nld.shared.b32 %r4, [%rd3];");
}

TEST(SharedRaces, AShuffleOrdersOnlyItsWarp) {
    expect_failure(own_offset + "st.shared.b32 [%rd2], %r1;\nshfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\n"
                                "and.b32 %r3, %r1, 31;\nmul.wide.u32 %rd3, %r3, 4;\nld.shared.b32 %r4, [%rd3];",
                   failed, "thread (32, 0, 0), line 19 of the PTX: a data race", 64);
}

TEST(SharedRaces, WriteAfterReadOfOthers) {
    const std::string body = own_offset + "st.shared.b32 [%rd2], %r1;\nbar.sync 0;\nld.shared.b32 %r4, [0];\n";
    expect_failure(body + "st.shared.b32 [%rd2], 99;", failed, "reads byte 0, which thread (0, 0, 0) wrote");
    expect_success(body + "bar.sync 0;\nst.shared.b32 [%rd2], 99;");
}

TEST(SharedRaces, TheSameValueTwiceIsNone) {
    expect_success("st.shared.b32 [0], 7;\nld.shared.b32 %r2, [0];", 2);
    expect_failure("st.shared.b32 [0], %r1;", failed, "writes byte 0");
}

TEST(SharedRaces, AtomicsAreNone) {
    const std::string cleared = "st.shared.b32 [0], 0;\nbar.sync 0;\nred.shared.add.u32 [0], 1;\n";
    expect_success(cleared);
    expect_failure(cleared + "ld.shared.b32 %r2, [0];", failed, "writes byte 0, which thread (0, 0, 0) read");
}

TEST(SharedMemory, ReadBeforeItIsWritten) {
    expect_failure("ld.shared.b32 %r2, [8];", failed, "which the block has not written", 1);
    expect_failure("setp.ne.b32 %p1, %r1, 1;\n@%p1 ld.shared.b32 %r2, [8];", failed, "not written", 2);
}

TEST(GlobalRaces, BetweenBlocks) {
    expect_failure("mov.u32 %r2, %ctaid.x;\nst.global.b32 [%rd1], %r2;", failed,
                   "which block 0, thread (0, 0, 0) wrote", 1, 2);
    expect_success("st.global.b32 [%rd1], 5;", 1, 2);
    expect_success("mov.u32 %r2, %ctaid.x;\nadd.s32 %r2, %r2, 0f3F800000;\nst.global.b32 [%rd1], %r2;", 1, 2);
    expect_failure("ld.global.b32 %r3, [%rd1];\nmov.u32 %r2, %ctaid.x;\nst.global.b32 [%rd1], 9;", failed, "byte 0", 1,
                   2);
    expect_success("red.global.add.u32 [%rd1], 1;", 32, 2);
}

TEST(GlobalRaces, WhatIsWrittenIsNotReadAsConstant) {
    expect_failure("st.global.b32 [%rd1], 5;\nld.global.nc.b32 %r2, [%rd1];", failed, "reads memory by .nc", 1);
    expect_success("ld.global.nc.b32 %r2, [%rd1];", 32, 2);
}

TEST(GlobalRaces, LaunchesAreOrdered) {
    Card card;
    std::vector<uint32_t> memory(1);
    EXPECT_EQ(card.run(kernel("ld.global.b32 %r2, [%rd1];\nadd.s32 %r2, %r2, 1;\nst.global.b32 [%rd1], %r2;"), memory,
                       1, 1, 0, 3),
              0)
        << card.message();
    EXPECT_EQ(memory[0], 3u);
}

TEST(Shuffles, ReadOfALaneThatIsNotThere) {
    expect_failure("shfl.sync.idx.b32 %r2, %r1, 9, 31, -1;", failed, "reads lane 9, which the block does not have", 8);
    expect_failure("setp.eq.b32 %p1, %r1, 3;\n@%p1 exit;\nshfl.sync.idx.b32 %r2, %r1, 3, 31, -1;", failed,
                   "reads lane 3, which has exited");
    expect_failure("setp.ge.u32 %p1, %r1, 4;\n@%p1 bra OUT;\nshfl.sync.idx.b32 %r2, %r1, 9, 31, 0xf;\nOUT:", failed,
                   "reads lane 9, which");
    expect_failure("shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xff;", failed, "is not in the mask");
}

TEST(Deadlocks, LanesThatNeverMeet) {
    expect_failure(
        "setp.ge.u32 %p1, %r1, 28;\n@%p1 bra OUT;\nshfl.sync.down.b32 %r2, %r1, 1, 31, -1;\nOUT:\nbar.sync 0;", timeout,
        "28 at the shuffle of line 16, 4 at the barrier of line 18");
    expect_failure("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra OTHER;\nshfl.sync.down.b32 %r2, %r1, 1, 31, -1;\nbra OUT;\n"
                   "OTHER:\nshfl.sync.down.b32 %r2, %r1, 1, 31, -1;\nOUT:",
                   timeout, "wait for each other for ever");
}

TEST(Deadlocks, OneWarpAtTwoBarriers) {
    expect_failure("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra OTHER;\nbar.sync 0;\nbra OUT;\nOTHER:\nbar.sync 0;\nOUT:",
                   failed, "others of its warp at the one of line 16");
}

TEST(Traps, FailTheLaunch) { expect_failure("trap;", failed, "an assertion of the kernel does not hold", 1); }

TEST(Limits, OfALaunch) {
    expect_failure("", invalid_value, "takes 1024 in all", 1025);
    expect_failure("", invalid_value, "bytes of shared memory", 1, 1, 50000);
    expect_failure("", invalid_value, "without blocks", 1, 0);
}

TEST(Modules, AnUnknownInstructionIsNamed) {
    Card card;
    CUmodule module = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(cuModuleLoadData(&module, kernel("tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1];").c_str()), 218);
    const std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("line 14: the emulator does not know the instruction 'tex.1d.v4.f32.s32'"),
              std::string::npos)
        << message;
}

TEST(Modules, ForANewerCard) {
    Card card;
    CUmodule module = nullptr;
    std::string ptx = kernel("");
    ptx.replace(ptx.find("sm_80"), 5, "sm_90");
    testing::internal::CaptureStderr();
    EXPECT_EQ(cuModuleLoadData(&module, ptx.c_str()), 209);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("a module for sm_90"), std::string::npos);
}

TEST(Copies, OfBoxes) {
    Card card;
    CUdeviceptr address = 0;
    ASSERT_EQ(cuMemAlloc_v2(&address, 64), 0);
    std::vector<uint8_t> from(64), to(4);
    for (size_t k = 0; k < from.size(); k++) {
        from[k] = static_cast<uint8_t>(k);
    }
    ASSERT_EQ(cuMemcpyHtoD_v2(address, from.data(), from.size()), 0);
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = 2;
    box.srcDevice = address;
    box.srcXInBytes = 3;
    box.srcY = 1;
    box.srcPitch = 8;
    box.srcHeight = 4;
    box.dstMemoryType = 1;
    box.dstHost = to.data();
    box.dstPitch = 2;
    box.dstHeight = 1;
    box.WidthInBytes = 2;
    box.Height = 1;
    box.Depth = 2;
    ASSERT_EQ(cuMemcpy3D_v2(&box), 0);
    EXPECT_EQ(to, (std::vector<uint8_t>{11, 12, 43, 44}));
    testing::internal::CaptureStderr();
    EXPECT_EQ(cuMemcpyDtoH_v2(to.data(), address + 62, 4), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("outside an allocation"), std::string::npos);
}
