// What a pipeline frees on the device goes to its next call and not to the driver, and only to who asks for as much.
#include "tools/bench/running/device_memory.h"

#include "HalideRuntime.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

// What pipelines call at the end of an allocation's life; no header of Halide's has it.
extern "C" void halide_device_free_as_destructor(void *user_context, void *buffer);

namespace warptile::bench {
namespace {

/// A dense buffer of floats, `width` times `height`, that a pipeline allocates.
class Allocation {
public:
    Allocation(int width, int height) {
        dim_[0].extent = width;
        dim_[0].stride = 1;
        dim_[1].extent = height;
        dim_[1].stride = width;
        buffer_.dim = dim_;
        buffer_.dimensions = 2;
        buffer_.type = halide_type_t(halide_type_float, 32);
        EXPECT_EQ(halide_device_malloc(nullptr, &buffer_, &interface), 0);
    }

    uint64_t device() const { return buffer_.device; }

    void free() {
        buffer_.set_device_dirty(true);
        EXPECT_EQ(halide_device_free(nullptr, &buffer_), 0);
        EXPECT_EQ(buffer_.device, 0U);
        EXPECT_EQ(buffer_.device_interface, nullptr);
    }

    halide_buffer_t *buffer() { return &buffer_; }

private:
    static const halide_device_interface_t interface;

    halide_dimension_t dim_[2];
    halide_buffer_t buffer_ = {};
};

const halide_device_interface_t Allocation::interface = {};

class DeviceMemory : public testing::Test {
protected:
    void *runtime = dlopen(FAKE_BUNDLE "/pipelines/device_runtime.so", RTLD_NOW);

    int count(const char *what) const {
        void *const function = dlsym(runtime, what);
        return function ? reinterpret_cast<int (*)()>(function)() : -1;
    }

    int given() const { return count("fake_blocks_given"); }

    int freed() const { return count("fake_blocks_freed"); }
};

TEST_F(DeviceMemory, IsKeptForWhoAsksForAsMuch) {
    ASSERT_NE(runtime, nullptr) << dlerror();
    use_device_memory_of(runtime, true);
    const int before = given(), freed_before = freed();
    Allocation first(10, 20), second(10, 20);
    const uint64_t one = first.device(), two = second.device();
    EXPECT_NE(one, two);
    first.free();
    Allocation larger(10, 21);
    EXPECT_NE(larger.device(), one);
    Allocation as_large(20, 10);
    EXPECT_EQ(as_large.device(), one);
    Allocation third(10, 20);
    EXPECT_NE(third.device(), two);
    EXPECT_EQ(given() - before, 4);
    halide_device_free_as_destructor(nullptr, as_large.buffer());
    Allocation again(10, 20);
    EXPECT_EQ(again.device(), one);
    EXPECT_EQ(given() - before, 4);
    EXPECT_EQ(freed(), freed_before);
}

TEST_F(DeviceMemory, OfOthersIsLeftToTheRuntime) {
    ASSERT_NE(runtime, nullptr) << dlerror();
    use_device_memory_of(runtime, true);
    halide_buffer_t wrapped = {};
    wrapped.device = 1 << 20;
    const int freed_before = freed();
    EXPECT_EQ(halide_device_free(nullptr, &wrapped), 0);
    EXPECT_EQ(freed() - freed_before, 1);
}

TEST_F(DeviceMemory, IsLeftToTheRuntimeWhereItIsNotKept) {
    ASSERT_NE(runtime, nullptr) << dlerror();
    use_device_memory_of(runtime, false);
    const int before = given(), freed_before = freed();
    for (int i = 0; i < 3; i++) {
        Allocation(30, 20).free();
    }
    EXPECT_EQ(given() - before, 3);
    EXPECT_EQ(freed() - freed_before, 3);
}

}  // namespace
}  // namespace warptile::bench
