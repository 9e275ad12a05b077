// What happens inside the process of one variant.
#pragma once

#include "tools/bench/process.h"
#include "tools/bench/running/runner.h"

#include <vector>

namespace warptile::bench {

/// What a worker is told to do.
struct Job {
    const RunOptions &options;
    const BuiltApp &app;
    std::string variant;  // empty: compute the reference
    fs::path reference;   // the file that the reference's outputs go to and come from; empty: there is none
};

/// Computes the app's reference, writes it to the job's file, and replies with the tolerance it is to be held to.
void compute_reference(const Job &job, const Reply &reply);

/// Runs the variant once, writes its outputs to the job's file, and replies. Throws `std::runtime_error` where it wrote
/// where it may not.
void write_results(const Job &job, const Reply &reply);

/// Of each of `files`, which hold outputs of the app, how many agree with it, itself among them.
std::vector<int> agreeing_results(const Job &job, const std::vector<fs::path> &files, const Tolerance &tolerance);

/// Runs the variant once, compares, and replies with the agreement. Then each request "time" is answered by the
/// milliseconds of a call, averaged over a batch, and "check" by the agreement once more.
void measure(const Job &job, const NextRequest &next, const Reply &reply);

}  // namespace warptile::bench
