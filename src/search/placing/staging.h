#pragma once

// Which inputs of a group are worth keeping in the kernel: those that a point, or several stages, read more than once.
// Each value then crosses from global memory once and reaches its taps by shuffle or from shared memory.

#include <vector>

#include "model/group_view.h"
#include "search/graph/kept_graph.h"

namespace warptile {

struct Stageable {
    std::vector<int> wrappers;  ///< inlined wrappers of input buffers: members of the kernel when staged
    std::vector<int> copies;    ///< other groups' outputs

    bool empty() const { return wrappers.empty() && copies.empty(); }
};

Stageable find_stageable(const KeptGraph &graph, const GroupView &view);

/// Whether a copy of `source` can be made for this group alone.
bool can_redirect(const KeptGraph &graph, const GroupView &view, int source);

/// Funcs of the group (its output, members and inlined Funcs) that call `source` by name: whom a copy has to serve.
/// Empty where one of them is inlined into another group too, so that a copy cannot be made for this group alone.
std::vector<int> callers_to_redirect(const KeptGraph &graph, const GroupView &view, int source);

/// Whether nobody outside the group reads `source`.
bool read_only_here(const KeptGraph &graph, const GroupView &view, int source);

}  // namespace warptile
