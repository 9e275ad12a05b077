#pragma once

namespace warptile::fuzz {

/// The text of a bundle's main program, which includes "pipelines.inc" (one PIPELINE(name) a line).
extern const char *const bundle_runner_text;
extern const char *const bundle_makefile_text;

}  // namespace warptile::fuzz
