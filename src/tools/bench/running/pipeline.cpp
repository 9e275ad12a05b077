// Loading pipelines. Halide's `registration` output is a static constructor that calls
// `halide_register_argv_and_metadata`, which whoever loads it must define; here it notes what it was given.
#include "tools/bench/running/pipeline.h"

#include "tools/bench/running/device_memory.h"

#include <dlfcn.h>
#include <stdexcept>
#include <vector>

namespace {

// Where the constructors of the loaded objects leave their pipelines: C gives them no other way to us.
std::vector<warptile::bench::Pipeline> &registered() {
    static std::vector<warptile::bench::Pipeline> pipelines;
    return pipelines;
}

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
    registered().push_back({call, metadata});
}

namespace warptile::bench {

Runtime::Runtime(const std::string &path, bool keeps_memory) : handle_(load(path, RTLD_NOW | RTLD_GLOBAL)) {
    use_device_memory_of(handle_, keeps_memory);
}

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

CudaPointers Runtime::cuda_pointers() const {
    CudaPointers pointers;
    pointers.get = reinterpret_cast<decltype(pointers.get)>(dlsym(handle_, "halide_cuda_get_device_ptr"));
    pointers.wrap = reinterpret_cast<decltype(pointers.wrap)>(dlsym(handle_, "halide_cuda_wrap_device_ptr"));
    return pointers;
}

Pipeline load_pipeline(const std::filesystem::path &path) {
    load(path, RTLD_NOW);  // the constructor runs at the first time only
    for (const Pipeline &pipeline : registered()) {
        if (path.stem() == pipeline.metadata->name) {
            return pipeline;
        }
    }
    throw std::runtime_error(path.string() + " registers no pipeline of its name");
}

}  // namespace warptile::bench
