#pragma once

// Runs a random pipeline on the host, or wherever a target says, and compares results. The reference is the pipeline as
// its author wrote it, with every stage at root.

#include <string>
#include <vector>

#include "pipeline.h"

namespace warptile::fuzz {

/// The buffers of one realization, by the pipeline's inputs; and per output one buffer a tuple element.
struct Buffers {
    std::vector<Halide::Buffer<>> inputs;
    std::vector<std::vector<Halide::Buffer<>>> outputs;
};

/// Whether an input has nothing in it (or less: a `where` that never holds asks for negative extents), so that the
/// pipeline has no meaning at this size.
bool is_empty(const Halide::Buffer<> &input);

/// What input `index` is filled from at sizes[which].
uint64_t fill_seed(const RandomPipeline &pipeline, size_t index, int which);

/// Runs the pipeline at sizes[which], every stage at root, with raw inputs exactly as large as it asks for. Schedules
/// the pipeline: it is of no other use afterwards.
class Reference {
public:
    explicit Reference(RandomPipeline pipeline);
    Buffers run(int which);

private:
    RandomPipeline pipeline_;
    Halide::Pipeline compiled_;
};

/// Runs a pipeline, scheduled by the caller, on the inputs of a reference run. Memory that it allocates is filled with
/// large numbers first, so that a read before a write shows. Throws Halide's errors, a failed bounds check among them.
class Scheduled {
public:
    Scheduled(const RandomPipeline &pipeline, const Halide::Target &target);
    std::vector<std::vector<Halide::Buffer<>>> run(const Buffers &reference);

private:
    RandomPipeline pipeline_;
    Halide::Pipeline compiled_;
    Halide::Target target_;
};

/// The first difference, in words, or nothing. Integers must be equal; floats within `tolerance` of the largest
/// magnitude of the reference.
std::string difference(const std::vector<std::vector<Halide::Buffer<>>> &reference,
                       const std::vector<std::vector<Halide::Buffer<>>> &result, double tolerance);

}  // namespace warptile::fuzz
