// Reads Halide's IR into a FunctionDag. Of dag/'s headers, this one, pipeline_counters.h and those that its own sources
// share (halide/, bounds/) include Halide.
#pragma once

#include <vector>

#include "Halide.h"
#include "dag/function_dag.h"

namespace warptile {

/// Throws `Error` where an output or an input that bounds depend on has no estimate: the message names the Func or the
/// input and the call that mends it (`set_estimate`). Does not change the Funcs, but advances Halide's counters of
/// unique names: call it in a child process where a replay must give the same names.
FunctionDag read_function_dag(const std::vector<Halide::Func> &outputs, const Halide::Target &target);

/// The fingerprint alone, which advances no counter of names.
std::string fingerprint(const std::vector<Halide::Func> &outputs);

}  // namespace warptile
