// How a streamed kernel goes through its members. The rows of the output that a warp takes one after the other are rows
// of every member too, each so many behind the one that is computed: Halide then computes each row of a member once.
// It sees that only where a row is read beside the point itself, by whoever reads it.
#pragma once

#include <string>
#include <vector>

#include "schedule/plan_graph.h"

namespace warptile {

struct StreamReads {
    std::vector<int> dims;  ///< per member the dimension that the stream walks; -1: none that is known
    std::string error;      ///< not empty: some member is read otherwise, in one message
};

/// Of a group whose tile has a stream, and whose members are in the lanes.
StreamReads stream_reads(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

}  // namespace warptile
