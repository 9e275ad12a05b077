// The driver's functions as programs call them: also from destructors, when a thread's own variables are gone.
#include <thread>

#include "cuda_api.h"
#include "launch.h"

#include <gtest/gtest.h>

namespace warptile::emulator {
namespace {

/// Calls the driver when its thread ends. Made before the thread's first call, it is destroyed after whatever that call
/// made.
struct AtThreadEnd {
    CUcontext context = nullptr;
    int *worked = nullptr;

    ~AtThreadEnd() {
        CUcontext popped = nullptr;
        *worked += cuCtxPopCurrent_v2(&popped) == Success && popped == context;
        *worked += cuCtxPushCurrent_v2(context) == Success;
        *worked += cuCtxDestroy_v2(context) == Success;
        *worked += cuCtxPopCurrent_v2(&popped) == InvalidContext;
    }
};

TEST(Driver, IsCalledFromDestructors) {
    int worked = 0;
    std::thread([&] {
        thread_local AtThreadEnd last;
        last.worked = &worked;
        ASSERT_EQ(cuInit(0), Success);
        ASSERT_EQ(cuCtxCreate_v2(&last.context, 0, 0), Success);
    }).join();
    EXPECT_EQ(worked, 4);
}

TEST(Driver, RefusesMoreContextsThanAThreadHolds) {
    ASSERT_EQ(cuInit(0), Success);
    CUcontext context = nullptr, popped = nullptr;
    ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), Success);
    int pushed = 0;
    while (pushed < 1000 && cuCtxPushCurrent_v2(context) == Success) {
        pushed++;
    }
    EXPECT_LT(pushed, 1000);
    EXPECT_EQ(cuCtxDestroy_v2(context), Success);
    EXPECT_EQ(cuCtxPopCurrent_v2(&popped), InvalidContext);
}

}  // namespace
}  // namespace warptile::emulator
