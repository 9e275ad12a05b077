#pragma once

// A reduction that is split inside a kernel: its total, and the partial results that lanes or threads find.

#include <vector>

#include "model/kernel.h"
#include "search/graph/reductions.h"
#include "search/placing/split_parts.h"

namespace warptile {

/// Block form: the kernel's output is a copy of `node`, each block computes one point of it, `threads` threads a part
/// of its reduction each. The tile has no threads of its own.
Kernel block_reduction(const FunctionDag &dag, int node, const SplitReduction &split, int threads);

/// The parts of a member whose reduction is split over `factor` lanes or threads: its total, and the partial results.
std::vector<Part> split_parts(int node, int dims, const SplitReduction &split, Placement placement, int factor);

}  // namespace warptile
