// What a block keeps in shared memory may have a size that is known at run time only: the bins of a histogram, the
// channels of an image. At the usual sizes it fits, or a schedule would not have it so; at others the launch would
// fail. So when all is lowered, such a kernel is put beside a copy of it that keeps the same in global memory, and the
// host chooses. The copy is slow and right: its blocks are launched so many at once as there is memory set aside for.
#pragma once

#include <Halide.h>

namespace warptile {

/// `lowered` with a copy of each kernel whose shared memory has no constant size: a statement as it is before Halide
/// makes code for the device.
Halide::Internal::Stmt room_elsewhere(const Halide::Internal::Stmt &lowered);

/// The same as a struct in C++, for a printed schedule: `RoomElsewhere`, a lowering pass.
extern const char *const kRoomElsewhere;

}  // namespace warptile
