// Halide's runtime, as far as a pipeline's device memory goes: memory is a number, and what is asked for is counted.
#include "HalideRuntime.h"

namespace {

uint64_t given = 0;
int freed = 0;

}  // namespace

extern "C" int halide_device_malloc(void *, halide_buffer_t *buffer, const halide_device_interface_t *interface) {
    buffer->device = ++given;
    buffer->device_interface = interface;
    return halide_error_code_success;
}

extern "C" int halide_device_free(void *, halide_buffer_t *buffer) {
    freed++;
    buffer->device = 0;
    buffer->device_interface = nullptr;
    return halide_error_code_success;
}

extern "C" int fake_blocks_given() { return int(given); }

extern "C" int fake_blocks_freed() { return freed; }
