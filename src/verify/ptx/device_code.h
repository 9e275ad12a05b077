// The device code of a lowered statement, made and assembled for several kernels side by side.
//
// LLVM's making of PTX and its assembly take longer than Halide's lowering, and both go kernel by kernel. So the
// kernels are dealt to as many children as there are cores; and since most kernels of a second trial are those of the
// first, what was learnt of a kernel is kept under a digest of its lowered loop, and only kernels that are new are
// made.
#pragma once

#include "verify/trial.h"

#include <string>
#include <vector>

#include <Halide.h>

namespace warptile {

// The outermost block loops of `lowered`, in the order in which the code launches them, as digests of their text. Two
// kernels of one pipeline with the same digest become the same machine code.
std::vector<std::string> kernel_digests(const Halide::Internal::Stmt &lowered);

// PTX of the kernels of `lowered` for which `wanted` holds, by Halide itself: the others are left out of the statement.
// Empty where none is wanted.
std::string make_ptx(const Halide::Internal::Stmt &lowered, const Halide::Target &target,
                     const std::vector<bool> &wanted);

// Fills `digest`, `ptx` and, where `options` say how to assemble, `resources` of each kernel of `trial`, which was read
// from `lowered`; `trial.ptx` where all of it is made in one piece. Throws std::runtime_error where the PTX is not that
// of the kernels, or does not assemble.
void add_device_code(const Halide::Internal::Stmt &lowered, const Halide::Target &target, const LowerOptions &options,
                     Trial &trial);

}  // namespace warptile
