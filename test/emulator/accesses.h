// Loads, stores and atomics of the threads of a block, and everything that can be wrong with one: an address outside
// the memory of its space, a misaligned one, a race, a read of shared memory that nobody wrote.
#pragma once

#include <string>
#include <vector>

#include "launch.h"
#include "order.h"

namespace warptile::emulator {

/// Ends the launch; whoever runs the thread adds the kernel, the block and the thread.
struct Fault {
    Result code;
    int line;  ///< of the PTX
    std::string what;
};

/// What a thread is doing when it is not running.
enum class State : uint8_t { Ready, AtBarrier, WithWarp, Exited };

/// An address that no access has.
constexpr uint64_t nowhere = ~uint64_t(0);

struct Thread {
    uint64_t *slots = nullptr;
    uint8_t *local = nullptr;
    uint32_t pc = 0;  ///< the instruction to go on with; the one before it is where the thread waits
    uint16_t id = 0;
    State state = State::Ready;
    std::vector<uint32_t> returns;
    uint64_t last_atomic = nowhere;  ///< the address of its last .relaxed load or compare-and-swap
};

/// When the last meetings were (order.h).
struct Clock {
    uint32_t block = 0, first_block = 1;
    uint32_t now = 1, block_since = 1;
    std::vector<uint32_t> warp_since;
};

class Accesses {
public:
    Accesses(const Launch &launch, const Clock &clock);

    /// Shared memory is poison again.
    void begin_block();

    void load(Thread &thread, const Instruction &i);
    void store(Thread &thread, const Instruction &i);
    void atomic(Thread &thread, const Instruction &i);

private:
    /// Memory of the host, and the first of the cells of its bytes where its space has them.
    struct Bytes {
        uint8_t *at = nullptr;
        Space space = Space::Global;
        uint64_t address = 0;
        Allocation *allocation = nullptr;
    };

    const Launch &launch_;
    const Clock &clock_;
    uint64_t shared_bytes_;
    std::vector<uint8_t> shared_, parameters_;
    std::vector<Cell> cells_;

    Bytes find(const Thread &thread, const Instruction &i);
    Cell &cell(const Bytes &bytes, uint64_t offset);
    bool is_checked(Space space) const;
    Accessor accessor(const Thread &thread, const Instruction &i, Space space, bool atomic) const;
    void check_read(const Bytes &bytes, const Thread &thread, const Instruction &i);
    void check_write(const Bytes &bytes, const Thread &thread, const Instruction &i, const uint8_t *values,
                     bool atomic);
    [[noreturn]] void fail_race(const Bytes &bytes, uint64_t offset, const Stamp &with, bool with_write,
                                const Instruction &i, bool writes) const;
};

/// "thread (1, 0, 0)" of its number within the block.
std::string thread_name(uint32_t id, const Dim3 &block);

}  // namespace warptile::emulator
