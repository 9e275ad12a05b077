#include "search/placing/streams.h"

#include <algorithm>
#include <set>

#include "schedule/rules/check_stream.h"

namespace warptile {
namespace {

/// Points of the output in a thread, of one row of the stream.
constexpr int kMostInARow = 8;

/// Whether index `d` of the load is the point of `loop`, or so many beside it, and no other index moves with that.
bool is_beside(const KernelRead &read, size_t d, size_t loop) {
    const std::vector<LoadAxis> &axes = read.load->axes;
    for (size_t i = 0; i < axes.size(); i++) {
        if (!axes[i].known || axes[i].slope[loop] != (i == d ? 1 : 0)) {
            return false;
        }
    }
    const std::vector<double> &slope = axes[d].slope;
    return std::count(slope.begin(), slope.end(), 0.0) == static_cast<std::ptrdiff_t>(slope.size()) - 1;
}

int stream_loop(const KernelRead &read, const Kernel &kernel) {
    const int dim = read.reader_part < 0 ? kernel.tile.axes[static_cast<size_t>(kernel.tile.stream)].dim
                                         : kernel.parts[static_cast<size_t>(read.reader_part)].stream_dim;
    return dim < 0 ? -1 : read.stage->pure_of_dim[static_cast<size_t>(dim)];
}

/// Whether something in the kernel reads the node within limits, where rows stop moving with the stream. Funcs that are
/// inlined pass on how they are read; those that were looked at are `seen`.
bool read_within_limits(const GroupView &view, int node, std::set<int> &seen) {
    const FunctionDag &dag = view.dag();
    const auto limited = [](const Access &access) {
        return std::any_of(access.axes.begin(), access.axes.end(),
                           [](const AxisAccess &axis) { return axis.clamped || axis.limits != kEverything; });
    };
    const std::vector<int> &edges = dag.edges_out_of[static_cast<size_t>(node)];
    return std::any_of(edges.begin(), edges.end(), [&](int e) {
        const Edge &edge = dag.edges[static_cast<size_t>(e)];
        const bool inlined = view.inlined()[static_cast<size_t>(edge.consumer)];
        if (!inlined && edge.consumer != view.output() && !view.is_member(edge.consumer)) {
            return false;
        }
        return std::any_of(edge.accesses.begin(), edge.accesses.end(), limited) ||
               (inlined && seen.insert(edge.consumer).second && read_within_limits(view, edge.consumer, seen));
    });
}

/// The widest row of the output, `columns` a lane, for which what is `kept` of the others fits the lanes too; 0: none.
int widest_row(const GroupView &view, const std::vector<int> &kept, int dim, int columns) {
    std::vector<int64_t> tile(static_cast<size_t>(view.output_node().dims()), 1);
    for (int width = columns * kLanes; width >= columns * kLanes / 2; width -= columns) {
        tile[static_cast<size_t>(dim)] = width;
        const bool fits = std::all_of(kept.begin(), kept.end(), [&](int k) {
            const std::vector<int64_t> &extents = view.extents(tile, k);  // none of a Func of no dimension
            return std::all_of(extents.begin(), extents.end(),
                               [&](int64_t e) { return e <= static_cast<int64_t>(columns) * kLanes; });
        });
        if (fits) {
            return width;
        }
    }
    return 0;
}

/// Whether a row would be loaded from global memory several times. All rows are unrolled, and the assembler makes the
/// loads of many wait in registers together: 200 bytes of a thread were spilled where a copy on its way fits.
bool loads_again(const GroupView &view, const std::vector<int> &kept) {
    std::vector<int> nodes = view.members();
    nodes.push_back(view.output());
    return std::any_of(nodes.begin(), nodes.end(), [&](int n) {
        const std::vector<ExpandedLoad> &loads = view.expansion(n, 0).loads;
        return std::any_of(loads.begin(), loads.end(), [&](const ExpandedLoad &load) {
            return load.count > 1 && std::find(kept.begin(), kept.end(), load.producer) == kept.end();
        });
    });
}

KernelTile row_tile(int dim, int width, int columns) {
    KernelTile tile;
    tile.lane_axis = 0;
    tile.layout = columns > 1 ? LaneLayout::Adjacent : LaneLayout::Chunked;
    tile.adjacent = columns;
    tile.axes.push_back(axis_tile(dim, width, 1));
    return tile;
}

/// `row` with the stream along another axis of so many points, one after the other, by `warps` warps.
KernelTile streamed_along(KernelTile row, int dim, int points, int warps) {
    row.stream = static_cast<int>(row.axes.size());
    row.axes.push_back(axis_tile(dim, points, warps));
    return row;
}

}  // namespace

std::vector<KernelTile> stream_tiles(const GroupView &view, const std::vector<int> &copies, Effort effort) {
    const bool coarse = effort == Effort::Coarse;
    const DimRoles roles = roles_of(view);
    std::vector<int> kept = view.members();
    kept.insert(kept.end(), copies.begin(), copies.end());
    const std::vector<Node> &nodes = view.dag().nodes;
    const bool bounded = std::any_of(nodes.begin(), nodes.end(), [](const Node &n) { return !n.bounds.empty(); });
    if (bounded || loads_again(view, kept) || roles.first < 0 || roles.row < 0 ||
        extent_of(view, roles.first) < kLanes) {
        return {};
    }
    const auto fits = [&](int dim, int64_t points) { return dim >= 0 && points <= 2 * extent_of(view, dim); };
    std::vector<KernelTile> tiles;
    for (const int columns : coarse ? std::vector<int>{1, 2} : std::vector<int>{1, 2, 4}) {
        const int width = widest_row(view, kept, roles.first, columns);
        if (width == 0) {
            continue;
        }
        const KernelTile row = row_tile(roles.first, width, columns);
        for (const int warps : coarse ? std::vector<int>{4} : std::vector<int>{2, 4, 8}) {
            for (const int points : coarse ? std::vector<int>{16} : std::vector<int>{8, 16, 32}) {
                if (fits(roles.row, int64_t{points} * warps)) {
                    tiles.push_back(streamed_along(row, roles.row, points, warps));
                }
                for (const int in_thread : coarse ? std::vector<int>{4} : std::vector<int>{2, 4}) {
                    if (fits(roles.deep, points) && columns * in_thread <= kMostInARow) {
                        KernelTile rows = row;
                        rows.axes.push_back(axis_tile(roles.row, in_thread, warps));
                        tiles.push_back(streamed_along(rows, roles.deep, points, 1));
                    }
                }
            }
        }
    }
    return tiles;
}

int stream_dim_of(const GroupView &view, const Node &node, const std::vector<KernelRead> &reads, int lane_dim,
                  const Kernel &kernel) {
    std::set<int> seen;
    if (node.is_output || read_within_limits(view, node.id, seen)) {
        return kConflict;
    }
    int found = kConflict;
    for (const KernelRead &read : reads) {
        const int loop = stream_loop(read, kernel);
        if (loop < 0 || read.lane_loop < 0 || lane_dim < 0 || node.stages.size() > 1) {
            return kConflict;
        }
        size_t d = 0;
        while (d < read.load->axes.size() && !is_beside(read, d, static_cast<size_t>(loop))) {
            d++;
        }
        if (d == read.load->axes.size() || (found >= 0 && found != static_cast<int>(d)) ||
            !is_beside(read, static_cast<size_t>(lane_dim), static_cast<size_t>(read.lane_loop))) {
            return kConflict;
        }
        found = static_cast<int>(d);
    }
    // Rows are as long as the lanes hold, also where less is needed.
    for (size_t d = 0; d < node.raw_dims.size(); d++) {
        if (node.raw_dims[d] && static_cast<int>(d) != found) {
            return kConflict;
        }
    }
    return found;
}

}  // namespace warptile
