#include "search/tiling/tails.h"

#include <algorithm>
#include <cmath>

namespace warptile {
namespace {

bool has_bound_rules(const FunctionDag &dag, int output) {
    return std::any_of(dag.nodes.begin(), dag.nodes.begin() + output + 1,
                       [](const Node &n) { return !n.bounds.empty(); });
}

/// A `where` is evaluated before the tile's end is known, and lets through more for points beyond it.
bool has_where(const Node &node) {
    return std::any_of(node.stages.begin(), node.stages.end(), [](const Stage &s) { return s.has_predicate; });
}

}  // namespace

bool rounds_up(const KeptGraph &graph, int output, const std::vector<int64_t> &block) {
    const FunctionDag &dag = *graph.dag;
    const Node &node = dag.node(output);
    const RootForm form = graph.form[static_cast<size_t>(output)];
    if (node.is_output || (form != RootForm::Pure && form != RootForm::Wrapped) || has_where(node) ||
        has_bound_rules(dag, output)) {
        return false;
    }
    for (size_t d = 0; d < block.size(); d++) {
        const bool raw = d < node.raw_dims.size() ? node.raw_dims[d] : node.reads_raw_input;
        if (block[d] > 1 && raw) {
            return false;
        }
    }
    return true;
}

std::optional<SizeCondition> size_that_ensures(LeastRegions &least, int node, int dim, int64_t extent) {
    const FunctionDag &dag = least.dag();
    if (dag.node(node).is_output) {
        return SizeCondition{dag.node(node).output_index, dim, extent};
    }
    constexpr int64_t kLarge = 1 << 20;
    const size_t d = static_cast<size_t>(dim);
    for (const int output : dag.outputs) {
        for (size_t along = 0; output > node && along < static_cast<size_t>(dag.node(output).dims()); along++) {
            const int64_t large = least.extent(node, d, output, along, 0, kLarge);
            if (large < extent) {
                continue;
            }
            const int64_t small = least.extent(node, d, output, along, 0, 1);
            const double points_each = static_cast<double>(large - small) / (kLarge - 1);
            const double missing = std::max(0.0, static_cast<double>(extent - small));
            const int64_t guess = 1 + (points_each > 0 ? static_cast<int64_t>(std::ceil(missing / points_each)) : 0);
            for (int64_t more = 0; more <= kLarge; more = more * 2 + 2) {
                if (least.least_extent(node, d, output, along, guess + more) >= extent) {
                    return SizeCondition{dag.node(output).output_index, static_cast<int>(along), guess + more};
                }
            }
        }
    }
    return std::nullopt;
}

TailChoice choose_tail(const KeptGraph &graph, int output, const std::vector<int64_t> &block) {
    const FunctionDag &dag = *graph.dag;
    const Node &node = dag.node(output);
    TailChoice choice;
    if (rounds_up(graph, output, block)) {
        choice.tail = Tail::RoundUp;
        return choice;
    }
    if (node.stages.size() > 1) {
        return choice;
    }
    for (size_t d = 0; d < block.size(); d++) {
        if (block[d] <= 1) {
            continue;
        }
        const std::optional<SizeCondition> condition =
            size_that_ensures(*graph.least, output, static_cast<int>(d), block[d]);
        if (!condition) {
            choice.conditions.clear();
            return choice;
        }
        choice.conditions.push_back(*condition);
    }
    choice.tail = choice.conditions.empty() ? Tail::Guard : Tail::Both;
    return choice;
}

std::vector<bool> ensured_dims(const KeptGraph &graph, int output) {
    constexpr int64_t kTile = 2;  // of any tile
    const Node &node = graph.dag->node(output);
    std::vector<bool> ensured(static_cast<size_t>(node.dims()), true);
    for (size_t d = 0; d < ensured.size() && !node.is_output && node.stages.size() == 1; d++) {
        const bool raw = d < node.raw_dims.size() ? node.raw_dims[d] : node.reads_raw_input;
        ensured[d] = !raw || size_that_ensures(*graph.least, output, static_cast<int>(d), kTile).has_value();
    }
    return ensured;
}

bool guarded_at_estimates(const KeptGraph &graph, int output, const std::vector<int64_t> &block,
                          const std::vector<bool> &ensured) {
    const Node &node = graph.dag->node(output);
    if (rounds_up(graph, output, block)) {
        return false;
    }
    if (node.stages.size() > 1) {
        return true;
    }
    for (size_t d = 0; d < block.size(); d++) {
        if (block[d] > node.estimate[d].extent() || (block[d] > 1 && !ensured[d])) {
            return true;
        }
    }
    return false;
}

}  // namespace warptile
