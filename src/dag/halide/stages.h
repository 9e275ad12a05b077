// The definitions of a Func as the dag reads them: estimates in the place of parameters, lets substituted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/halide/estimates.h"

namespace warptile {

struct StageSource {
    std::vector<Halide::Expr> args;    ///< of the left-hand side
    std::vector<Halide::Expr> values;  ///< one a tuple element
    Halide::Expr predicate;            ///< undefined where there is none
    std::vector<Halide::Internal::ReductionVariable> rvars;
    std::vector<std::string> apart;  ///< names of those whose steps Halide can tell never touch the same place

    /// Left-hand side, right-hand sides and predicate, in this order.
    std::vector<Halide::Expr> expressions() const;
};

/// The pure definition and the updates as they stand, parameters included.
std::vector<StageSource> stages_of(const Halide::Internal::Function &f);
StageSource with_estimates(const StageSource &stage, const Estimates &estimates);

/// With `change` made to each of its expressions.
StageSource changed(StageSource stage, const std::function<Halide::Expr(const Halide::Expr &)> &change);

}  // namespace warptile
