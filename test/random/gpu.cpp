#include "gpu.h"

#include <dlfcn.h>

namespace warptile::fuzz {

namespace {

/// Halide's runtime opens the same name.
constexpr const char *driver = "libcuda.so";

template<class Function>
Function *symbol(void *library, const char *name) {
    return library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
}

}  // namespace

std::string gpu_name() {
    void *const library = dlopen(driver, RTLD_LAZY);
    const auto init = symbol<int(unsigned)>(library, "cuInit");
    const auto get = symbol<int(int *, int)>(library, "cuDeviceGet");
    const auto get_name = symbol<int(char *, int, int)>(library, "cuDeviceGetName");
    int device = 0;
    char name[256] = "";
    const bool found = init && get && get_name && init(0) == 0 && get(&device, 0) == 0 &&
                       get_name(name, static_cast<int>(sizeof name), device) == 0;
    return found ? name : "";
}

std::string gpu_message() {
    void *const library = dlopen(driver, RTLD_LAZY | RTLD_NOLOAD);
    const auto message = symbol<const char *()>(library, "emulatorMessage");
    return message ? message() : "";
}

}  // namespace warptile::fuzz
