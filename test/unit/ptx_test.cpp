// PTX read and counted, with texts whose numbers are worked out by hand.
#include "verify/ptx/liveness.h"
#include "verify/ptx/ptx.h"
#include "verify/ptx/ptx_text.h"

#include <gtest/gtest.h>

using namespace warptile;

namespace {

// Wraps statements into a kernel with plenty of declared registers.
std::string kernel(const std::string &body, const std::string &name = "k") {
    return ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "(\n\t.param .u64 " + name +
           "_param_0\n)\n{\n\t.reg .pred %p<9>;\n\t.reg .b16 %rs<9>;\n\t.reg .b32 %r<99>;\n\t.reg .f32 %f<99>;\n"
           "\t.reg .b64 %rd<99>;\n\t.reg .f64 %fd<9>;\n" +
           body + "}\n";
}

int live(const std::string &body) { return live_registers(parse_ptx(kernel(body)).at(0)); }

InstructionCounts counts(const std::string &body) { return read_ptx(kernel(body)).at(0).counts; }

}  // namespace

TEST(Ptx, FindsEveryKernelInItsOrder) {
    const std::string module = kernel("ret;\n", "zebra") + ".func helper() { ret; }\n" +
                               "// .entry not_one(\n/* .entry nor_this( */\n" + kernel("ret;\n", "ant");
    const std::vector<PtxKernel> kernels = read_ptx(module);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "zebra");
    EXPECT_EQ(kernels[1].name, "ant");
    EXPECT_TRUE(read_ptx("").empty());
    EXPECT_TRUE(read_ptx("no PTX at all { .entry").empty());
    EXPECT_EQ(read_ptx(".entry cut_off(").at(0).counts.other, 0);
}

TEST(Ptx, TakesInstructionsApart) {
    const PtxBody body = parse_ptx(kernel(R"(
$L__BB0_1: // a loop
        .loc 1 2 3
        @!%p1 ld.global.nc.v2.f32 {%f1, %f2}, [%rd1+16]; // two
        call.uni (retval0), f, (param0);
)"))[0];
    ASSERT_EQ(body.instructions.size(), 3u);
    EXPECT_EQ(body.instructions[0].label, "$L__BB0_1");
    const PtxInstruction &load = body.instructions[1];
    EXPECT_EQ(load.guard, "%p1");
    EXPECT_EQ(load.opcode, "ld.global.nc.v2.f32");
    EXPECT_EQ(load.root(), "ld");
    EXPECT_EQ(load.type(), "f32");
    EXPECT_TRUE(load.has("global"));
    EXPECT_TRUE(load.has("f32"));
    EXPECT_FALSE(load.has("glob"));
    EXPECT_EQ(load.operands, (std::vector<std::string>{"{%f1, %f2}", "[%rd1+16]"}));
    EXPECT_EQ(registers_in(load.operands[0]), (std::vector<std::string>{"%f1", "%f2"}));
    EXPECT_EQ(registers_in("[%rd1+16]"), (std::vector<std::string>{"%rd1"}));
    EXPECT_EQ(registers_in("%tid.x"), (std::vector<std::string>{"%tid.x"}));
    EXPECT_EQ(body.bits_of("%rd12"), 64);
    EXPECT_EQ(body.bits_of("%r12"), 32);
    EXPECT_EQ(body.bits_of("%rs1"), 16);
    EXPECT_EQ(body.bits_of("%p1"), 1);
    EXPECT_EQ(body.bits_of("%tid.x"), 0);
}

TEST(Ptx, CountsMemoryAccessesByWidth) {
    const InstructionCounts c = counts(R"(
        ld.param.u64 %rd1, [k_param_0];
        ld.global.nc.f32 %f1, [%rd1];
        ld.global.f32 %f2, [%rd1+4];
        ld.global.nc.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+16];
        ld.global.u8 %rs1, [%rd1];
        st.global.v2.f32 [%rd1], {%f1, %f2};
        ld.u16 %rs2, [%rd1];
        ld.shared.f64 %fd1, [%r1];
        @%p1 st.shared.b32 [%r1], %r2;
        st.local.u32 [%rd2], %r2;
        ld.local.u32 %r3, [%rd2];
        atom.global.add.u32 %r5, [%rd1], 1;
        red.global.add.f32 [%rd1], %f1;
        atom.relaxed.global.cas.b32 %r6, [%rd1], %r1, %r2;
)");
    EXPECT_EQ(c.global.loads, (std::map<int, int>{{1, 1}, {2, 1}, {4, 2}, {16, 1}}));
    EXPECT_EQ(c.global.load_count(), 5);
    EXPECT_EQ(c.global.stores, (std::map<int, int>{{8, 1}}));
    EXPECT_EQ(c.shared.loads, (std::map<int, int>{{8, 1}}));
    EXPECT_EQ(c.shared.stores, (std::map<int, int>{{4, 1}}));
    EXPECT_EQ(c.local.load_count(), 1);
    EXPECT_EQ(c.local.store_count(), 1);
    EXPECT_EQ(c.atomics, 3);
    EXPECT_EQ(c.swaps, 1);
    EXPECT_EQ(c.other, 1);
}

TEST(Ptx, CountsInstructionsByClass) {
    const InstructionCounts c = counts(R"(
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 4;
        mad.lo.s32 %r3, %r1, %r2, 7;
        mul.wide.s32 %rd1, %r3, 4;
        setp.lt.s32 %p1, %r1, 28;
        setp.lt.f32 %p2, %f1, %f2;
        fma.rn.f32 %f3, %f1, %f2, %f1;
        add.f16x2 %r4, %r2, %r3;
        rcp.approx.ftz.f32 %f4, %f3;
        ex2.approx.f32 %f5, %f3;
        div.rn.f32 %f6, %f5, %f4;
        cvt.rn.f32.s32 %f7, %r3;
        shfl.sync.down.b32 %r5|%p3, %r1, 2, 31, -1;
        bar.sync 0;
        barrier.sync 0;
        @%p1 bra $L1;
        trap;
$L1:
        ret;
)");
    EXPECT_EQ(c.int_ops, 4);
    EXPECT_EQ(c.float_ops, 3);
    EXPECT_EQ(c.special_ops, 3);
    EXPECT_EQ(c.conversions, 1);
    EXPECT_EQ(c.shuffles, 1);
    EXPECT_EQ(c.barriers, 2);
    EXPECT_EQ(c.branches, 1);
    EXPECT_EQ(c.traps, 1);
    EXPECT_EQ(c.other, 2);  // mov and ret
}

TEST(Ptx, ReadsDeclaredMemory) {
    const std::string module = ".shared .align 16 .b8 tile[512];\n.shared .align 4 .f32 unused[8];\n"
                               ".extern .shared .align 16 .b8 dynamic[];\n" +
                               kernel(".local .align 8 .b8 __local_depot0[48];\n.shared .align 4 .b32 own[10];\n"
                                      "mov.u32 %r1, tile;\nmov.u32 %r2, dynamic;\n") +
                               kernel("ret;\n", "other");
    const std::vector<PtxKernel> kernels = read_ptx(module);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].shared_bytes, 512 + 40);
    EXPECT_EQ(kernels[0].local_bytes, 48);
    EXPECT_EQ(kernels[1].shared_bytes, 0);
}

TEST(Liveness, StraightLine) {
    // %f1 and %f2 live together, then %f3 takes the place of one; the address takes two registers to the end.
    EXPECT_EQ(live(R"(
        mov.u64 %rd1, %clock64;
        ld.global.f32 %f1, [%rd1];
        ld.global.f32 %f2, [%rd1+4];
        add.f32 %f3, %f1, %f2;
        st.global.f32 [%rd1], %f3;
        ret;
)"),
              4);
    // Nothing is alive, but a result that nobody reads has to be put somewhere.
    EXPECT_EQ(live("mov.u32 %r1, %tid.x;\nret;\n"), 1);
    EXPECT_EQ(live("ret;\n"), 0);
}

TEST(Liveness, ParametersAndBlockIndicesCostNothing) {
    EXPECT_EQ(live(R"(
        ld.param.u64 %rd1, [k_param_0];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %tid.x;
        add.s32 %r3, %r1, %r2;
        st.global.u32 [%rd2], %r3;
        ret;
)"),
              1);
}

TEST(Liveness, WideAndNarrowRegisters) {
    EXPECT_EQ(live("ld.global.f64 %fd1, [%rd9];\nst.global.f64 [%rd9], %fd1;\n"), 2);
    EXPECT_EQ(live("ld.global.u16 %rs1, [%rd9];\nst.global.u16 [%rd9], %rs1;\n"), 1);
    EXPECT_EQ(live("setp.eq.u32 %p1, 1, 2;\n@%p1 bra $L1;\n$L1:\nret;\n"), 0);
    EXPECT_EQ(live("ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd9];\nst.global.v2.f32 [%rd9], {%f1,%f4};\n"), 4);
}

TEST(Liveness, LoopCarriesItsValues) {
    // %f1 (the sum) and %r1 (the counter) live around the loop; %f2 lives inside it only, %f3 across it.
    EXPECT_EQ(live(R"(
        ld.global.f32 %f3, [%rd9];
        ld.global.f32 %f1, [%rd9];
        ld.global.u32 %r1, [%rd9];
$L1:
        ld.global.f32 %f2, [%rd9];
        add.f32 %f1, %f1, %f2;
        sub.s32 %r1, %r1, 1;
        setp.ne.s32 %p1, %r1, 0;
        @%p1 bra $L1;
        add.f32 %f1, %f1, %f3;
        st.global.f32 [%rd9], %f1;
        ret;
)"),
              4);
}

TEST(Liveness, BranchesJoin) {
    // Only one side reads %f1 and only the other %f2: both live at the branch, one on each side of it.
    EXPECT_EQ(live(R"(
        ld.global.f32 %f1, [%rd9];
        ld.global.f32 %f2, [%rd9];
        @%p1 bra $L1;
        ld.global.f32 %f3, [%rd9];
        add.f32 %f4, %f1, %f3;
        bra.uni $L2;
$L1:
        ld.global.f32 %f5, [%rd9];
        ld.global.f32 %f6, [%rd9];
        add.f32 %f4, %f5, %f6;
        add.f32 %f4, %f4, %f2;
$L2:
        st.global.f32 [%rd9], %f4;
        ret;
)"),
              3);
}

TEST(Liveness, GuardedWriteKeepsTheOldValue) {
    // %f1 lives through the guarded write, beside %f2.
    EXPECT_EQ(live(R"(
        ld.global.f32 %f1, [%rd9];
        ld.global.f32 %f2, [%rd9];
        @%p1 mul.f32 %f1, %f2, %f2;
        add.f32 %f3, %f1, %f2;
        st.global.f32 [%rd9], %f3;
)"),
              2);
}

TEST(Liveness, IndirectBranchReachesItsTargets) {
    EXPECT_EQ(live(R"(
        ld.global.f32 %f1, [%rd9];
        ld.global.u32 %r1, [%rd9];
        $L_targets: .branchtargets $L1, $L2;
        brx.idx %r1, $L_targets;
$L1:
        ret;
$L2:
        st.global.f32 [%rd9], %f1;
        ret;
)"),
              2);
}
