#pragma once

// Random tiles and tails of a kernel's output.

#include "dag/function_dag.h"
#include "prng.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile::fuzz {

/// Any tile of a pure stage, its grid not flat; lanes only where `lanes` allows them.
KernelTile random_tile(Prng &prng, int dims, bool lanes);

/// Makes the lanes of a tile compute few points, so that the partial results of a row for each of them fit into lanes.
void narrow_lanes(Prng &prng, KernelTile &tile);

/// A tile for update `update` of the Func, and whether it is atomic.
KernelTile random_update_tile(Prng &prng, const PlanFunc &func, int update, bool atomic);

/// Whether CUDA can add to the Func's values atomically.
bool can_be_atomic(const PlanStage &update);

/// A tail and its conditions. It need not be legal.
void draw_tail(Prng &prng, const PlanFunc &output, const FunctionDag &dag, Group &group);

}  // namespace warptile::fuzz
