// What a pipeline asks for, whatever its schedule: the bytes that have to be moved and the operations that have to be
// done at its estimates. A roofline is drawn from these (docs/bench.md has the definitions).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/function_dag.h"

namespace warptile {

struct BufferBytes {
    std::string name;
    int64_t bytes = 0;
};

struct PipelineCounters {
    std::vector<BufferBytes> inputs;   ///< of each, the region that is needed, read once
    std::vector<BufferBytes> outputs;  ///< written once
    /// Operations on values with every value that is read computed exactly once; index arithmetic is not counted.
    double float_ops = 0, int_ops = 0, special_ops = 0;

    int64_t compulsory_bytes() const;

    double operations() const { return float_ops + int_ops + special_ops; }
};

/// `dag` is that of `outputs`.
PipelineCounters count_pipeline(const std::vector<Halide::Func> &outputs, const FunctionDag &dag);

}  // namespace warptile
