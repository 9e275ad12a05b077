#include "search/placing/staging.h"

#include <algorithm>

#include "search/graph/inline.h"
#include "search/tiling/tiles.h"

namespace warptile {
namespace {

bool in_group(const GroupView &view, int node) { return node == view.output() || view.is_member(node); }

double taps(const GroupView &view, int source) {
    double n = 0;
    for (const int reader : view.readers(source)) {
        for (size_t s = 0; s < view.dag().node(reader).stages.size(); s++) {
            for (const ExpandedLoad &load : view.expansion(reader, static_cast<int>(s)).loads) {
                n += load.producer == source ? load.count : 0;
            }
        }
    }
    return n;
}

/// The dimension of a Func that adjacent threads walk: the innermost that is no channel.
size_t adjacent_dim(const Node &node) {
    for (size_t d = 0; d < node.estimate.size(); d++) {
        if (node.estimate[d].extent() > kChannel) {
            return d;
        }
    }
    return 0;
}

/// Whether neighbours among its readers read what lies rows apart: a tile of it, copied along its rows, is then read
/// from memory in whole lines.
bool read_across(const GroupView &view, int source) {
    for (const int reader : view.readers(source)) {
        const Node &node = view.dag().node(reader);
        for (size_t s = 0; s < node.stages.size(); s++) {
            const std::vector<int> &loops = node.stages[s].pure_of_dim;
            const size_t d = adjacent_dim(node);
            const int loop = d < loops.size() ? loops[d] : -1;
            for (const ExpandedLoad &load : view.expansion(reader, static_cast<int>(s)).loads) {
                if (loop >= 0 && load.producer == source && load.walks_across(static_cast<size_t>(loop))) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool worth_staging(const GroupView &view, int source) { return taps(view, source) > 1 || read_across(view, source); }

/// The wrappers that the group's own stages call, not the wrappers beneath them.
std::vector<int> outer_wrappers(const KeptGraph &graph, const GroupView &view) {
    std::vector<int> result;
    for (const int id : view.inlined_funcs()) {
        if (!graph.dag->node(id).wraps_input || !can_redirect(graph, view, id)) {
            continue;
        }
        const std::vector<int> callers = callers_to_redirect(graph, view, id);
        if (std::none_of(callers.begin(), callers.end(), [&](int c) { return graph.dag->node(c).wraps_input; })) {
            result.push_back(id);
        }
    }
    return result;
}

}  // namespace

bool can_redirect(const KeptGraph &graph, const GroupView &view, int source) {
    const Node &node = graph.dag->node(source);
    return node.func_index >= 0 && node.kind == NodeKind::Func && !node.only_inlined() &&
           !callers_to_redirect(graph, view, source).empty();
}

std::vector<int> callers_to_redirect(const KeptGraph &graph, const GroupView &view, int source) {
    std::vector<int> callers;
    for (const int c : graph.dag->node(source).consumers) {
        if (in_group(view, c)) {
            callers.push_back(c);
            continue;
        }
        if (std::find(view.inlined_funcs().begin(), view.inlined_funcs().end(), c) == view.inlined_funcs().end()) {
            continue;
        }
        if (!read_only_here(graph, view, c) || graph.dag->node(c).func_index < 0) {
            return {};
        }
        callers.push_back(c);
    }
    return callers;
}

bool read_only_here(const KeptGraph &graph, const GroupView &view, int source) {
    const std::vector<int> readers = kept_readers(*graph.dag, graph.inlined, source);
    return std::all_of(readers.begin(), readers.end(), [&](int r) { return in_group(view, r); });
}

Stageable find_stageable(const KeptGraph &graph, const GroupView &view) {
    Stageable result;
    const std::vector<int> wrappers = outer_wrappers(graph, view);
    if (!wrappers.empty()) {
        std::vector<int> members = view.members();
        std::vector<bool> inlined = view.inlined();
        members.insert(members.end(), wrappers.begin(), wrappers.end());
        for (const int w : wrappers) {
            inlined[static_cast<size_t>(w)] = false;
        }
        const GroupView staged(*graph.dag, view.output(), members, inlined);
        for (const int w : wrappers) {
            if (worth_staging(staged, w) && staged.fixed_extents(w)) {
                result.wrappers.push_back(w);
            }
        }
    }
    for (const int id : view.inputs()) {
        if (can_redirect(graph, view, id) && worth_staging(view, id) && view.fixed_extents(id)) {
            result.copies.push_back(id);
        }
    }
    return result;
}

}  // namespace warptile
