// One group of a plan as a pipeline of its own: what it reads of other groups becomes input images. Its kernel is the
// same as in the whole pipeline, and a trial of it costs one kernel's lowering instead of all.
#pragma once

#include "schedule/plan.h"

#include <optional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

struct Isolated {
    Halide::Pipeline pipeline;
    Plan plan;                       ///< of this group alone
    std::vector<std::string> names;  ///< Halide's names by FuncRef, derived ones included
};

/// Applies group `group` of `plan` to the real Funcs and cuts them off from what other groups compute: to be called in
/// a child. Nothing where the group cannot be cut off: it reads an extern stage. Throws Halide::Error where a directive
/// is illegal.
std::optional<Isolated> isolate(const Plan &plan, size_t group, const std::vector<Halide::Func> &outputs);

}  // namespace warptile
