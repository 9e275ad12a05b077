#include "search/graph/kept_graph.h"
#include "search/space.h"

#include <algorithm>

#include "dag/constant_regions.h"
#include "dag/saturating.h"
#include "search/graph/inline.h"

namespace warptile {
namespace {

// Sums of so many values, of so few points that a thread each would leave most of a card idle.
constexpr int64_t kLongSum = 1024, kFewPoints = 32 * 1024;

/// Whether an update of several, each at the point itself, is better cut into parts (`search/pricing/update_cut.h`)
/// than inside one kernel with the others. The only update of a Func is cut there too (`grid_reductions.h`).
bool has_long_sums(const Node &node) {
    const auto is_long = [](const Stage &stage) {
        return stage.associative && stage.commutative && stage.steps() >= kLongSum;
    };
    return node.stages.size() > 2 && volume(node.estimate) <= kFewPoints &&
           std::any_of(node.stages.begin() + 1, node.stages.end(), is_long);
}

bool at_the_point(const Stage &stage, const AxisAccess &axis, size_t dim) {
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.lo == 0 && axis.hi == 0 &&
           axis.terms.size() == 1 && axis.terms[0].numerator == 1 && axis.terms[0].loop == stage.pure_of_dim[dim];
}

/// A constant, or such a sum of multiples of reduction variables that have constant bounds.
bool at_constants(const Stage &stage, const AxisAccess &axis) {
    return axis.kind == AxisAccess::Kind::Affine && !axis.estimated && axis.limits == kEverything &&
           std::all_of(axis.terms.begin(), axis.terms.end(), [&](const Term &term) {
               const Loop &loop = stage.loops[static_cast<size_t>(term.loop)];
               return loop.reduction && loop.extent_known;
           });
}

/// `may(stage, axis, dim)` for each dimension of what the updates read and write of their own Func.
template<typename May>
bool all_own(const Node &node, const May &may) {
    for (size_t s = 1; s < node.stages.size(); s++) {
        for (const Access &access : node.stages[s].own) {
            for (size_t d = 0; d < access.axes.size(); d++) {
                if (!may(node.stages[s], access.axes[d], d)) {
                    return false;
                }
            }
        }
    }
    return true;
}

RootForm root_form(const Node &node, const std::vector<std::optional<Interval>> &constant) {
    if (node.on_host()) {
        return RootForm::Host;
    }
    if (node.stages.size() <= 1) {
        return RootForm::Pure;
    }
    const bool in_tiles = !node.is_output && updates_in_tiles(node, constant) && !has_long_sums(node);
    return in_tiles ? RootForm::Wrapped : RootForm::Stages;
}

}  // namespace

bool updates_in_place(const Node &node) {
    const auto elsewhere = [](const Stage &stage) {
        return stage.scatters || std::count(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), -1) > 0;
    };
    for (size_t s = 1; s < node.stages.size(); s++) {
        if (elsewhere(node.stages[s])) {
            return false;
        }
    }
    return all_own(node, at_the_point);
}

bool updates_in_tiles(const Node &node, const std::vector<std::optional<Interval>> &constant) {
    for (size_t s = 1; s < node.stages.size(); s++) {
        const Stage &stage = node.stages[s];
        if (stage.scatters && (stage.own.empty() || stage.steps() > kUnrolledReduction)) {
            return false;
        }
    }
    std::vector<bool> elsewhere(static_cast<size_t>(node.dims()), false);
    const bool known = all_own(node, [&](const Stage &stage, const AxisAccess &axis, size_t dim) {
        if (at_the_point(stage, axis, dim)) {
            return true;
        }
        elsewhere[dim] = true;
        return constant[dim] && at_constants(stage, axis);
    });
    int64_t places = 1;
    for (size_t d = 0; known && d < elsewhere.size(); d++) {
        places = saturating_multiply(places, elsewhere[d] ? std::max<int64_t>(1, constant[d]->extent()) : 1);
    }
    return known && places <= kMostPointsALane;
}

bool updates_in_blocks(const Node &node) {
    std::vector<bool> by_data(static_cast<size_t>(node.dims()), false);
    const bool known =
        node.stages.size() == 2 && all_own(node, [&](const Stage &stage, const AxisAccess &axis, size_t dim) {
            by_data[dim] = by_data[dim] || !at_the_point(stage, axis, dim);
            return at_the_point(stage, axis, dim) || (axis.kind != AxisAccess::Kind::Affine && !axis.terms.size());
        });
    return known && !node.is_output && std::count(by_data.begin(), by_data.end(), true) > 0 &&
           std::count(by_data.begin(), by_data.end(), false) > 0;
}

bool KeptGraph::kept(int node) const { return std::binary_search(nodes.begin(), nodes.end(), node); }

KeptGraph make_kept_graph(const FunctionDag &dag, const std::vector<bool> &inlined) {
    KeptGraph graph;
    graph.dag = &dag;
    graph.least = std::make_shared<LeastRegions>(dag);
    graph.inlined = inlined;
    graph.readers.resize(dag.nodes.size());
    graph.must_root.assign(dag.nodes.size(), false);
    graph.form.assign(dag.nodes.size(), RootForm::Pure);
    const std::vector<std::vector<std::optional<Interval>>> constant = constant_regions(dag);
    for (const Node &node : dag.nodes) {
        const size_t id = static_cast<size_t>(node.id);
        graph.readers[id] = kept_readers(dag, inlined, node.id);
        graph.form[id] = root_form(node, constant[id]);
        const bool for_host =
            std::any_of(node.consumers.begin(), node.consumers.end(), [&](int c) { return dag.node(c).on_host(); });
        graph.must_root[id] = node.is_output || for_host || graph.form[id] == RootForm::Host ||
                              (graph.form[id] == RootForm::Stages && !updates_in_blocks(node)) || node.func_index < 0;
        // What the user scheduled by hand stays as it is, and is an input to the others.
        const bool computed = node.kind != NodeKind::Input && !inlined[id] && node.func_index >= 0 &&
                              (node.scheduled_by.empty() || node.kind == NodeKind::Extern);
        if (computed) {
            graph.nodes.push_back(node.id);
        }
    }
    return graph;
}

}  // namespace warptile
