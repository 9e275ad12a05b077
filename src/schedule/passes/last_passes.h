// What is done to a pipeline when Halide has lowered it, before code is made for the device: passes of ours for what a
// schedule cannot say.
#pragma once

#include <Halide.h>

namespace warptile {

/// Those that change kernels: `add_in_place`, `guard_loads` and `keep_stored`. What a trial reads is after them.
Halide::Internal::Stmt change_kernels(const Halide::Internal::Stmt &lowered);

/// Makes Halide run them, and then those that put a kernel beside another form of it, `room_elsewhere` and
/// `launch_in_parts`, in what it lowers of `pipeline` from here on. A Pipeline that is made anew of the same Funcs does
/// not have them.
void add_last_passes(Halide::Pipeline pipeline);

}  // namespace warptile
