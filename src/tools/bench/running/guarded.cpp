// The zones and the data are one allocation, of which the buffer that a pipeline gets is a part. On a CUDA device that
// part is made by the runtime's own way to wrap a pointer; other devices have none, and get the data alone.
#include "tools/bench/running/guarded.h"

#include <algorithm>
#include <stdexcept>

namespace warptile::bench {
namespace {

constexpr size_t kZone = 4096;  // bytes; keeps the data as well aligned as the allocation
constexpr uint8_t kZoneByte = 0xa5;

size_t bytes_of(halide_type_t type, const std::vector<std::pair<int, int>> &dimensions) {
    size_t bytes = size_t(type.bytes());
    for (const auto &[min, extent] : dimensions) {
        bytes *= size_t(extent);
    }
    return bytes;
}

std::vector<halide_dimension_t> shape_of(const std::vector<std::pair<int, int>> &dimensions,
                                         const std::vector<int> &layout) {
    std::vector<halide_dimension_t> shape;
    for (const auto &[min, extent] : dimensions) {
        shape.emplace_back(min, extent, 0);
    }
    int stride = 1;
    for (size_t i = 0; i < shape.size(); i++) {
        halide_dimension_t &dimension = shape[layout.empty() ? i : size_t(layout[i])];
        dimension.stride = stride;
        stride *= dimension.extent;
    }
    return shape;
}

/// How many bytes of a zone are no longer what they were.
size_t changed(const uint8_t *begin, const uint8_t *end) {
    size_t count = 0;
    for (const uint8_t *byte = begin; byte != end; byte++) {
        count += *byte != kZoneByte;
    }
    return count;
}

}  // namespace

GuardedBuffer::GuardedBuffer(halide_type_t type, const std::vector<std::pair<int, int>> &dimensions,
                             const std::vector<int> &layout)
    : storage_(int((2 * kZone + bytes_of(type, dimensions) + 7) / 8)), bytes_(bytes_of(type, dimensions)) {
    std::fill(begin(), begin() + storage_.size_in_bytes(), kZoneByte);
    std::fill(begin() + kZone, begin() + kZone + bytes_, 0xff);
    const std::vector<halide_dimension_t> shape = shape_of(dimensions, layout);
    view_ = AnyBuffer(type, begin() + kZone, int(shape.size()), shape.data());
}

GuardedBuffer::~GuardedBuffer() {
    if (zones_on_device_) {  // the allocation is the storage's to free
        view_.raw_buffer()->device = 0;
        view_.raw_buffer()->device_interface = nullptr;
    }
}

void GuardedBuffer::to_device(const Runtime &runtime, const halide_device_interface_t *device) {
    const CudaPointers cuda = runtime.cuda_pointers();
    if (cuda.get && cuda.wrap) {
        storage_.set_host_dirty();
        zones_on_device_ =
            storage_.copy_to_device(device) == 0 &&
            cuda.wrap(nullptr, view_.raw_buffer(), cuda.get(nullptr, storage_.raw_buffer()) + kZone) == 0;
    }
    if (!zones_on_device_) {
        view_.set_host_dirty();
        if (view_.copy_to_device(device) != 0) {
            throw std::runtime_error("no room on the device");
        }
    }
}

std::string GuardedBuffer::to_host() {
    if (!view_.host_dirty()) {  // what the pipeline left on the host is newer than what is on the device
        if (zones_on_device_) {
            view_.set_device_dirty(false);
            storage_.set_device_dirty();
        }
        if (view_.copy_to_host() != 0 || storage_.copy_to_host() != 0) {
            throw std::runtime_error("cannot copy from the device");
        }
    }
    const uint8_t *const data = begin() + kZone, *const end = begin() + storage_.size_in_bytes();
    const size_t before = changed(begin(), data), behind = changed(data + bytes_, end);
    if (before + behind == 0) {
        return {};
    }
    return std::to_string(before + behind) + " bytes " +
           (behind == 0   ? "before"
            : before == 0 ? "behind"
                          : "around") +
           " it";
}

uint64_t GuardedBuffer::checksum() const {
    uint64_t hash = 0xcbf29ce484222325u;
    const uint8_t *const data = begin() + kZone;
    for (size_t i = 0; i < bytes_; i++) {
        hash = (hash ^ data[i]) * 0x100000001b3u;
    }
    return hash;
}

}  // namespace warptile::bench
