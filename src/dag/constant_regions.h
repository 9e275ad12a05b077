// What of a Func is needed or written at every size of the pipeline: the region, where it is the same whatever the
// sizes of buffers and the values of parameters. A histogram over bytes has 256 cells however large the image is, and a
// kernel can keep all of them in shared memory.
#pragma once

#include <optional>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// Per node and dimension, an interval that holds what its consumers need and what its own updates read and write; none
/// where that depends on a size, or cannot be known. An output is as large as its buffer, unless a `bound` says more.
std::vector<std::vector<std::optional<Interval>>> constant_regions(const FunctionDag &dag);

}  // namespace warptile
