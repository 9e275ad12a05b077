#pragma once

// The kernels that could make one group, each with its cost: every tile under every form, with and without staging what
// is read more than once.

#include <memory>
#include <string>
#include <vector>

#include "model/cost_model.h"
#include "search/graph/kept_graph.h"
#include "search/space.h"
#include "search/tiling/tiles.h"

namespace warptile {

/// One kernel for a group's output.
struct PricedKernel {
    std::shared_ptr<const GroupView> view;
    Kernel kernel;
    Cost cost;
    std::string form;
};

/// Cheapest first; impossible ones left out. For a group whose output has kernels for its updates (RootForm::Stages),
/// these are of the pure stage.
std::vector<PricedKernel> priced_kernels(const KeptGraph &graph, const CostModel &model, const Space &space, int output,
                                         const std::vector<int> &members, Effort effort);

/// One point a thread, no members, of the Func's pure stage: what always works.
PricedKernel plain_kernel(const KeptGraph &graph, const CostModel &model, int output);

}  // namespace warptile
