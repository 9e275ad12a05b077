#pragma once

// A finished Plan seen as the kernels that the cost models know, so that what was planned can be costed and reported,
// whether a search made the plan or a person.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cost_model.h"
#include "model/kernel.h"
#include "model/sweep.h"
#include "schedule/plan.h"

namespace warptile {

struct PlanKernel {
    std::string output;  ///< the Func that it writes
    int stage = 0;       ///< of that Func
    bool on_host = false;
    std::optional<Sweep> sweep;  ///< of a reduction over the whole grid (`rfactor` at root); else the others are set
    std::shared_ptr<const GroupView> view;
    Kernel kernel;
};

Cost cost_of(const CostModel &model, const PlanKernel &kernel);

/// In the order in which they run. `plan` must be legal for `dag` (`check_plan`), which must outlive the result.
std::vector<PlanKernel> kernels_of(const Plan &plan, const FunctionDag &dag);

}  // namespace warptile
