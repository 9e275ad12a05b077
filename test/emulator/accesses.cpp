#include "accesses.h"

#include <cmath>
#include <cstring>

#include "address.h"

namespace warptile::emulator {

namespace {

const char *name_of(Space space) {
    switch (space) {
    case Space::Global:
        return "global";
    case Space::Shared:
        return "shared";
    case Space::Local:
        return "local";
    case Space::Param:
        return "parameter";
    case Space::Generic:
        return "generic";
    }
    return "";
}

uint64_t total(const Instruction &i) { return uint64_t(i.bytes) * i.count; }

uint64_t read_element(const uint8_t *at, int bytes, bool sign) {
    uint64_t value = 0;
    std::memcpy(&value, at, static_cast<size_t>(bytes));
    if (!sign || bytes == 8) {
        return value;
    }
    const int unused = 64 - 8 * bytes;
    return static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
}

/// Whether two floating-point numbers are the same but for their rounding: the compiler fuses products and sums of one
/// copy of an expression and not of another.
template<class T>
bool are_near(const uint8_t *a, const uint8_t *b, T tolerance) {
    T x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return std::isnormal(x) && std::isnormal(y) && std::abs(x - y) <= tolerance * std::abs(x);
}

bool agree(const uint8_t *a, const uint8_t *b, int bytes) {
    return bytes == 4 ? are_near(a, b, 1e-5f) : bytes == 8 && are_near(a, b, 1e-12);
}

}  // namespace

std::string thread_name(uint32_t id, const Dim3 &block) {
    return "thread (" + std::to_string(id % block.x) + ", " + std::to_string(id / block.x % block.y) + ", " +
           std::to_string(id / block.x / block.y) + ")";
}

Accesses::Accesses(const Launch &launch, const Clock &clock)
    : launch_(launch), clock_(clock), shared_bytes_(launch.kernel->shared_bytes + launch.dynamic_shared),
      shared_(shared_bytes_), parameters_(launch.parameters), cells_(shared_bytes_) {
    parameters_.resize(launch.kernel->parameter_bytes);
}

void Accesses::begin_block() { std::fill(shared_.begin(), shared_.end(), poison); }

Accesses::Bytes Accesses::find(const Thread &thread, const Instruction &i) {
    uint64_t address = thread.slots[i.a] + static_cast<uint64_t>(i.offset);
    const uint64_t bytes = total(i);
    Space space = i.space;
    if (space == Space::Generic) {
        space = space_of_generic(address);
        address -= window_of(space);
    }
    Bytes found;
    found.space = space;
    found.address = address;
    if (space == Space::Global) {
        found.allocation = launch_.memory->find(address, bytes);
        found.at = found.allocation ? found.allocation->at(address - found.allocation->address()) : nullptr;
    } else {
        const uint64_t size = space == Space::Shared  ? shared_bytes_
                              : space == Space::Local ? launch_.kernel->local_bytes
                                                      : parameters_.size();
        uint8_t *const base = space == Space::Shared  ? shared_.data()
                              : space == Space::Local ? thread.local
                                                      : parameters_.data();
        found.at = address + bytes <= size && address + bytes >= bytes ? base + address : nullptr;
    }
    if (!found.at) {
        char number[32];
        std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(address));
        throw Fault{IllegalAddress, i.line,
                    std::to_string(bytes) + " bytes at " + number + " lie outside " +
                        (space == Space::Global ? std::string("every allocation")
                                                : std::string("the ") + name_of(space) + " memory")};
    }
    if (address % bytes != 0) {
        throw Fault{MisalignedAddress, i.line,
                    "the address of " + std::to_string(bytes) + " bytes in " + name_of(space) + " memory is " +
                        std::to_string(address % bytes) + " too large for its alignment"};
    }
    return found;
}

bool Accesses::is_checked(Space space) const {
    return (space == Space::Shared && launch_.checks.shared_races) ||
           (space == Space::Global && launch_.checks.global_races);
}

Cell &Accesses::cell(const Bytes &b, uint64_t offset) {
    return b.space == Space::Shared ? cells_[b.address + offset]
                                    : b.allocation->cell(b.address - b.allocation->address() + offset);
}

Accessor Accesses::accessor(const Thread &thread, const Instruction &i, Space space, bool atomic) const {
    Accessor by;
    by.block = clock_.block;
    by.first_block = space == Space::Shared ? clock_.block : clock_.first_block;
    by.now = clock_.now;
    by.block_since = clock_.block_since;
    by.warp_since = clock_.warp_since[thread.id / 32];
    by.thread = thread.id;
    by.line = static_cast<uint32_t>(i.line);
    by.atomic = atomic;
    return by;
}

void Accesses::fail_race(const Bytes &b, uint64_t offset, const Stamp &with, bool with_write, const Instruction &i,
                         bool writes) const {
    const std::string block =
        with.block == clock_.block ? "" : "block " + std::to_string(with.block - clock_.first_block) + ", ";
    throw Fault{
        LaunchFailed, i.line,
        std::string("a data race in ") + name_of(b.space) + " memory: " + (writes ? "writes" : "reads") + " byte " +
            std::to_string(b.allocation ? b.address - b.allocation->address() + offset : b.address + offset) +
            ", which " + block + thread_name(with.thread, launch_.block) + " " + (with_write ? "wrote" : "read") +
            " at line " + std::to_string(with.line) + ", and nothing orders the two"};
}

void Accesses::check_read(const Bytes &b, const Thread &thread, const Instruction &i) {
    const Accessor by = accessor(thread, i, b.space, i.strong || b.address == thread.last_atomic);
    for (uint64_t k = 0; k < total(i); k++) {
        Cell &c = cell(b, k);
        if (b.space == Space::Shared && launch_.checks.uninitialised && c.write.block != clock_.block) {
            throw Fault{LaunchFailed, i.line,
                        "reads byte " + std::to_string(b.address + k) +
                            " of shared memory, which the block has not written"};
        }
        if (i.constant && c.write.block >= by.first_block) {
            throw Fault{LaunchFailed, i.line,
                        "reads memory by .nc, which is for what no thread of the launch writes; " +
                            thread_name(c.write.thread, launch_.block) + " wrote it at line " +
                            std::to_string(c.write.line)};
        }
        if (const Stamp *const with = read_races_with(c, by)) {
            fail_race(b, k, *with, true, i, false);
        }
    }
}

void Accesses::check_write(const Bytes &b, const Thread &thread, const Instruction &i, const uint8_t *values,
                           bool atomic) {
    const Accessor by = accessor(thread, i, b.space, atomic);
    for (uint64_t k = 0; k < total(i); k++) {
        const uint64_t element = k - k % i.bytes;
        const bool changes = atomic || (values[k] != b.at[k] && !agree(values + element, b.at + element, i.bytes));
        Cell &c = cell(b, k);
        if (const Stamp *const with = write_races_with(c, by, changes)) {
            fail_race(b, k, *with, with == &c.write, i, true);
        }
    }
}

void Accesses::load(Thread &thread, const Instruction &i) {
    const Bytes b = find(thread, i);
    if (i.strong) {
        thread.last_atomic = b.address;
    }
    if (is_checked(b.space)) {
        check_read(b, thread, i);
    }
    for (size_t k = 0; k < i.count; k++) {
        thread.slots[i.d[k]] = read_element(b.at + k * i.bytes, i.bytes, i.sign);
    }
}

void Accesses::store(Thread &thread, const Instruction &i) {
    const Bytes b = find(thread, i);
    uint8_t values[32];
    for (size_t k = 0; k < i.count; k++) {
        std::memcpy(values + k * i.bytes, &thread.slots[i.d[k]], i.bytes);
    }
    if (is_checked(b.space)) {
        check_write(b, thread, i, values, i.strong);
    }
    std::memcpy(b.at, values, total(i));
}

void Accesses::atomic(Thread &thread, const Instruction &i) {
    const Bytes b = find(thread, i);
    thread.last_atomic = i.compares ? b.address : nowhere;
    if (is_checked(b.space)) {
        check_write(b, thread, i, nullptr, true);
    }
    const uint64_t old = read_element(b.at, i.bytes, false);
    const uint64_t value = i.combine(old, thread.slots[i.b], thread.slots[i.c]);
    std::memcpy(b.at, &value, i.bytes);
    thread.slots[i.d[0]] = old;
}

}  // namespace warptile::emulator
