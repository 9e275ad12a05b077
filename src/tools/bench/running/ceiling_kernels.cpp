#include "tools/bench/running/ceiling_kernels.h"

namespace warptile::bench {
namespace {

const char *const head = ".version 6.0\n.target sm_50\n.address_size 64\n\n";

std::string number(int value) { return std::to_string(value); }

}  // namespace

std::string copy_ptx() {
    std::string ptx = std::string(head) + R"(.visible .entry warptile_copy(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<8>;
    .reg .f32 %f<16>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    cvta.to.global.u64 %rd1, %rd1;
    cvta.to.global.u64 %rd2, %rd2;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r1, )" +
                      number(kCopyBytes) +
                      R"(;
    mul.wide.u32 %rd4, %r2, 16;
    add.s64 %rd3, %rd3, %rd4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
)";
    const auto registers = [](int i) {
        return "{%f" + number(4 * i) + ", %f" + number(4 * i + 1) + ", %f" + number(4 * i + 2) + ", %f" +
               number(4 * i + 3) + "}";
    };
    for (int i = 0; i < 4; i++) {
        ptx += "    ld.global.v4.f32 " + registers(i) + ", [%rd2+" + number(i * 16 * kCeilingThreads) + "];\n";
    }
    for (int i = 0; i < 4; i++) {
        ptx += "    st.global.v4.f32 [%rd1+" + number(i * 16 * kCeilingThreads) + "], " + registers(i) + ";\n";
    }
    return ptx + "    ret;\n}\n";
}

std::string multiply_add_ptx() {
    constexpr int sums = 16;
    std::string ptx = std::string(head) + R"(.visible .entry warptile_multiply_add(.param .u64 out, .param .u32 rounds)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    .reg .f32 %s<16>;
    .reg .f32 %f<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [rounds];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r2, %tid.x;
    cvt.rn.f32.u32 %f1, %r2;
    mov.f32 %f2, 0f3F7FF000;
    mov.f32 %f3, 0f3A800000;
)";
    for (int i = 0; i < sums; i++) {
        ptx += "    add.f32 %s" + number(i) + ", %f1, 0f" + (i % 2 ? "3F800000" : "40000000") + ";\n";
    }
    ptx += "ROUND:\n";
    for (int i = 0; i < kMultiplyAdds; i++) {
        const std::string sum = "%s" + number(i % sums);
        ptx += "    fma.rn.f32 " + sum + ", " + sum + ", %f2, %f3;\n";
    }
    ptx += "    sub.u32 %r1, %r1, 1;\n    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra ROUND;\n";
    for (int i = 1; i < sums; i++) {
        ptx += "    add.f32 %s0, %s0, %s" + number(i) + ";\n";
    }
    return ptx + R"(    setp.neu.f32 %p2, %s0, 0fC7F12000;
    @%p2 bra DONE;
    st.global.f32 [%rd1], %s0;
DONE:
    ret;
}
)";
}

}  // namespace warptile::bench
