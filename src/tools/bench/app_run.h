// The variants of one app, run and timed in turn.
#pragma once

#include "tools/bench/machine.h"
#include "tools/bench/runner.h"

#include <string>

namespace warptile::bench {

/// `reference` is the file that the reference's outputs are in, `tolerance` what `compute_reference` replied.
AppResult run_app(const RunOptions &options, const BuiltApp &app, const fs::path &reference,
                  const std::string &tolerance, const Nvml &card);

/// The app without any run, where its reference failed: `error` says why.
AppResult not_run(const RunOptions &options, const BuiltApp &app, const std::string &error);

}  // namespace warptile::bench
