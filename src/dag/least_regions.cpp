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

Region loops_of(const Stage &stage, const Region &region) {
    Region loops;
    for (size_t l = 0; l < stage.loops.size(); l++) {
        const auto dim = std::find(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), static_cast<int>(l));
        if (!stage.loops[l].reduction && dim != stage.pure_of_dim.end()) {
            loops.push_back(region[static_cast<size_t>(dim - stage.pure_of_dim.begin())]);
        } else {
            loops.push_back(stage.loops[l].extent_known ? stage.loops[l].estimate : Interval{});
        }
    }
    return loops;
}

/// Adds to `regions`, by node, what `node` reads where it is computed over its own.
void add_reads(const FunctionDag &dag, const Node &node, std::vector<Region> &regions) {
    for (const int e : dag.edges_into[static_cast<size_t>(node.id)]) {
        const Edge &edge = dag.edges[static_cast<size_t>(e)];
        if (static_cast<size_t>(edge.stage) >= node.stages.size()) {
            continue;
        }
        const Stage &stage = node.stages[static_cast<size_t>(edge.stage)];
        // A load under a condition may not happen.
        if (stage.has_predicate) {
            continue;
        }
        const Region loops = loops_of(stage, regions[static_cast<size_t>(node.id)]);
        for (const Access &access : edge.accesses) {
            for (size_t d = 0; d < access.axes.size(); d++) {
                add(access.axes[d], loops, regions[static_cast<size_t>(edge.producer)][d]);
            }
        }
    }
}

}  // namespace

LeastRegions::LeastRegions(const FunctionDag &dag) : dag_(dag) {
    size_t dims = 0;
    for (const Node &n : dag.nodes) {
        first_dim_.push_back(dims);
        dims += static_cast<size_t>(n.dims());
    }
}

int64_t LeastRegions::extent(int node, size_t dim, int output, size_t along, int64_t start, int64_t extent) {
    return extents(output, along, start, extent)[first_dim_[static_cast<size_t>(node)] + dim];
}

int64_t LeastRegions::least_extent(int node, size_t dim, int output, size_t along, int64_t extent) {
    Extents &least = anywhere_[{output, along, extent}];
    if (least.empty()) {
        for (const int64_t start : {0, 1, 2, 3, 5, 7, 15, 31}) {
            const Extents &here = extents(output, along, start, extent);
            least.resize(here.size(), INT64_MAX);
            std::transform(here.begin(), here.end(), least.begin(), least.begin(),
                           [](int64_t a, int64_t b) { return std::min(a, b); });
        }
    }
    return least[first_dim_[static_cast<size_t>(node)] + dim];
}

const LeastRegions::Extents &LeastRegions::extents(int output, size_t along, int64_t start, int64_t extent) {
    Extents &result = at_start_[{output, along, start, extent}];
    if (!result.empty()) {
        return result;
    }
    std::vector<Region> regions;
    for (const Node &n : dag_.nodes) {
        regions.emplace_back(static_cast<size_t>(n.dims()));
    }
    Region &whole = regions[static_cast<size_t>(output)];
    for (size_t d = 0; d < whole.size(); d++) {
        whole[d] = {start, start + (d == along ? extent : 1) - 1};
    }
    for (int id = output; id >= 0; id--) {
        add_reads(dag_, dag_.node(id), regions);
    }
    for (const Region &region : regions) {
        for (const Interval &interval : region) {
            result.push_back(interval.extent());
        }
    }
    return result;
}

}  // namespace warptile
