// Whether the device memory that a pipeline frees is kept for its next call.
#pragma once

namespace warptile::bench {

/// From now on what pipelines free on a device is kept, and given to whoever next asks for as many bytes, so that from
/// the second call on none of them waits for the driver. `runtime` is the loaded object of Halide's runtime, which does
/// the rest. With `keep` false everything is left to the runtime: that of Halide 21 gives memory back to the driver
/// once it holds more than some thirty buffers, and every such call waits until the device is idle.
void use_device_memory_of(void *runtime, bool keep);

}  // namespace warptile::bench
