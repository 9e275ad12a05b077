// From the text of a module to a program.
#pragma once

#include <functional>
#include <string>

#include "program.h"
#include "ptx_syntax.h"

namespace warptile::emulator {

/// Gives a variable of the module its global memory, filled, and says where it lies.
using PlaceVariable = std::function<uint64_t(const Variable &)>;

/// Throws PtxError where the text is no PTX, or has an instruction that the emulator does not know.
Program decode(const std::string &text, const PlaceVariable &place);

}  // namespace warptile::emulator
