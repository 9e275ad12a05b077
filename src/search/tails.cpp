#include "search/tails.h"

#include <algorithm>
#include <cmath>

namespace warptile {
namespace {

/// What is surely computed of each node, per dimension, for one place and size of one output.
class LeastRegions {
  public:
    explicit LeastRegions(const FunctionDag &dag) : dag_(dag), regions_(dag.nodes.size()) {}

    /// The extent of `dim` of `node` when `output` covers [start, start + extent) along `along` and one point elsewhere.
    int64_t extent(int node, size_t dim, int output, size_t along, int64_t start, int64_t extent) {
        for (const Node &n : dag_.nodes) {
            regions_[static_cast<size_t>(n.id)].assign(static_cast<size_t>(n.dims()), Interval{});
        }
        for (size_t d = 0; d < regions_[static_cast<size_t>(output)].size(); d++) {
            regions_[static_cast<size_t>(output)][d] = {start, start + (d == along ? extent : 1) - 1};
        }
        for (int id = output; id > node; id--) {
            visit(dag_.node(id));
        }
        return regions_[static_cast<size_t>(node)][dim].extent();
    }

  private:
    const FunctionDag &dag_;
    std::vector<Region> regions_;

    void visit(const Node &node) {
        for (const int e : dag_.edges_into[static_cast<size_t>(node.id)]) {
            const Edge &edge = dag_.edges[static_cast<size_t>(e)];
            if (static_cast<size_t>(edge.stage) >= node.stages.size()) {
                continue;
            }
            const Stage &stage = node.stages[static_cast<size_t>(edge.stage)];
            // A load under a condition may not happen.
            if (stage.has_predicate) {
                continue;
            }
            const Region loops = loops_of(node, stage);
            for (const Access &access : edge.accesses) {
                for (size_t d = 0; d < access.axes.size(); d++) {
                    add(access.axes[d], loops, regions_[static_cast<size_t>(edge.producer)][d]);
                }
            }
        }
    }

    Region loops_of(const Node &node, const Stage &stage) const {
        Region loops;
        for (size_t l = 0; l < stage.loops.size(); l++) {
            const auto dim = std::find(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), static_cast<int>(l));
            if (!stage.loops[l].reduction && dim != stage.pure_of_dim.end()) {
                loops.push_back(regions_[static_cast<size_t>(node.id)][static_cast<size_t>(dim - stage.pure_of_dim.begin())]);
            } else {
                loops.push_back(stage.loops[l].extent_known ? stage.loops[l].estimate : Interval{});
            }
        }
        return loops;
    }

    static void add(const AxisAccess &axis, const Region &loops, Interval &into) {
        // A clamp's bounds belong to the estimates; at other sizes it may shrink the region to a point.
        if (axis.kind != AxisAccess::Kind::Affine || axis.clamped || !(axis.limits == kEverything)) {
            return;
        }
        for (const Term &term : axis.terms) {
            if (loops[static_cast<size_t>(term.loop)].empty()) {
                return;
            }
        }
        into = hull(into, covered(axis, loops, {}));
    }
};

/// The least extent over the places that the output can have relative to the coarsest grid in between.
int64_t least_extent(LeastRegions &least, int node, size_t dim, int output, size_t along, int64_t extent) {
    int64_t result = INT64_MAX;
    for (const int64_t start : {0, 1, 2, 3, 5, 7, 15, 31}) {
        result = std::min(result, least.extent(node, dim, output, along, start, extent));
    }
    return result;
}

bool has_bound_rules(const FunctionDag &dag, int output) {
    return std::any_of(dag.nodes.begin(), dag.nodes.begin() + output + 1, [](const Node &n) { return !n.bounds.empty(); });
}

}  // namespace

bool rounds_up(const FunctionDag &dag, int output, const std::vector<int64_t> &block) {
    const Node &node = dag.node(output);
    if (node.is_output || node.stages.size() > 1 || has_bound_rules(dag, output)) {
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

std::optional<SizeCondition> size_that_ensures(const FunctionDag &dag, int node, int dim, int64_t extent) {
    if (dag.node(node).is_output) {
        return SizeCondition{dag.node(node).output_index, dim, extent};
    }
    LeastRegions least(dag);
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
                if (least_extent(least, node, d, output, along, guess + more) >= extent) {
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
    if (rounds_up(dag, output, block)) {
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
        const std::optional<SizeCondition> condition = size_that_ensures(dag, output, static_cast<int>(d), block[d]);
        if (!condition) {
            choice.conditions.clear();
            return choice;
        }
        choice.conditions.push_back(*condition);
    }
    choice.tail = choice.conditions.empty() ? Tail::Guard : Tail::Both;
    return choice;
}

bool guarded_at_estimates(const KeptGraph &graph, int output, const std::vector<int64_t> &block) {
    const Node &node = graph.dag->node(output);
    if (rounds_up(*graph.dag, output, block)) {
        return false;
    }
    if (node.stages.size() > 1) {
        return true;
    }
    for (size_t d = 0; d < block.size(); d++) {
        if (block[d] > node.estimate[d].extent()) {
            return true;
        }
    }
    return false;
}

}  // namespace warptile
