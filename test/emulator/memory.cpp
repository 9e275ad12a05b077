#include "memory.h"

#include "address.h"

namespace warptile::emulator {

Allocation::Allocation(uint64_t address, uint64_t bytes)
    : address_(address), bytes_(bytes, poison), pages_((bytes + page_bytes - 1) / page_bytes) {}

Cell &Allocation::cell(uint64_t offset) {
    std::unique_ptr<Page> &page = pages_[offset / page_bytes];
    if (!page) {
        page = std::make_unique<Page>();
    }
    return (*page)[offset % page_bytes];
}

uint64_t DeviceMemory::allocate(uint64_t bytes) {
    constexpr uint64_t most_bytes = uint64_t(2) << 30;
    windows_.resize(most_allocations);
    if (bytes == 0 || bytes > most_bytes) {
        return 0;
    }
    for (size_t tried = 0; tried < most_allocations; tried++) {
        const size_t window = next_;
        next_ = (next_ + 1) % most_allocations;
        if (!windows_[window]) {
            const uint64_t address = global_base + (static_cast<uint64_t>(window) << allocation_bits);
            windows_[window] = std::make_unique<Allocation>(address, bytes);
            return address;
        }
    }
    return 0;
}

bool DeviceMemory::free(uint64_t address) {
    Allocation *const found = find(address, 1);
    if (!found || found->address() != address) {
        return false;
    }
    windows_[(address - global_base) >> allocation_bits].reset();
    return true;
}

Allocation *DeviceMemory::find(uint64_t address, uint64_t bytes) {
    const uint64_t window = (address - global_base) >> allocation_bits;
    if (window >= windows_.size() || !windows_[window]) {
        return nullptr;
    }
    Allocation *const found = windows_[window].get();
    const uint64_t offset = address - found->address();
    return offset + bytes <= found->bytes() && offset + bytes >= offset ? found : nullptr;
}

uint32_t DeviceMemory::number_blocks(uint64_t count) {
    const uint32_t first = next_block_;
    next_block_ += static_cast<uint32_t>(count);
    return first;
}

}  // namespace warptile::emulator
