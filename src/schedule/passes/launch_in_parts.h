// A card launches at most 65,535 blocks in y and in z of a grid, and nobody knows how far a loop goes at run time. So
// where a grid is higher its kernel is launched in parts, in a loop of the host. Halide lowers the kernel as if there
// was no limit; when that is done a pass of ours puts a second copy of it beside it, which adds where the part begins,
// and the host chooses. At ordinary sizes that costs a comparison. One kernel for both would be a register short now
// and then, and a loop made by a split of the schedule would hide from Halide how large a member of the kernel is. A
// grid of no blocks, which a card refuses too, is not launched.
#pragma once

#include <Halide.h>

namespace warptile {

/// Blocks of a grid in y and in z.
constexpr int kGridYZ = 65535;

/// `lowered` with its kernels launched in parts: a statement as it is before Halide makes code for the device.
Halide::Internal::Stmt launch_in_parts(const Halide::Internal::Stmt &lowered);

/// The same as a struct in C++, for a printed schedule: `LaunchInParts`, a lowering pass.
extern const char *const kLaunchInParts;

}  // namespace warptile
