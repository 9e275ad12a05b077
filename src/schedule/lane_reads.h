// What lies in the registers of a warp's lanes is read by shuffles: a lane says from which lane it wants a value. The
// dimension that is dealt to the lanes has to be read at places that differ from lane to lane: where all lanes read the
// same few places of it, Halide 21 takes the first lane's for all (on an H100, wrong values). Partial results, one in
// each lane, are the exception.
#pragma once

#include <string>

#include "schedule/plan_graph.h"

namespace warptile {

/// Empty, or one message that names a member of the group that is read so. Members are well-formed otherwise.
std::string check_lane_reads(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g);

/// Whether member `m`, in lane registers, is read by the kernel's output alone, each point in the lane that computed
/// it, and asks for no other lane's registers either. Lanes beyond its extent are then beyond the output's too, and
/// nothing is missed where they sit an update out.
bool stays_in_lanes(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g, const Member &m);

}  // namespace warptile
