// A pipeline that is none: compiled code with the interface of Halide's, float 64 x 48 in and out, that negates its
// input, and that misbehaves in the way that the last part of its name, FAKE_NAME, says.
#include "HalideRuntime.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

constexpr int kWidth = 64, kHeight = 48;

int calls = 0;

float *data_of(void *argument) { return reinterpret_cast<float *>(static_cast<halide_buffer_t *>(argument)->host); }

void negate(const float *in, float *out) {
    for (int i = 0; i < kWidth * kHeight; i++) {
        out[i] = -in[i];
    }
}

/// Returns what the pipeline returns.
int misbehave(const std::string &how, float *in, float *out) {
    if (how == "crashes") {
        *static_cast<volatile int *>(nullptr) = 1;
    } else if (how == "hangs" || (how == "hangs_later" && calls > 2)) {
        for (;;) {
            usleep(1000);
        }
    } else if (how == "not_a_number") {
        out[1000] = std::nanf("");
    } else if (how == "wrong") {
        out[70] += 0.25f;
    } else if (how == "wrong_later" && calls > 2) {
        out[70] += 0.25f;
    } else if (how == "otherwise" || how == "otherwise_too") {
        out[2000] += 0.5f;
    } else if (how == "much_otherwise") {
        out[2000] += 0.5004f;
    } else if (how == "forgets") {
        std::memset(out + 500, 0xff, sizeof(float));
    } else if (how == "writes_behind") {
        std::memset(out + kWidth * kHeight, 0, 12);
    } else if (how == "writes_before") {
        std::memset(out - 2, 0, 8);
    } else if (how == "writes_input") {
        in[5] = 0;
    } else if (how == "breaks_heap") {
        void *const volatile memory = std::malloc(100);
        std::free(memory);
        std::free(memory);
    } else if (how == "fails") {
        return -7;
    } else if (how == "leaves") {
        std::_Exit(0);
    }
    return 0;
}

int fake(void **arguments) {
    float *const in = data_of(arguments[0]), *const out = data_of(arguments[1]);
    if (!in || !out) {
        return 0;  // asked for what it needs: no more than it is given
    }
    calls++;
    negate(in, out);
    const std::string name = FAKE_NAME;
    return misbehave(name.substr(name.find("__") + 2), in, out);
}

const int64_t zero = 0, width = kWidth, height = kHeight;
const int64_t *const estimates[] = {&zero, &width, &zero, &height};

halide_filter_argument_t argument(const char *name, int kind) {
    halide_filter_argument_t described{};
    described.name = name;
    described.kind = kind;
    described.dimensions = 2;
    described.type = halide_type_of<float>();
    described.buffer_estimates = estimates;
    return described;
}

const halide_filter_argument_t described[] = {argument("input", halide_argument_kind_input_buffer),
                                              argument("output", halide_argument_kind_output_buffer)};

const halide_filter_metadata_t metadata{halide_filter_metadata_t::VERSION, 2, described, "x86-64-linux", FAKE_NAME};

}  // namespace

extern "C" void halide_register_argv_and_metadata(int (*)(void **), const halide_filter_metadata_t *,
                                                  const char *const *);

namespace {

struct Registration {
    Registration() { halide_register_argv_and_metadata(fake, &metadata, nullptr); }
};

const Registration registration;

}  // namespace
