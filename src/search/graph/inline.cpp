#include "search/graph/inline.h"

#include <algorithm>
#include <set>

#include "dag/extern_reads.h"
#include "model/expansion.h"

namespace warptile {
namespace {

// Issue slots, roughly: of a load or store against an addition, and of a division, root or exponential.
constexpr double kLoad = 4, kSpecial = 10, kInt = 0.5;
// Storing a Func costs more than its slots: a barrier or a launch, registers or traffic.
constexpr double kWorthStoring = 1.15;
// And where several kernels would read it, the way through global memory.
constexpr double kThroughMemory = 12;
constexpr double kMostLoads = 120;

double slots(const Expansion &e) {
    return e.float_ops + kInt * (e.int_ops + e.index_ops) + kSpecial * e.special_ops + kLoad * e.load_count();
}

double points_of(const Stage &stage) {
    double n = 1;
    for (const Loop &loop : stage.loops) {
        n *= static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
    }
    return n;
}

/// Issue slots of all stages of the readers; negative where one would grow too large.
double cost_of_readers(const FunctionDag &dag, const std::vector<int> &readers, const std::vector<bool> &inlined) {
    double total = 0;
    for (const int reader : readers) {
        const Node &node = dag.node(reader);
        for (size_t s = 0; s < node.stages.size(); s++) {
            const Expansion e = expand(dag, reader, static_cast<int>(s), inlined);
            if (e.float_ops + kInt * (e.int_ops + e.index_ops) + e.special_ops > kMostOps ||
                e.load_count() > kMostLoads) {
                return -1;
            }
            total += points_of(node.stages[s]) * slots(e);
        }
    }
    return total;
}

bool worth_inlining(const FunctionDag &dag, int id, std::vector<bool> &inlined) {
    const Node &node = dag.node(id);
    const std::vector<int> readers = kept_readers(dag, inlined, id);
    const double stored = cost_of_readers(dag, readers, inlined);
    inlined[static_cast<size_t>(id)] = true;
    const double repeated = cost_of_readers(dag, readers, inlined);
    inlined[static_cast<size_t>(id)] = false;
    if (repeated < 0) {
        return false;
    }
    const double itself = points_of(node.stages[0]) * (slots(expand(dag, id, 0, inlined)) + kLoad);
    const double memory = readers.size() > 1 ? kThroughMemory * points_of(node.stages[0]) : 0;
    return repeated <= kWorthStoring * (stored + itself + memory);
}

}  // namespace

bool can_inline(const FunctionDag &dag, int id) {
    const Node &node = dag.node(id);
    const bool wrapper = node.wrapper && node.func_index < 0;
    const auto on_host = [&](int c) { return dag.node(c).on_host(); };
    const bool for_host = always_inlined(node) && std::all_of(node.consumers.begin(), node.consumers.end(), on_host);
    if (node.kind != NodeKind::Func || node.is_output || node.stages.size() != 1 || !node.scheduled_by.empty() ||
        ((node.loses_cast || (node.on_host() && !for_host)) && !wrapper)) {
        return false;
    }
    if (handed_whole(dag, node) || handed_by_value(dag, node)) {
        return !handed_whole(dag, node);
    }
    // The host would do the work of what is inlined into its stages.
    return std::none_of(node.consumers.begin(), node.consumers.end(),
                        [&](int c) { return on_host(c) && !always_inlined(node); });
}

bool always_inlined(const Node &node) {
    return node.wraps_input || node.table || node.only_inlined() || (node.wrapper && node.func_index < 0);
}

bool fits_inlined(const FunctionDag &dag, int node, std::vector<bool> inlined) {
    const std::vector<int> readers = kept_readers(dag, inlined, node);
    inlined[static_cast<size_t>(node)] = true;
    return cost_of_readers(dag, readers, inlined) >= 0;
}

std::vector<int> kept_readers(const FunctionDag &dag, const std::vector<bool> &inlined, int node) {
    std::set<int> kept, seen;
    std::vector<int> todo = {node};
    while (!todo.empty()) {
        const int id = todo.back();
        todo.pop_back();
        for (const int c : dag.node(id).consumers) {
            if (!inlined[static_cast<size_t>(c)]) {
                kept.insert(c);
            } else if (seen.insert(c).second) {
                todo.push_back(c);
            }
        }
    }
    return {kept.begin(), kept.end()};
}

std::vector<bool> choose_inlined(const FunctionDag &dag, Inlining inlining) {
    std::vector<bool> inlined(dag.nodes.size(), false);
    for (const Node &node : dag.nodes) {
        inlined[static_cast<size_t>(node.id)] =
            can_inline(dag, node.id) && (always_inlined(node) || handed_by_value(dag, node));
    }
    if (inlining == Inlining::Wrappers) {
        return inlined;
    }
    // Readers first: whether a Func is worth it depends on where its readers end up.
    for (int id = static_cast<int>(dag.nodes.size()) - 1; id >= 0; id--) {
        if (!inlined[static_cast<size_t>(id)] && can_inline(dag, id) && worth_inlining(dag, id, inlined)) {
            inlined[static_cast<size_t>(id)] = true;
        }
    }
    return inlined;
}

}  // namespace warptile
