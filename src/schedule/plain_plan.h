// The plan that every pipeline has: each Func at root, each stage a kernel of its own, guarded at every tail. It needs
// no analysis, so it is what remains when the analysis of a pipeline fails.
#pragma once

#include <vector>

#include "Halide.h"
#include "schedule/plan.h"

namespace warptile {

/// Input wrappers (pure Funcs of one load) and Funcs of the same kind stay inline; what no kernel can compute stays on
/// the host.
Plan plain_plan(const std::vector<Halide::Func> &outputs);

/// The group of one Func in that plan.
Group plain_group(const Halide::Func &func, FuncRef ref);

}  // namespace warptile
