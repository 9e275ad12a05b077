#pragma once

// From kernels by node ids to Groups by FuncRefs: which Funcs the schedule has to make (wrappers, partial reductions),
// the storage bounds, the tails, and the text that says why.

#include "search/candidate.h"
#include "search/pricing/kernels.h"
#include "search/tiling/update_loops.h"

namespace warptile {

/// The wrappers that all candidates share, and what every ref is relative to.
struct RefMap {
    const KeptGraph *graph = nullptr;
    const Plan *base = nullptr;
    std::vector<int> wrapper;  ///< by node id: index in base->derived; -1: none

    FuncRef itself(int node) const { return graph->dag->node(node).func_index; }

    /// The Func that readers of the node read.
    FuncRef read(int node) const;

    FuncRef own(size_t k) const { return base->funcs + static_cast<int>(base->derived.size() + k); }
};

/// Adds a Func that the candidate makes to it: a copy of `source` for all its readers, or `factor` partial results of
/// an update of it, of whose reduction variable `rvar` each has every `factor`-th step.
FuncRef add_copy(const RefMap &refs, FuncRef source, Candidate &candidate);
FuncRef add_partial(const RefMap &refs, FuncRef source, int rvar, int factor, Candidate &candidate, int update = 0);

Candidate emit(const RefMap &refs, const PricedKernel &priced);

/// A Func at root with its updates, each stage a plain or (for the pure one) the given kernel.
Candidate emit_stages(const RefMap &refs, const PricedKernel &pure, const std::vector<PricedKernel> &updates);

/// Everything at root, one point a thread, guarded: the group's members before its output.
Candidate emit_plain(const RefMap &refs, const CostModel &model, int output, const std::vector<int> &members,
                     Additions additions);

/// Everything at root, by the host.
Candidate emit_on_host(const RefMap &refs, int output, const std::vector<int> &members);

/// Whether some update of these Funcs can run atomically, so that the two differ.
bool adds_atomically(const FunctionDag &dag, int output, const std::vector<int> &members);

}  // namespace warptile
