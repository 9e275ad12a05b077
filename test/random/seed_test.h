#pragma once

// Everything that is tried with one seed: a random pipeline under a random plan and under the search's own.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "census.h"
#include "pipeline.h"
#include "random_plan.h"

namespace warptile::fuzz {

struct SeedOptions {
    bool with_opencl = false;  ///< PoCL is there: plans without lanes run on it
    bool with_cuda = false;    ///< an NVIDIA GPU of capability 8.0 or more is there: plans run on it
    /// Every how many seeds the costly checks are made: running on the GPU, device code and its assembly, lowering
    /// twice, the OpenCL target, the search's own plan.
    int gpu_every = 1, assemble_every = 2, replay_every = 8, opencl_every = 10, search_every = 5;
};

struct SeedReport {
    uint64_t seed = 0;
    std::vector<std::string> failures;  ///< each begins with the phase: "plan: ", "mirror: ", "gpu: ", …
    PlanCensus census;                  ///< of the random plan
    std::vector<std::string> traits;    ///< of the pipeline: kinds of things that the summary counts
    bool rolled = false;  ///< Halide could not unroll all loops of the random plan, which was tried with loops instead
    bool nothing_to_run = false;            ///< the pipeline has no meaning at any of its sizes: only lowered
    bool ran_on_gpu = false;                ///< a plan of it ran there at all its sizes, and agreed
    std::vector<std::string> refusals;      ///< why Halide's lowering did not take the plans that were drawn first
    std::string refused;                    ///< the last of these, where it took none: nothing was run
    std::map<std::string, double> seconds;  ///< wall time of each phase
    int search_kernels = 0, search_fallbacks = 0;
    std::string program, plan;  ///< as text, where something failed
};

/// Each phase runs in a child of its own, so that a crash is a failure like another.
SeedReport test_seed(uint64_t seed, const SeedOptions &options);

std::string to_text(const SeedReport &report);
SeedReport report_from_text(const std::string &text);

}  // namespace warptile::fuzz
