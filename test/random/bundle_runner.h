#pragma once

// What a bundle of random pipelines (bundle.h) brings besides them: its main program and its Makefile, as text.

namespace warptile::fuzz {

/// The text of a bundle's main program, which includes "pipelines.inc" (one PIPELINE(name) a line).
extern const char *const bundle_runner_text;
extern const char *const bundle_makefile_text;

}  // namespace warptile::fuzz
