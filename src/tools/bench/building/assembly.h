// What becomes of device code on the card: its kernels as NVIDIA's assembler makes them, where this machine has one.
// This looks at the code itself, whoever scheduled it, and believes no scheduler's report.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warptile::bench {

struct Assembly {
    int kernels = 0;
    int spilled_bytes = 0;  // stored to local memory by a thread, all kernels together
    std::string error;      // why it does not assemble; empty where it does
};

/// ptxas: on the path, of an installed CUDA, or of the wheels of `source`; empty where there is none.
std::string find_assembler(const std::filesystem::path &source);

/// Assembles the PTX in `code` for `architecture` ("sm_90"), with as many registers as Halide's runtime leaves a
/// thread. Nothing without an assembler. Where `code` is not there, it has no kernels.
std::optional<Assembly> assemble(const std::string &assembler, const std::filesystem::path &code,
                                 const std::string &architecture);

}  // namespace warptile::bench
