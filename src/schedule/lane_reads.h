// What lies in the registers of a warp's lanes is read by shuffles: a lane says from which lane it wants a value, but
// all name the same register. So only the dimension that is dealt to the lanes may be read at places that differ from
// lane to lane; Halide 21 does not look, and gives the value of another register.
#pragma once

#include <string>

#include "schedule/plan_graph.h"

namespace warptile {

/// Empty, or one message that names a member of the group that is read so. Members are well-formed otherwise.
std::string check_lane_reads(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

}  // namespace warptile
