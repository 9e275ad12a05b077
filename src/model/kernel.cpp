#include "model/kernel.h"

#include <algorithm>

#include "schedule/shared_layout.h"
#include "schedule/tile_extents.h"

namespace warptile {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Columns that a lane has of a row of `width`, and how far the first is from the last.
void lane_columns(const KernelTile &tile, int width, int64_t &columns, int64_t &span) {
    columns = ceil_div(width, kLanes);
    if (tile.layout == LaneLayout::Adjacent) {
        columns = span = tile.adjacent;
    } else {
        span = (columns - 1) * kLanes + 1;
    }
}

/// A block is as large as the largest of what is dealt to its threads.
int64_t threads_of_parts(const Kernel &kernel) {
    std::vector<int> counts = thread_counts(kernel.tile);
    for (const Part &part : kernel.parts) {
        for (size_t i = 0; part.placement == Placement::Block && i < part.axes.size(); i++) {
            counts.resize(std::max(counts.size(), i + 1), 1);
            counts[i] = std::max(counts[i], part.axes[i].threads);
        }
    }
    int64_t threads = 1;
    for (const int n : counts) {
        threads *= n;
    }
    return threads;
}

}  // namespace

bool divides_blocks(const Kernel &kernel) { return kernel.stage > 0 && kernel.partials > 1 && !kernel.atomic; }

bool tests_points(const Node &node, int stage, const KernelTile &tile) {
    size_t loops = tile.axes.size();
    for (int d = 0; d < node.dims(); d++) {
        const bool kept = node.stages[static_cast<size_t>(stage)].pure_of_dim[static_cast<size_t>(d)] >= 0;
        const bool named =
            std::any_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &axis) { return axis.dim == d; });
        loops += kept && !named ? 1 : 0;
    }
    return loops > 1;
}

int64_t reduction_extent(const Node &node, int stage, int number) {
    for (const Loop &loop : node.stages[static_cast<size_t>(stage)].loops) {
        if (loop.reduction && number-- == 0) {
            return std::max<int64_t>(1, loop.estimate.extent());
        }
    }
    return 1;
}

double launches(const Node &output, const Kernel &kernel) {
    double steps = 1;
    int turns = kernel.tile.turns;
    const std::vector<Loop> &loops = output.stages[static_cast<size_t>(kernel.stage)].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend() && turns > 0; ++loop, turns--) {
        steps *= static_cast<double>(std::max<int64_t>(1, loop->estimate.extent()));
    }
    return steps;
}

Geometry geometry(const GroupView &view, const Kernel &kernel) {
    const Node &out = view.output_node();
    Geometry g;
    g.thread.assign(static_cast<size_t>(out.dims()), 1);
    g.warp = g.block = g.thread;
    const bool lanes = kernel.tile.lane_axis >= 0;
    g.threads = lanes ? kLanes : 1;
    for (size_t i = 0; i < kernel.tile.axes.size(); i++) {
        const AxisTile &axis = kernel.tile.axes[i];
        g.threads *= axis.threads;
        if (axis.dim >= out.dims()) {  // a reduction loop of an update: no dimension of the output
            g.points *= axis.width;
            g.blocks *= static_cast<double>(ceil_div(reduction_extent(out, kernel.stage, axis.dim - out.dims()),
                                                     static_cast<int64_t>(axis.width) * axis.threads));
            continue;
        }
        const size_t d = static_cast<size_t>(axis.dim);
        int64_t columns = axis.width, span = axis.width;
        if (static_cast<int>(i) == kernel.tile.lane_axis) {
            lane_columns(kernel.tile, axis.width, columns, span);
        }
        g.points *= columns;
        g.thread[d] = span;
        g.warp[d] = axis.width;
        g.block[d] = static_cast<int64_t>(axis.width) * axis.threads;
    }
    g.blocks *= divides_blocks(kernel) ? kernel.partials : 1;
    g.threads = std::max(g.threads, threads_of_parts(kernel));
    g.warps = ceil_div(g.threads, kLanes);
    for (size_t d = 0; d < g.block.size(); d++) {
        if (kernel.stage > 0 && out.stages[static_cast<size_t>(kernel.stage)].pure_of_dim[d] < 0) {
            g.grid.push_back(1);  // an update that does not run over this dimension
            continue;
        }
        g.grid.push_back(std::max<int64_t>(1, ceil_div(out.estimate[d].extent(), g.block[d])));
        g.blocks *= static_cast<double>(g.grid.back());
    }
    return g;
}

int part_of(const Kernel &kernel, int node) {
    for (size_t i = 0; i < kernel.parts.size(); i++) {
        if (kernel.parts[i].node == node && kernel.parts[i].role != Role::Partial) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::vector<int64_t> stored_extents(const GroupView &view, const Part &part, std::vector<int64_t> extents) {
    if (part.placement != Placement::Block || extents.empty()) {
        return extents;
    }
    const std::vector<int> &bytes = view.dag().node(part.node).type_bytes;
    if (extents.size() > 1 && view.known_extents(part.node)[0] != Known::Fixed) {
        extents[0] = spread_row(extents[0], bytes);
    } else if (part.across) {
        extents[0] = padded_row(extents[0], bytes);
    }
    return extents;
}

std::vector<int64_t> part_extents(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part) {
    std::vector<int64_t> extents;
    if (part.placement == Placement::Thread && part.each_step) {
        const Part &at = kernel.parts[static_cast<size_t>(part.at)];
        const std::vector<int64_t> whole = part_extents(view, kernel, g, at);
        extents = view.step_extents(at.node, thread_part(at.placement, at.axes, kernel.tile, whole), part.node);
    } else if (part.placement == Placement::Thread && part.at >= 0) {
        // In the loops of another part: a point of that part at a time, which a pointwise reader needs a point for.
        extents.assign(static_cast<size_t>(view.dag().node(part.node).dims()), 1);
    } else if (kernel.wrapped && part.node == view.output()) {
        extents = part.placement == Placement::Thread ? g.thread : part.placement == Placement::Warp ? g.warp : g.block;
    } else {
        const std::vector<int64_t> &tile = part.placement == Placement::Thread ? g.thread
                                           : part.placement == Placement::Warp ? g.warp
                                                                               : g.block;
        extents = view.extents(tile, part.node);
    }
    if (part.role == Role::Partial) {
        extents.push_back(part.factor);
    }
    return extents;
}

bool fixed_part_extents(const GroupView &view, const Kernel &kernel, const Part &part) {
    if (!part.each_step) {
        return view.fixed_extents(part.node);
    }
    const Part &at = kernel.parts[static_cast<size_t>(part.at)];
    return fixed_part_extents(view, kernel, at) && view.fixed_step_extents(at.node, part.node);
}

}  // namespace warptile
