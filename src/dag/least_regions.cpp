#include "dag/least_regions.h"

#include <algorithm>

namespace warptile {

namespace {

void add(const AxisAccess &axis, const Region &loops, Interval &into) {
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

}  // namespace

int64_t LeastRegions::extent(int node, size_t dim, int output, size_t along, int64_t start, int64_t extent) {
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

int64_t LeastRegions::least_extent(int node, size_t dim, int output, size_t along, int64_t extent) {
    int64_t result = INT64_MAX;
    for (const int64_t start : {0, 1, 2, 3, 5, 7, 15, 31}) {
        result = std::min(result, this->extent(node, dim, output, along, start, extent));
    }
    return result;
}

void LeastRegions::visit(const Node &node) {
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

Region LeastRegions::loops_of(const Node &node, const Stage &stage) const {
    Region loops;
    for (size_t l = 0; l < stage.loops.size(); l++) {
        const auto dim = std::find(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), static_cast<int>(l));
        if (!stage.loops[l].reduction && dim != stage.pure_of_dim.end()) {
            loops.push_back(
                regions_[static_cast<size_t>(node.id)][static_cast<size_t>(dim - stage.pure_of_dim.begin())]);
        } else {
            loops.push_back(stage.loops[l].extent_known ? stage.loops[l].estimate : Interval{});
        }
    }
    return loops;
}

}  // namespace warptile
