// A plan for a pipeline that says nothing yet: which pipeline it is, and how its Funcs are numbered.
#pragma once

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile {

Plan empty_plan(const FunctionDag &dag);

}  // namespace warptile
