#pragma once

// Which Funcs are inlined and which groups the rest makes, decided together: groups for the first choice of what is
// inlined, then one Func after the other tried the other way, each time with all groups anew. Costs of groups that a
// change does not touch are remembered.

#include <vector>

#include "machine/machine.h"
#include "model/cost_model.h"
#include "search/cutting/fusion.h"
#include "search/graph/inline.h"
#include "search/options.h"
#include "search/pricing/kernels.h"

namespace warptile {

struct Groups {
    KeptGraph graph;
    std::vector<GroupSpec> groups;  ///< ascending by output: producers first
};

Groups find_groups(const FunctionDag &dag, const Machine &machine, const CostModel &model,
                   const SearchOptions &options);

}  // namespace warptile
