// The rules that a plan must keep, whoever made it: the search, a person who edited a plan file, or chance in a test.
// What Halide refuses late, with words about its own inside, or gets wrong without a word, is refused here with a
// message that names the Func and the mend.
#pragma once

#include <string>

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile {

/// Empty where the plan is legal for the pipeline; otherwise one message. Tuples, scalars, extern stages and empty
/// plans are all checked without an exception. Registers are not judged: they are known only after a trial (verify/).
std::string check_plan(const Plan &plan, const FunctionDag &dag);

/// The same of a plan whose groups are known to be legal but for `count` of them from `first` on.
std::string check_groups(const Plan &plan, const FunctionDag &dag, size_t first, size_t count);

}  // namespace warptile
