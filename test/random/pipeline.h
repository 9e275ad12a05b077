#pragma once

// A small random Halide pipeline: the same seed gives the same one on every machine, whatever was built before it in
// the process. It can be realized at any size of its outputs, not only at its estimates.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile::fuzz {

/// An input buffer, and what to fill it with.
struct InputBuffer {
    Halide::ImageParam param;
    double lo = 0, hi = 255;  ///< its elements are whole numbers of this interval
    /// Raw inputs are as large as the pipeline needs them to be. An input behind a boundary condition has a size of its
    /// own, in no relation to the outputs': for each of `RandomPipeline::sizes` the extents.
    bool raw = true;
    std::vector<std::vector<int>> extents;
};

/// A scalar parameter and its value (an int32 or a float32).
struct InputScalar {
    Halide::Parameter param;
    double value = 0;
};

/// The extents of every output; the outermost vector runs over the outputs.
using OutputSizes = std::vector<std::vector<int>>;

struct RandomPipeline {
    uint64_t seed = 0;
    std::vector<Halide::Func> outputs;
    std::vector<Halide::Func> stages;  ///< every Func but those that Halide itself makes (boundary conditions, `sum`)
    std::vector<InputBuffer> inputs;
    std::vector<InputScalar> scalars;
    std::vector<OutputSizes> sizes;   ///< the estimates first, then others: tiny, odd, far from the estimates
    std::vector<bool> exact_outputs;  ///< per output: whether no element is a rounded float
    std::set<std::string> traits;     ///< kinds of things in it that the summary counts, in its words
    int float_terms = 1;              ///< of all sums of rounded floats, added up
};

/// How many entries RandomPipeline::sizes has.
constexpr int size_count = 4;

RandomPipeline make_pipeline(uint64_t seed);

/// The definitions of every Func, and the inputs, as text to be read by people.
std::string program_text(const RandomPipeline &pipeline);

}  // namespace warptile::fuzz
