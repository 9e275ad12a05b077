// Where the state spaces lie among generic addresses. None of these numbers is an address of the host, so host code
// that follows a device's pointer by mistake stops at once.
//
// Every allocation of global memory begins a window of 4 GiB of its own: which allocation an address means is one
// shift, and an access a little before or behind one never hits another.
#pragma once

#include "program.h"

namespace warptile::emulator {

constexpr uint64_t space_bytes = 0x1000'0000'0000;
constexpr uint64_t global_base = 0x1000'0000'0000, shared_base = 0x2000'0000'0000, local_base = 0x3000'0000'0000;
constexpr int allocation_bits = 32;
constexpr uint64_t most_allocations = space_bytes >> allocation_bits;

/// What cvta adds: 0 for global memory, whose addresses are generic as they are.
constexpr uint64_t window_of(Space space) {
    return space == Space::Shared ? shared_base : space == Space::Local ? local_base : 0;
}

constexpr Space space_of_generic(uint64_t address) {
    return address - shared_base < space_bytes  ? Space::Shared
           : address - local_base < space_bytes ? Space::Local
                                                : Space::Global;
}

}  // namespace warptile::emulator
