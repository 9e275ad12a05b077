// The check that the Halide which loaded the plugin is the one it was built for: Halide's C++ types have no stable
// layout between versions.
#pragma once

#include <string>

namespace warptile {

/// The version this was built for, "21.0.0".
std::string built_for_halide();

/// Whether that version runs. The library tells its version only in what it signs: a pipeline that it serialises. A
/// Halide built without that cannot be told and is taken to be right. Advances Halide's counters of unique names: call
/// it in a child.
bool runs_in_that_halide();

}  // namespace warptile
