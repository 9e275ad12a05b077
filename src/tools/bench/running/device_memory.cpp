// The two functions by which pipelines ask Halide's runtime for device memory, defined here so that the linker takes
// these before the runtime's, as its own documentation invites one to do. What is kept is a buffer that still holds its
// memory; the runtime never sees it freed.
#include "tools/bench/running/device_memory.h"

#include "HalideRuntime.h"

#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace {

using Malloc = decltype(&halide_device_malloc);
using Free = decltype(&halide_device_free);

/// Bytes of the smallest block of memory that holds the buffer, whose strides are positive.
size_t bytes_of(const halide_buffer_t &buffer) {
    size_t last = 0;
    for (int d = 0; d < buffer.dimensions; d++) {
        last += size_t(buffer.dim[d].stride) * size_t(buffer.dim[d].extent - 1);
    }
    return (last + 1) * buffer.type.bytes();
}

struct Block {
    uint64_t device = 0;
    const halide_device_interface_t *interface = nullptr;
};

class DeviceMemory {
public:
    void use(void *runtime, bool keep) {
        malloc_ = reinterpret_cast<Malloc>(dlsym(runtime, "halide_device_malloc"));
        free_ = reinterpret_cast<Free>(dlsym(runtime, "halide_device_free"));
        keep_ = keep;
    }

    int allocate(void *user_context, halide_buffer_t *buffer, const halide_device_interface_t *interface) {
        if (!malloc_) {
            return halide_error_code_device_malloc_failed;
        }
        if (!keep_ || buffer->device) {
            return malloc_(user_context, buffer, interface);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<uint64_t> &kept = kept_[{interface, bytes_of(*buffer)}];
        if (!kept.empty()) {
            buffer->device = kept.back();
            buffer->device_interface = interface;
            kept.pop_back();
            return halide_error_code_success;
        }
        const int error = malloc_(user_context, buffer, interface);
        if (error == halide_error_code_success) {
            bytes_of_[buffer->device] = bytes_of(*buffer);
        }
        return error;
    }

    int release(void *user_context, halide_buffer_t *buffer) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto ours = buffer ? bytes_of_.find(buffer->device) : bytes_of_.end();
        if (ours == bytes_of_.end()) {
            return free_ ? free_(user_context, buffer) : halide_error_code_device_free_failed;
        }
        kept_[{buffer->device_interface, ours->second}].push_back(buffer->device);
        buffer->device = 0;
        buffer->device_interface = nullptr;
        buffer->set_device_dirty(false);
        return halide_error_code_success;
    }

private:
    Malloc malloc_ = nullptr;
    Free free_ = nullptr;
    bool keep_ = false;
    std::mutex mutex_;
    std::map<uint64_t, size_t> bytes_of_;  // of the memory that came through here
    std::map<std::pair<const halide_device_interface_t *, size_t>, std::vector<uint64_t>> kept_;
};

// Pipelines call C functions, which have no other way to it.
DeviceMemory &device_memory() {
    static DeviceMemory memory;
    return memory;
}

}  // namespace

extern "C" int halide_device_malloc(void *user_context, halide_buffer_t *buffer,
                                    const halide_device_interface_t *interface) {
    return device_memory().allocate(user_context, buffer, interface);
}

extern "C" int halide_device_free(void *user_context, halide_buffer_t *buffer) {
    return device_memory().release(user_context, buffer);
}

extern "C" void halide_device_free_as_destructor(void *user_context, void *buffer) {
    device_memory().release(user_context, static_cast<halide_buffer_t *>(buffer));
}

namespace warptile::bench {

void use_device_memory_of(void *runtime, bool keep) { device_memory().use(runtime, keep); }

}  // namespace warptile::bench
