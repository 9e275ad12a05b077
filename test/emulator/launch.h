// A launch of a kernel: its blocks run one after another, each as if it alone were on the card.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "memory.h"
#include "program.h"

namespace warptile::emulator {

struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;

    uint64_t count() const { return uint64_t(x) * y * z; }
};

/// The results of the CUDA driver API that the emulator gives.
enum Result : int {
    Success = 0,
    InvalidValue = 1,
    OutOfMemory = 2,
    NotInitialized = 3,
    InvalidDevice = 101,
    InvalidContext = 201,
    NoBinaryForGpu = 209,
    InvalidPtx = 218,
    InvalidHandle = 400,
    NotFound = 500,
    IllegalAddress = 700,
    LaunchTimeout = 702,
    MisalignedAddress = 716,
    LaunchFailed = 719,
    NotSupported = 801,
};

/// What ends a launch; the message is one line.
struct LaunchError : std::runtime_error {
    Result code;

    LaunchError(Result c, const std::string &what) : std::runtime_error(what), code(c) {}
};

/// What is looked for while a kernel runs.
struct Checks {
    bool shared_races = true, global_races = true;
    bool uninitialised = true;  ///< reads of shared memory that the block has not written
    bool absent_lanes = true;   ///< shuffles that read a lane that is not there; without the check they read poison
    uint64_t most_branches = uint64_t(1) << 28;  ///< that a thread takes between two barriers; more is a hang
};

struct Launch {
    const Program *program = nullptr;
    const Kernel *kernel = nullptr;
    Dim3 grid, block;
    uint64_t dynamic_shared = 0, most_shared = 48 << 10;
    std::vector<uint8_t> parameters;
    DeviceMemory *memory = nullptr;
    Checks checks;
};

struct LaunchStatistics {
    uint64_t instructions = 0;  ///< of all threads
};

/// Whether a card takes a launch as large as this. Throws LaunchError.
void check_limits(const Launch &launch);

/// Throws LaunchError.
LaunchStatistics run(const Launch &launch);

}  // namespace warptile::emulator
