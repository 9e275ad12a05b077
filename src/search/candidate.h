#pragma once

// What the search proposes for one group.

#include <string>
#include <vector>

#include "schedule/plan.h"

namespace warptile {

/// One way to make one group's kernel. A FuncRef i < plan.funcs is a Func; funcs + k is base.derived[k]; those beyond
/// (funcs + base.derived.size() + k) are this candidate's own derived[k].
struct Candidate {
    Group group;
    std::vector<Group> before;     ///< members that this candidate computes at root instead, producers first
    std::vector<Derived> derived;  ///< made by this candidate alone: staged inputs, partial reductions
    double cost = 0;               ///< the model's
    bool last_resort = false;      ///< taken only where none of those that were ranked by cost holds
    std::string why;               ///< form, tile and cost terms, to be read by people
};

}  // namespace warptile
