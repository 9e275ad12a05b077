#include "search/tiling/contraction_tiles.h"
#include "search/space.h"

#include <algorithm>
#include <set>

namespace warptile {
namespace {

constexpr int64_t kFewestPoints = 6;  // fewer, along one dimension, block_tiles has
constexpr int kFewestThreads = 32, kMostThreads = 256;
constexpr int64_t kMostSums = 32;  // of a lane: half of its registers
// An extent of so many tiles hides one that is cut.
constexpr int64_t kManyTiles = 16;

/// For each dimension of the output the one of `node` that moves with it, point by point; -1: none, or not one alone.
std::vector<int> dims_moving_along(const GroupView &view, int node) {
    const size_t n = static_cast<size_t>(view.output_node().dims());
    std::vector<int> result(n, -1);
    const std::vector<int64_t> one = view.extents(std::vector<int64_t>(n, 1), node);
    for (size_t d = 0; d < n; d++) {
        std::vector<int64_t> tile(n, 1);
        tile[d] = 2;
        const std::vector<int64_t> &two = view.extents(tile, node);
        int grown = 0;
        for (size_t e = 0; e < two.size(); e++) {
            if (two[e] != one[e]) {
                grown++;
                result[d] = two[e] == one[e] + 1 ? static_cast<int>(e) : -1;
            }
        }
        result[d] = grown == 1 ? result[d] : -1;
    }
    return result;
}

bool moves(const ExpandedLoad &load, int loop) {
    return std::any_of(load.axes.begin(), load.axes.end(),
                       [&](const LoadAxis &axis) { return axis.slope[static_cast<size_t>(loop)] != 0; });
}

/// Adds the pairs of dimensions of which one factor of the stage moves with the first alone, and another with the
/// second. `dims`: the dimension of the stage's Func for each one of the output.
void add_contracted(const Stage &stage, const Expansion &expansion, const std::vector<int> &dims,
                    std::set<int> &found) {
    std::vector<const ExpandedLoad *> factors;
    for (const ExpandedLoad &load : expansion.loads) {
        for (size_t l = 0; l < stage.loops.size(); l++) {
            if (load.known() && stage.loops[l].reduction && moves(load, static_cast<int>(l))) {
                factors.push_back(&load);
                break;
            }
        }
    }
    const auto loop_of = [&](size_t d) { return dims[d] < 0 ? -1 : stage.pure_of_dim[static_cast<size_t>(dims[d])]; };
    const auto apart = [&](int with, int without) {
        return std::any_of(factors.begin(), factors.end(),
                           [&](const ExpandedLoad *f) { return moves(*f, with) && !moves(*f, without); });
    };
    for (size_t a = 0; a < dims.size(); a++) {
        for (size_t b = 0; b < a; b++) {
            const int i = loop_of(a), j = loop_of(b);
            if (i >= 0 && j >= 0 && apart(i, j) && apart(j, i)) {
                found.insert({static_cast<int>(a), static_cast<int>(b)});
            }
        }
    }
}

/// Points of a thread along a dimension: those that leave no tile cut, or where it has many tiles any.
std::vector<int> widths_of(int64_t extent, const std::vector<int> &wanted) {
    std::vector<int> widths = {1};
    for (const int w : wanted) {
        if (extent % w == 0) {
            widths.push_back(w);
        }
    }
    const bool none_divides = widths.size() == 1;
    for (const int w : wanted) {
        if (none_divides && extent >= kManyTiles * w) {
            widths.push_back(w);
        }
    }
    return widths;
}

int most_threads(int64_t extent, int width, int most) {
    int threads = 1;
    while (threads < most && threads * static_cast<int64_t>(width) < extent) {
        threads *= 2;
    }
    return threads;
}

/// Deals a thread's points to blocks of several shapes. Threads of a warp walk the first dimension.
void add_blocks(const GroupView &view, const std::vector<AxisTile> &points, Effort effort,
                std::vector<KernelTile> &tiles) {
    const bool coarse = effort == Effort::Coarse;
    const int64_t whole = extent_of(view, points[0].dim), high = extent_of(view, points[1].dim);
    std::set<std::pair<int, int>> seen;
    for (const int x : coarse ? std::vector<int>{32} : std::vector<int>{32, 64}) {
        for (const int y : coarse ? std::vector<int>{4} : std::vector<int>{1, 2, 4, 8}) {
            const int along = most_threads(whole, points[0].width, x);
            const int across = most_threads(high, points[1].width, y * std::max(1, x / 2 / along));
            if (along * across < kFewestThreads || along * across > kMostThreads ||
                !seen.insert({along, across}).second) {
                continue;
            }
            KernelTile tile;
            tile.axes = points;
            tile.axes[0].threads = along;
            tile.axes[1].threads = across;
            tiles.push_back(tile);
        }
    }
}

/// The dimension that is adjacent in memory first, then the larger ones.
std::vector<int> ordered_dims(const GroupView &view, bool wrapped) {
    std::vector<int> dims = contracted_dims(view, wrapped);
    if (dims.size() > 1) {
        std::stable_sort(dims.begin() + 1, dims.end(),
                         [&](int a, int b) { return extent_of(view, a) > extent_of(view, b); });
    }
    return dims;
}

}  // namespace

std::vector<int> contracted_dims(const GroupView &view, bool wrapped) {
    std::set<int> found;
    std::vector<int> nodes = view.members();
    if (wrapped) {
        nodes.push_back(view.output());
    }
    for (const int id : nodes) {
        const Node &node = view.dag().node(id);
        if (node.stages.size() < 2) {
            continue;
        }
        const std::vector<int> dims = dims_moving_along(view, id);
        for (size_t s = 1; s < node.stages.size(); s++) {
            if (!node.stages[s].scatters) {
                add_contracted(node.stages[s], view.expansion(id, static_cast<int>(s)), dims, found);
            }
        }
    }
    return {found.begin(), found.end()};
}

std::vector<KernelTile> contraction_tiles(const GroupView &view, bool wrapped, Effort effort) {
    std::vector<KernelTile> tiles;
    const std::vector<int> dims = ordered_dims(view, wrapped);
    if (dims.size() < 2) {
        return tiles;
    }
    const bool coarse = effort == Effort::Coarse;
    const std::vector<int> none = {1};
    const auto widths = [&](size_t i, const std::vector<int> &few, const std::vector<int> &many) {
        return i < dims.size() ? widths_of(extent_of(view, dims[i]), coarse ? few : many) : none;
    };
    // Four adjacent values are four loads, since nothing tells that they are aligned: on an H100 a product of matrices
    // takes 1.1 of the time that two do.
    for (const int x : widths(0, {2}, {2})) {
        for (const int y : widths(1, {4}, {2, 4, 5, 8, 16})) {
            for (const int z : widths(2, {4}, {2, 4, 5})) {
                const int64_t n = static_cast<int64_t>(x) * y * z;
                const bool one_dimension = n == std::max({x, y, z});
                if (one_dimension || n < kFewestPoints || n > kMostPointsALane) {
                    continue;
                }
                std::vector<AxisTile> points = {axis_tile(dims[0], x, 1), axis_tile(dims[1], y, 1)};
                if (z > 1) {
                    points.push_back(axis_tile(dims[2], z, 1));
                }
                add_blocks(view, points, effort, tiles);
            }
        }
    }
    return tiles;
}

std::vector<KernelTile> contraction_rows(const GroupView &view, bool wrapped, Effort effort) {
    std::vector<KernelTile> tiles;
    const std::vector<int> dims = ordered_dims(view, wrapped);
    if (dims.size() < 2) {
        return tiles;
    }
    const bool coarse = effort == Effort::Coarse;
    const auto widths = [&](size_t i) {
        return i < dims.size() ? widths_of(extent_of(view, dims[i]), {2, 4, 8}) : std::vector<int>{1};
    };
    for (const int x : widths_of(extent_of(view, dims[0]), {2 * kLanes, 4 * kLanes})) {
        for (const int y : widths(1)) {
            for (const int z : widths(2)) {
                const int64_t n = static_cast<int64_t>(x / kLanes) * y * z;
                if (x == 1 || y * z == 1 || n < (coarse ? kMostSums / 2 : kFewestPoints) || n > kMostSums) {
                    continue;
                }
                for (const int warps : coarse ? std::vector<int>{4} : std::vector<int>{2, 4, 8}) {
                    KernelTile tile;
                    tile.lane_axis = 0;
                    tile.axes = {axis_tile(dims[0], x, 1), axis_tile(dims[1], y, warps)};
                    if (z > 1) {
                        tile.axes.push_back(axis_tile(dims[2], z, 1));
                    }
                    if (static_cast<int64_t>(y) * warps <= extent_of(view, dims[1])) {
                        tiles.push_back(tile);
                    }
                }
            }
        }
    }
    return tiles;
}

}  // namespace warptile
