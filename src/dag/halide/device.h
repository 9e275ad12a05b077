// What Halide cannot make CUDA code of: calls of C functions, printing, traces, requirements, values of some types. Of
// all tables of what a kernel cannot do, the only one; what it does not know, verify/ finds out by trial.
#pragma once

#include <string>

#include "Halide.h"

namespace warptile {

/// Why no kernel can compute the Func, as words that follow its name: "calls the C function 'log1p', which …". Empty
/// where one can.
std::string why_only_on_host(const Halide::Internal::Function &f);

}  // namespace warptile
