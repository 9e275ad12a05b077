// For the tests: a context on the emulated card, and kernels of hand-written PTX run on vectors of numbers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda_api.h"

namespace warptile::emulator {

/// The PTX of a kernel `test` with one parameter, the address of its memory in %rd1, and registers of every kind;
/// %r1 holds %tid.x. `before` stands in the module in front of the kernel.
inline std::string kernel(const std::string &body, const std::string &before = "") {
    return ".version 7.0\n.target sm_80\n.address_size 64\n" + before +
           "\n.visible .entry test(.param .u64 .ptr .align 1 memory)\n{\n"
           ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
           "ld.param.b64 %rd1, [memory];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n" +
           body + "\nret;\n}\n";
}

/// `st.global.b32 [memory + 4 * tid], value`.
inline std::string store_own(const std::string &value) {
    return "mul.wide.u32 %rd19, %r1, 4;\nadd.s64 %rd19, %rd1, %rd19;\nst.global.b32 [%rd19], " + value + ";\n";
}

class Card {
public:
    Card() {
        cuInit(0);
        cuCtxCreate_v2(&context_, 0, 0);
    }

    ~Card() { cuCtxDestroy_v2(context_); }

    Card(const Card &) = delete;
    Card &operator=(const Card &) = delete;

    /// Runs `test` of the module on a copy of `memory`, which it changes, and gives the result of the last launch.
    template<class T>
    CUresult run(const std::string &ptx, std::vector<T> &memory, unsigned threads, unsigned blocks = 1,
                 unsigned shared_bytes = 0, int launches = 1) {
        CUmodule module = nullptr;
        CUfunction function = nullptr;
        CUdeviceptr address = 0;
        const size_t bytes = memory.size() * sizeof(T);
        EXPECT_EQ(cuModuleLoadData(&module, ptx.c_str()), 0) << ptx;
        EXPECT_EQ(cuModuleGetFunction(&function, module, "test"), 0);
        EXPECT_EQ(cuMemAlloc_v2(&address, bytes), 0);
        EXPECT_EQ(cuMemcpyHtoD_v2(address, memory.data(), bytes), 0);
        void *parameters[] = {&address};
        testing::internal::CaptureStderr();
        CUresult result = 0;
        for (int k = 0; k < launches && result == 0; k++) {
            result = cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared_bytes, nullptr, parameters, nullptr);
        }
        message_ = testing::internal::GetCapturedStderr();
        if (result == 0) {
            EXPECT_EQ(cuMemcpyDtoH_v2(memory.data(), address, bytes), 0);
            EXPECT_EQ(cuMemFree_v2(address), 0);
            EXPECT_EQ(cuModuleUnload(module), 0);
        }
        return result;
    }

    /// What the last launch said on stderr.
    const std::string &message() const { return message_; }

private:
    CUcontext context_ = nullptr;
    std::string message_;
};

/// The memory after a kernel of one thread, which must succeed.
template<class T>
std::vector<T> after(const std::string &body, std::vector<T> memory, unsigned threads = 1) {
    Card card;
    EXPECT_EQ(card.run(kernel(body), memory, threads), 0) << card.message() << body;
    return memory;
}

}  // namespace warptile::emulator
