// What an instruction without memory and control computes.
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace warptile::emulator {

using OpcodeParts = std::vector<std::string>;

/// The function for an opcode such as {"mul", "wide", "s32"}; nullptr where it is not known.
Compute find_compute(const OpcodeParts &parts);

/// The function of {"atom", "global", "add", "u32"} and of `red`; nullptr where it is not known.
Combine find_combine(const OpcodeParts &parts);

bool has(const OpcodeParts &parts, const std::string &part);

// The families of opcodes, in a file each.
Compute find_integer(const OpcodeParts &parts);
Compute find_bits(const OpcodeParts &parts);
Compute find_float(const OpcodeParts &parts);
Compute find_compare(const OpcodeParts &parts);
Compute find_convert(const OpcodeParts &parts);
Compute find_move(const OpcodeParts &parts);

}  // namespace warptile::emulator
