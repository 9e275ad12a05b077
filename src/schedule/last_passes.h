// What is done to a pipeline when Halide has lowered it, before code is made for the device: passes of ours for what a
// schedule cannot say.
#pragma once

#include <Halide.h>

namespace warptile {

/// Makes Halide run them (`guard_loads`, then `launch_in_parts`) in what it lowers of `pipeline` from here on. A
/// Pipeline that is made anew of the same Funcs does not have them.
void add_last_passes(Halide::Pipeline pipeline);

}  // namespace warptile
