// Who reads whom once the Funcs that a plan makes (copies and partial results) are there. It follows Halide's rules: a
// copy redirects its consumers' reads, `rfactor` moves an update's reads to the partial result. Checking a plan and
// drawing one at random both start from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile {

struct PlanStage {
    std::vector<FuncRef> reads;       ///< ascending; the Func itself is not among them, nor are input buffers
    std::vector<bool> keeps;          ///< per dimension: a pure loop runs over it
    std::vector<int64_t> reductions;  ///< extents of the reduction loops, innermost first; 0: not known
    std::vector<bool> apart;          ///< per reduction loop: no two of its steps touch the same place
    std::vector<bool> promised;       ///< … which Halide cannot tell (`Loop::promised`)
    std::vector<bool> apart_in_turn;  ///< per reduction loop: the same within a turn of the outermost `turns`
    int turns = 0;                    ///< as Stage::turns
    bool associative = false, commutative = false, adds = false, scatters = false;
    bool chooses = false;  ///< as Stage::chooses, of an update that has no partial results
    bool has_where = false;
    bool where_bounds = false;  ///< as Stage::where_bounds

    /// Whether Halide lets its steps change places.
    bool any_order() const { return associative && commutative && !chooses; }
};

struct PlanFunc {
    enum class Kind { Itself, Copy, Partial };
    Kind kind = Kind::Itself;
    std::string name;  ///< for messages
    int node = 0;      ///< of the Func itself, of what is copied, or of the reduction whose partial results it holds
    int dims = 0;
    std::vector<int> partial_factors;  ///< extents of the dimensions that `rfactor` added after the node's own
    std::vector<PlanStage> stages;
    std::vector<std::pair<FuncRef, int>> readers;  ///< who reads it, and in which of its stages; ascending
};

/// One PlanFunc a FuncRef. Input buffers are not among them.
struct PlanGraph {
    std::vector<PlanFunc> funcs;
    std::string error;  ///< not empty: plan.derived is not well-formed, in one message that names the Func and the mend

    const PlanFunc &func(FuncRef ref) const { return funcs[static_cast<size_t>(ref)]; }
};

PlanGraph make_plan_graph(const Plan &plan, const FunctionDag &dag);

}  // namespace warptile
