// The rules of streamed kernels: a warp goes down the rows of its tile with all members on their way, of each of which
// the lanes hold only the rows that are still to be read.
#pragma once

#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile {

/// Rows of a member in a warp's tile: all of them are unrolled.
constexpr int64_t kMostStreamRows = 64;

/// Empty, or one message: of the stream of a tile that is well-formed otherwise; nothing of one without.
std::string check_stream_tile(const PlanFunc &output, const KernelTile &tile);

/// The same of a streamed kernel's tail, and of its members, whose placements and axes are legal.
std::string check_stream(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

}  // namespace warptile
