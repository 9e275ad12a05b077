// Which group of a plan computes each Func, and the rules of the updates of a kernel's members: what they read before
// anything is tested, how they add, and which of their steps are taken together.
#pragma once

#include <map>
#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile {

/// Where Funcs are computed; those that no group names are inline.
struct Homes {
    std::map<FuncRef, size_t> group_of;   ///< index in Plan::groups, of every Func that is computed
    std::map<FuncRef, size_t> member_of;  ///< index in Group::members, of one group
};

Homes homes_in(const Plan &plan, const Group &g);

/// Empty, or one message: of the updates of a member `m` of `g` whose placement and axes are legal.
std::string check_updates(const Homes &homes, const PlanGraph &graph, const FunctionDag &dag, const Group &g,
                          const Member &m);

}  // namespace warptile
