#include "schedule/passes/room_elsewhere.h"

#include <map>
#include <string>
#include <vector>

namespace warptile {

namespace {

#include "schedule/passes/room_elsewhere.inc"  // RoomElsewhere, and its text in a printed schedule

}  // namespace

Halide::Internal::Stmt room_elsewhere(const Halide::Internal::Stmt &lowered) { return RoomElsewhere().mutate(lowered); }

}  // namespace warptile
