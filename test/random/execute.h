#pragma once

// Runs a random pipeline on the host, or wherever a target says, and compares results. The reference is the pipeline as
// its author wrote it, with every stage at root.

#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"

namespace warptile::fuzz {

/// The buffers of one realization, by the pipeline's inputs; and per output one buffer a tuple element.
struct Buffers {
    std::vector<Halide::Buffer<>> inputs;
    std::vector<std::vector<Halide::Buffer<>>> outputs;
    /// Not where an input has nothing in it (or less: a `where` that never holds asks for negative extents), of which a
    /// copy would have nothing to read, nor where a stage at root does not fit into Halide's 2^31 bytes.
    bool has_meaning = true;
};

/// What Halide says of an allocation of 2^31 bytes and more.
const char *const too_large_for_halide = "exceeds the maximum size of";

/// What input `index` is filled from at sizes[which].
uint64_t fill_seed(const RandomPipeline &pipeline, size_t index, int which);

/// The host, where nothing is contracted or reassociated, so that schedules which keep the order give the same bits.
/// But where tuples are updated: there Halide 21's strict floats have one element read what another has just stored.
Halide::Target host_target(const RandomPipeline &pipeline);

/// Whether the code of the pipeline without a schedule is small enough to be compiled, and can be asked before there is
/// an input, so that inputs are as large as it asks for.
bool asked_without_schedule(const RandomPipeline &pipeline);

/// Runs the pipeline at sizes[which], every stage at root. Schedules the pipeline: it is of no other use afterwards.
/// The raw inputs that it gives are exactly as large as the pipeline asks for without a schedule, with everything
/// inlined that can be; at root, boxes may ask for more, which is filled with what nobody may need. But of what a user
/// is told that it asks for more wherever it is stored (`dag/bounds/unseen_where.h`), that much.
class Reference {
public:
    explicit Reference(RandomPipeline pipeline);
    Buffers run(int which);

private:
    RandomPipeline pipeline_;
    Halide::Pipeline compiled_;
    std::optional<RandomPipeline> unscheduled_;  ///< where it can be asked
    Halide::Pipeline unscheduled_compiled_;
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

/// The first difference, in words, or nothing. Integers and `exact` outputs must be equal; other floats within
/// `tolerance` of the largest magnitude of the reference.
std::string difference(const std::vector<std::vector<Halide::Buffer<>>> &reference,
                       const std::vector<std::vector<Halide::Buffer<>>> &result, const std::vector<bool> &exact,
                       double tolerance);

}  // namespace warptile::fuzz
