// Loading pipelines. Halide's `registration` output is a static constructor that calls
// `halide_register_argv_and_metadata`, which whoever loads it must define; here it notes what it was given.
#include "tools/bench/pipeline.h"

#include <dlfcn.h>
#include <stdexcept>

namespace {

// Where the constructor of the object being loaded leaves its pipeline: C gives it no other way to us.
warptile::bench::Pipeline registered;

void *load(const std::string &path, int flags) {
    void *const handle = dlopen(path.c_str(), flags);
    if (!handle) {
        throw std::runtime_error(dlerror());
    }
    return handle;
}

}  // namespace

extern "C" void halide_register_argv_and_metadata(int (*call)(void **), const halide_filter_metadata_t *metadata,
                                                  const char *const *) {
    registered = {call, metadata};
}

namespace warptile::bench {

Runtime::Runtime(const std::string &path) : handle_(load(path, RTLD_NOW | RTLD_GLOBAL)) {}

const halide_device_interface_t *Runtime::device_interface(const std::string &target) const {
    for (const char *const api : {"cuda", "opencl", "metal", "vulkan"}) {
        if (target.find(std::string("-") + api) != std::string::npos) {
            const std::string name = std::string("halide_") + api + "_device_interface";
            void *const function = dlsym(handle_, name.c_str());
            if (!function) {
                throw std::runtime_error("the runtime of this bundle has no " + name);
            }
            return reinterpret_cast<const halide_device_interface_t *(*)()>(function)();
        }
    }
    return nullptr;
}

Pipeline load_pipeline(const std::string &path) {
    registered = {};
    load(path, RTLD_NOW);
    if (!registered.call) {
        throw std::runtime_error(path + " registers no pipeline");
    }
    return registered;
}

}  // namespace warptile::bench
