// Threads: shuffles, barriers, votes, atomics, calls, and the memory that each kind of thread shares.
#include <numeric>

#include "card.h"

using namespace warptile::emulator;

namespace {

std::vector<uint32_t> shuffled(const std::string &instruction, unsigned threads = 32) {
    return after<uint32_t>(instruction + store_own("%r2"), std::vector<uint32_t>(threads), threads);
}

std::vector<uint32_t> expected(unsigned threads, uint32_t (*of_lane)(uint32_t)) {
    std::vector<uint32_t> all(threads);
    for (uint32_t lane = 0; lane < threads; lane++) {
        all[lane] = of_lane(lane);
    }
    return all;
}

}  // namespace

TEST(Shuffles, EveryMode) {
    EXPECT_EQ(shuffled("shfl.sync.down.b32 %r2, %r1, 3, 31, -1;\n"),
              expected(32, [](uint32_t l) { return l + 3 < 32 ? l + 3 : l; }));
    EXPECT_EQ(shuffled("shfl.sync.up.b32 %r2, %r1, 3, 0, -1;\n"),
              expected(32, [](uint32_t l) { return l >= 3 ? l - 3 : l; }));
    EXPECT_EQ(shuffled("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;\n"), expected(32, [](uint32_t l) { return l ^ 5; }));
    EXPECT_EQ(shuffled("shfl.sync.idx.b32 %r2, %r1, 9, 31, -1;\n"), expected(32, [](uint32_t) { return 9u; }));
}

TEST(Shuffles, Segments) {
    const std::string eight = std::to_string((31 & ~7) << 8 | 31);
    EXPECT_EQ(shuffled("shfl.sync.idx.b32 %r2, %r1, 2, " + eight + ", -1;\n"),
              expected(32, [](uint32_t l) { return (l & ~7u) | 2; }));
    EXPECT_EQ(shuffled("shfl.sync.down.b32 %r2, %r1, 3, " + eight + ", -1;\n"),
              expected(32, [](uint32_t l) { return (l & 7) + 3 < 8 ? l + 3 : l; }));
    EXPECT_EQ(shuffled("shfl.sync.down.b32 %r2, %r1, 3, 7, -1;\n"),
              expected(32, [](uint32_t l) { return l + 3 <= 7 ? l + 3 : l; }));
}

TEST(Shuffles, ThePredicateSaysWhetherTheLaneIsInside) {
    EXPECT_EQ(shuffled("shfl.sync.down.b32 %r2|%p1, %r1, 30, 31, -1;\nselp.b32 %r2, 1, 0, %p1;\n"),
              expected(32, [](uint32_t l) { return l < 2 ? 1u : 0u; }));
}

TEST(Shuffles, ABlockOfLessThanAWarp) {
    EXPECT_EQ(shuffled("shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n", 8), expected(8, [](uint32_t l) { return l ^ 1; }));
}

TEST(Shuffles, OnlyTheLanesOfTheMaskMeet) {
    EXPECT_EQ(shuffled("mov.b32 %r2, 100;\nsetp.ge.u32 %p1, %r1, 4;\n@%p1 bra OUT;\n"
                       "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xf;\nOUT:\n"),
              expected(32, [](uint32_t l) { return l < 4 ? l ^ 1 : 100; }));
}

TEST(Shuffles, WithoutAMaskLanesThatStandThereMeet) {
    EXPECT_EQ(shuffled("mov.b32 %r2, 100;\nsetp.ge.u32 %p1, %r1, 4;\n@%p1 bra OUT;\n"
                       "shfl.bfly.b32 %r2, %r1, 1, 31;\nOUT:\n"),
              expected(32, [](uint32_t l) { return l < 4 ? l ^ 1 : 100; }));
}

TEST(Barriers, OrderSharedMemory) {
    const std::string body = "mul.wide.u32 %rd2, %r1, 4;\nst.shared.b32 [%rd2], %r1;\nbar.sync 0;\n"
                             "sub.s32 %r3, 63, %r1;\nmul.wide.u32 %rd3, %r3, 4;\nld.shared.b32 %r4, [%rd3];\n" +
                             store_own("%r4");
    Card card;
    std::vector<uint32_t> memory(64);
    ASSERT_EQ(card.run(kernel(body), memory, 64, 1, 256), 0) << card.message();
    EXPECT_EQ(memory, expected(64, [](uint32_t t) { return 63 - t; }));
}

TEST(Barriers, ThreadsThatHaveExitedCountAsArrived) {
    EXPECT_EQ(shuffled("setp.ge.u32 %p1, %r1, 8;\n@%p1 exit;\nbar.sync 0;\nmov.b32 %r2, 5;\n", 16),
              expected(16, [](uint32_t t) { return t < 8 ? 5u : 0u; }));
}

TEST(Votes, CountTheLanes) {
    EXPECT_EQ(shuffled("setp.lt.u32 %p1, %r1, 3;\nvote.sync.ballot.b32 %r2, %p1, -1;\n")[31], 7u);
    EXPECT_EQ(shuffled("setp.lt.u32 %p1, %r1, 3;\nvote.sync.all.pred %p2, %p1, -1;\nselp.b32 %r2, 1, 2, %p2;\n")[0],
              2u);
}

TEST(Atomics, EveryOperation) {
    EXPECT_EQ(after<uint32_t>("atom.global.add.u32 %r2, [%rd1], 1;\nred.global.max.u32 [%rd1+4], %r1;\n"
                              "red.global.add.f32 [%rd1+8], 0f3F000000;\natom.global.cas.b32 %r3, [%rd1+12], 0, 9;\n"
                              "red.global.min.s32 [%rd1+16], -4;\nred.global.or.b32 [%rd1+20], 6;\n",
                              {0, 0, 0, 0, 0, 1}, 64),
              (std::vector<uint32_t>{64, 63, 0x42000000, 9, 0xfffffffc, 7}));
}

TEST(Atomics, LoopsOfCompareAndSwap) {
    EXPECT_EQ(after<uint32_t>(
                  "ld.relaxed.sys.global.b32 %r2, [%rd1];\nAGAIN:\nld.global.b32 %r5, [%rd1];\nadd.s32 %r3, %r5, 2;\n"
                  "atom.relaxed.global.cas.b32 %r4, [%rd1], %r2, %r3;\nsetp.eq.b32 %p1, %r4, %r2;\n"
                  "mov.b32 %r2, %r4;\n@%p1 bra OUT;\nbra.uni AGAIN;\nOUT:\n",
                  {0}, 64)[0],
              128u);
}

TEST(Memory, VectorsOfEveryWidth) {
    std::vector<uint32_t> memory(8);
    std::iota(memory.begin(), memory.end(), 1);
    EXPECT_EQ(after<uint32_t>(
                  "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1];\nst.global.v4.b32 [%rd1+16], {%r5, %r4, %r3, %r2};\n"
                  "ld.global.v2.b64 {%rd2, %rd3}, [%rd1];\nst.global.v2.b64 [%rd1], {%rd3, %rd2};",
                  memory),
              (std::vector<uint32_t>{3, 4, 1, 2, 4, 3, 2, 1}));
}

TEST(Memory, TheStackOfAThread) {
    EXPECT_EQ(shuffled(".local .align 4 .b8 depot[8];\n.reg .b64 %SP, %SPL;\nmov.b64 %SPL, depot;\n"
                       "cvta.local.u64 %SP, %SPL;\nst.local.b32 [%SPL+4], %r1;\nld.b32 %r2, [%SP+4];\n"),
              expected(32, [](uint32_t l) { return l; }));
}

TEST(Memory, TablesOfTheModule) {
    Card card;
    std::vector<uint32_t> memory(3);
    const std::string table = ".global .align 4 .u32 primes[3] = {2, 3, 5};\n";
    ASSERT_EQ(card.run(kernel("mov.u64 %rd2, primes;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd2, %rd3;\n"
                              "ld.global.u32 %r2, [%rd3];\n" +
                                  store_own("%r2"),
                              table),
                       memory, 3),
              0);
    EXPECT_EQ(memory, (std::vector<uint32_t>{2, 3, 5}));
}

TEST(Control, FunctionsOfTheModule) {
    Card card;
    std::vector<uint32_t> memory(4);
    const std::string square =
        ".func (.param .b32 result) square(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
        "ld.param.b32 %r1, [x];\nmul.lo.s32 %r2, %r1, %r1;\nst.param.b32 [result], %r2;\nret;\n}\n";
    ASSERT_EQ(
        card.run(kernel("{ // callseq 0, 0\n.param .b32 param0;\nst.param.b32 [param0], %r1;\n.param .b32 retval0;\n"
                        "call.uni (retval0), square, (param0);\nld.param.b32 %r2, [retval0];\n}\n" +
                            store_own("%r2"),
                        square),
                 memory, 4),
        0);
    EXPECT_EQ(memory, (std::vector<uint32_t>{0, 1, 4, 9}));
}

TEST(Control, BranchesByATable) {
    EXPECT_EQ(shuffled("brx.idx %r1, TABLE;\nTABLE: .branchtargets A, B;\nA: mov.b32 %r2, 7;\nbra.uni OUT;\n"
                       "B: mov.b32 %r2, 8;\nOUT:\n",
                       2),
              (std::vector<uint32_t>{7, 8}));
}
