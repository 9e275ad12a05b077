// An estimate of the registers that a PTX kernel needs, for machines that have no PTX compiler: the largest number of
// values alive at one instruction, by backward liveness over the basic blocks.
//
// The assembler reorders, rematerializes and takes kernel parameters and block indices from constant and uniform
// registers, so what follows from those alone is not counted.
#pragma once

#include "verify/ptx/ptx_text.h"

namespace warptile {

// In 32-bit registers of one thread: a 64-bit value counts two, a predicate none, a 16-bit value one.
int live_registers(const PtxBody &kernel);

}  // namespace warptile
