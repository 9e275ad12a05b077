#pragma once

// Random members of a kernel: where a Func is computed and kept, and the storage it gets there.

#include <cstdint>
#include <optional>
#include <vector>

#include "dag/function_dag.h"
#include "prng.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile::fuzz {

/// Any place in the group. It need not be legal. `atomics`: threads may add to shared memory.
Member random_member(Prng &prng, const PlanFunc &func, FuncRef ref, const Group &group, bool atomics);

/// The storage that the newest member of the group needs, or more; nothing where it is too much for a test.
std::optional<std::vector<int64_t>> random_storage(Prng &prng, const Plan &plan, const PlanGraph &graph,
                                                   const FunctionDag &dag, const Group &group);

/// Whether these are few enough points of a member in one thread for a test.
bool fits_in_thread(const std::vector<int64_t> &points);

}  // namespace warptile::fuzz
