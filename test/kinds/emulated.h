// What the emulator (test/emulator) saw of the kernels that this process launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warptile::kinds {

struct Launched {
    std::string kernel;
    int64_t blocks = 1, threads = 1;  ///< `threads` of a block

    int64_t all_threads() const { return blocks * threads; }
};

/// Whether the CUDA driver is the emulator. Loads it.
bool is_emulated();

/// While there is one, kernels are launched but do not run: for sizes that would take too long.
class OnlyLaunches {
public:
    OnlyLaunches();
    ~OnlyLaunches();
    OnlyLaunches(const OnlyLaunches &) = delete;
    OnlyLaunches &operator=(const OnlyLaunches &) = delete;

    static std::vector<Launched> launched();
};

/// Why the last call of the driver that failed did.
std::string emulator_message();

/// The PTX of all modules that were loaded since the last `dump_ptx`, which has to be called before anything runs too.
void dump_ptx();
std::string dumped_ptx();

}  // namespace warptile::kinds
