// The threads of one block. Each runs until it has to wait for others; whoever has come together goes on.
#pragma once

#include "accesses.h"
#include "launch.h"

namespace warptile::emulator {

/// Made once for a launch and run for each of its blocks.
class Block {
public:
    explicit Block(const Launch &launch, uint32_t first_block);

    /// Throws LaunchError.
    void run(const Dim3 &index);

    uint64_t instructions() const { return instructions_; }

private:
    const Launch &launch_;
    const Instruction *code_;
    Clock clock_;
    Accesses accesses_;
    std::vector<uint64_t> slots_;
    std::vector<uint8_t> local_;
    std::vector<Thread> threads_;
    uint64_t instructions_ = 0;
    const Thread *running_ = nullptr;  ///< whom a fault is blamed on

    void preset(const Preset &preset);
    void begin(const Dim3 &index);
    void run_all();
    bool run_warp(size_t first, size_t end);
    void run_thread(Thread &thread);
    bool at_barrier() const;
    void pass_barrier();
    [[noreturn]] void fail_waiting() const;

    // Shuffles, votes and barriers of a warp (warp.cpp).
    bool meet(size_t first, size_t end);
    bool is_complete(size_t first, size_t end, const Thread &at, uint32_t &members) const;
    void exchange(size_t first, uint32_t members, const Instruction &i);
    void shuffle(size_t first, uint32_t members, const Instruction &i);
    [[noreturn]] void fail_absent(size_t first, uint32_t lane, const Instruction &i) const;
    void vote(size_t first, uint32_t members, const Instruction &i);
};

}  // namespace warptile::emulator
