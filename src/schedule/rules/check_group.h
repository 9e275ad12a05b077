// The rules of one kernel: its tile, its tails, and where its members are computed and kept.
#pragma once

#include <cstdint>
#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile {

/// Threads of a block, in all and along its third dimension; shared memory of a block, which Halide's runtime never
/// raises; grid and thread dimensions.
constexpr int64_t kMostThreads = 1024;
constexpr int64_t kMostThreadsZ = 64;
constexpr int64_t kMostSharedBytes = int64_t{48} * 1024;
constexpr size_t kThreadDimensions = 3;

/// Points of a member in one thread or lane, beyond which its unrolled loops are no kernel any more.
constexpr int64_t kMostPointsInThread = 512;

/// Empty, or one message. The references of the plan are in range and name each Func once.
std::string check_group(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

/// The same for the tile of the output's stage `stage` (0: the pure one), whatever its members.
std::string check_tile(const PlanFunc &output, const KernelTile &tile, int stage, bool atomic);

/// The same for the tail of the group's output.
std::string check_tail(const PlanFunc &output, const FunctionDag &dag, const Group &g);

/// The same for its members: where each may be, and by whom it is read there; then what they take.
std::string check_members(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

/// The same for what they take of threads, registers and shared memory, where each is where it may be.
std::string check_room(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

}  // namespace warptile
