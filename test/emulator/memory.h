// Global memory: what cuMemAlloc gives, on the host, with the stamps of who touched what.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "order.h"

namespace warptile::emulator {

/// Memory that nobody has written holds this in every byte: as a float or an integer, a large number.
constexpr uint8_t poison = 0x7f;

class Allocation {
public:
    Allocation(uint64_t address, uint64_t bytes);

    uint64_t address() const { return address_; }

    uint64_t bytes() const { return bytes_.size(); }

    uint8_t *at(uint64_t offset) { return bytes_.data() + offset; }

    /// The stamps of a byte. Made in pages when they are first asked for: most of a large buffer is never touched.
    Cell &cell(uint64_t offset);

private:
    static constexpr uint64_t page_bytes = 1024;
    using Page = std::array<Cell, page_bytes>;
    uint64_t address_;
    std::vector<uint8_t> bytes_;
    std::vector<std::unique_ptr<Page>> pages_;
};

class DeviceMemory {
public:
    /// The address; 0 where there is no room for it.
    uint64_t allocate(uint64_t bytes);

    /// False where no allocation begins at the address.
    bool free(uint64_t address);

    /// The allocation that holds `bytes` bytes from the address on; nullptr where there is none.
    Allocation *find(uint64_t address, uint64_t bytes);

    /// The number of the first of `count` blocks; no number is given twice.
    uint32_t number_blocks(uint64_t count);

private:
    std::vector<std::unique_ptr<Allocation>> windows_;
    uint32_t next_block_ = 1;
    size_t next_ = 0;  ///< freed windows are used again as late as possible, so that a stale address is found out
};

}  // namespace warptile::emulator
