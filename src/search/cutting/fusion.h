#pragma once

// The cut of the DAG into groups. In Halide a group has one live-out, so every kept node is either the output of a
// group or a member of the one group in which all of its readers are. Dynamic programming from the outputs backwards:
// the state is what the frontier, the nodes whose producers are still to come, belongs to (DP-Fusion, Jangda and
// Bondhugula 2018), bounded by the size of a group and by the number of states
// kept.

#include <functional>
#include <vector>

#include "search/graph/group_spec.h"
#include "search/graph/kept_graph.h"

namespace warptile {

struct FusionBounds {
    size_t members = 12;  ///< of a group
    size_t states = 8;    ///< kept after each node
};

/// Predicted microseconds of the group; infinite where there is no kernel for it.
using GroupCost = std::function<double(int output, const std::vector<int> &members)>;

struct Fusion {
    std::vector<GroupSpec> groups;  ///< ascending by output: producers first
    double cost = 0;                ///< predicted microseconds of all
};

Fusion fuse(const KeptGraph &graph, const GroupCost &cost, const FusionBounds &bounds);

}  // namespace warptile
