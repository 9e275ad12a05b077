#pragma once

// Random streamed kernels: members that are computed row by row in the lanes' registers.

#include <optional>

#include "dag/function_dag.h"
#include "prng.h"
#include "schedule/plan.h"

namespace warptile::fuzz {

/// The group of the plan with all its members in a stream; nothing where none that is legal was found.
std::optional<Group> random_stream(Prng &prng, const Plan &plan, size_t group, const FunctionDag &dag);

}  // namespace warptile::fuzz
