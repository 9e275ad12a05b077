// A compiled pipeline, loaded from a shared object through the registration that Halide writes for it.
#pragma once

#include "HalideRuntime.h"

#include <filesystem>
#include <string>

namespace warptile::bench {

struct Pipeline {
    int (*call)(void **) = nullptr;  // the arguments in the metadata's order; buffers as halide_buffer_t *
    const halide_filter_metadata_t *metadata = nullptr;
};

/// How Halide's runtime gives and takes raw CUDA pointers; null where it was made without CUDA.
struct CudaPointers {
    uintptr_t (*get)(void *user_context, halide_buffer_t *) = nullptr;
    int (*wrap)(void *user_context, halide_buffer_t *, uint64_t pointer) = nullptr;
};

/// Halide's runtime, as a shared object of its own that all pipelines of a process use.
class Runtime {
public:
    /// Device memory that pipelines free is kept for their next calls where `keeps_memory` (device_memory.h).
    /// Throws `std::runtime_error` where `path` cannot be loaded.
    Runtime(const std::string &path, bool keeps_memory);

    /// The GPU's interface for a pipeline of `target`; null where the target has no GPU.
    const halide_device_interface_t *device_interface(const std::string &target) const;

    CudaPointers cuda_pointers() const;

private:
    void *handle_;
};

/// Loads the pipeline in the shared object `path`, after the runtime it needs. The object is named as the pipeline is.
/// Throws `std::runtime_error` where it cannot be loaded or registers no such pipeline.
Pipeline load_pipeline(const std::filesystem::path &path);

}  // namespace warptile::bench
