#include "schedule/passes/launch_in_parts.h"

#include <string>
#include <utility>
#include <vector>

namespace warptile {

namespace {

#include "schedule/passes/launch_in_parts.inc"  // LaunchInParts, and its text in a printed schedule

}  // namespace

Halide::Internal::Stmt launch_in_parts(const Halide::Internal::Stmt &lowered) {
    return LaunchInParts().mutate(lowered);
}

}  // namespace warptile
