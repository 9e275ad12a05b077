// A buffer with a zone of known bytes before and behind its data, on the host and on a CUDA device, so that a pipeline
// which writes beyond its buffers is seen.
#pragma once

#include "tools/bench/running/pipeline.h"

#include "HalideBuffer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warptile::bench {

using AnyBuffer = Halide::Runtime::Buffer<void>;

class GuardedBuffer {
public:
    /// A dense buffer, all its bytes 0xff. `dimensions` are mins and extents; `layout` says which is the innermost, and
    /// so on, and is empty where they lie in their order.
    GuardedBuffer(halide_type_t type, const std::vector<std::pair<int, int>> &dimensions,
                  const std::vector<int> &layout = {});
    GuardedBuffer(const GuardedBuffer &) = delete;
    GuardedBuffer &operator=(const GuardedBuffer &) = delete;
    ~GuardedBuffer();

    AnyBuffer &buffer() { return view_; }

    /// Puts the data on the device, with their zones where the device is CUDA's.
    /// Throws `std::runtime_error` where the device has no room.
    void to_device(const Runtime &runtime, const halide_device_interface_t *device);

    /// Brings what is on the device back to the host. Returns what is wrong with the zones: "" or "3 bytes before it".
    std::string to_host();

    /// Of the data on the host.
    uint64_t checksum() const;

private:
    Halide::Runtime::Buffer<uint64_t> storage_;  // zone, data, zone
    size_t bytes_;
    AnyBuffer view_;
    bool zones_on_device_ = false;

    uint8_t *begin() { return reinterpret_cast<uint8_t *>(storage_.data()); }

    const uint8_t *begin() const { return reinterpret_cast<const uint8_t *>(storage_.data()); }
};

}  // namespace warptile::bench
