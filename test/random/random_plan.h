#pragma once

// A plan drawn at random from all that are legal, not only from those that the search would choose: it starts with
// every Func at root and takes random steps (inline, move into a consumer's kernel, stage an input, split a reduction),
// each of which `check_plan` accepts.

#include <cstdint>
#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile::fuzz {

enum class PlanStyle {
    Any,
    WithoutLanes,  ///< no lanes and no atomic updates: what every GPU can run
};

/// The same seed and pipeline give the same plan. `check_plan` accepts it.
Plan random_plan(const FunctionDag &dag, uint64_t seed, PlanStyle style = PlanStyle::Any);

}  // namespace warptile::fuzz
