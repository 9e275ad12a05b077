#include "search/tiling/tiles.h"

#include <algorithm>

#include "dag/saturating.h"

namespace warptile {
namespace {

constexpr int64_t kFew = 8;            // a dimension of at most this many may still be one thread's
constexpr int64_t kMostUnrolled = 24;  // points of the output in one thread

/// At most 2^30: longer loops are as good as that.
int round_up_to_power(int64_t n) {
    constexpr int kMost = 1 << 30;
    int p = 1;
    while (p < n && p < kMost) {
        p *= 2;
    }
    return p;
}

int64_t unrolled_points(const KernelTile &tile) {
    int64_t n = 1;
    for (size_t i = 0; i < tile.axes.size(); i++) {
        const int width = tile.axes[i].width;
        n *= static_cast<int>(i) == tile.lane_axis ? (width + kLanes - 1) / kLanes : width;
    }
    return n;
}

/// The tile as it is (its channels one block each), with the channels in the thread, and with one more dimension of few
/// points in it: what does not change along that, or is the next point's too, is loaded once.
void add_with_channels(const GroupView &view, const DimRoles &dims, const KernelTile &tile,
                       std::vector<KernelTile> &tiles) {
    const auto add = [&](const KernelTile &t) {
        if (unrolled_points(t) <= kMostUnrolled) {
            tiles.push_back(t);
        }
    };
    const auto with = [&](KernelTile t, int dim) {
        t.axes.push_back(axis_tile(dim, static_cast<int>(extent_of(view, dim)), 1));
        return t;
    };
    add(tile);
    KernelTile all = tile;
    for (const int c : dims.channels) {
        all = with(all, c);
    }
    if (!dims.channels.empty()) {
        add(all);
    }
    for (const int d : dims.few) {
        add(with(all, d));
    }
}

/// 32-wide chunks of all members, and of the output, that a warp's row of `width` costs.
int64_t chunks_of_row(const GroupView &view, int first, int width, int64_t &widest) {
    std::vector<int64_t> tile(static_cast<size_t>(view.output_node().dims()), 1);
    tile[static_cast<size_t>(first)] = width;
    int64_t chunks = (width + kLanes - 1) / kLanes;
    widest = width;
    for (const int m : view.members()) {
        int64_t row = 1;
        for (const int64_t e : view.extents(tile, m)) {
            row = std::max(row, e);
        }
        widest = std::max(widest, row);
        chunks += (row + kLanes - 1) / kLanes;
    }
    return chunks;
}

/// 32 T, and the widest row below it whose members need fewer chunks.
std::vector<int> row_widths(const GroupView &view, int first, int chunks) {
    constexpr int kMostHalo = 16;
    int64_t widest = 0;
    const int full = kLanes * chunks;
    std::vector<int> widths = {full};
    const int64_t most = chunks_of_row(view, first, full, widest);
    int64_t least = most;
    for (int w = full - 1; w >= full - kMostHalo; w--) {
        const int64_t n = chunks_of_row(view, first, w, widest);
        if (n < least) {
            least = n;
            if (widths.size() > 1) {
                widths.pop_back();
            }
            widths.push_back(w);
        }
    }
    return widths;
}

/// The widest row of adjacent columns, `k` a lane, whose members fit the lanes too; 0: none.
int adjacent_width(const GroupView &view, int first, int k) {
    for (int w = k * kLanes; w >= k * kLanes / 2; w -= k) {
        int64_t widest = 0;
        chunks_of_row(view, first, w, widest);
        if (widest <= static_cast<int64_t>(k) * kLanes) {
            return w;
        }
    }
    return 0;
}

}  // namespace

int64_t extent_of(const GroupView &view, int dim) {
    return std::max<int64_t>(1, view.output_node().estimate[static_cast<size_t>(dim)].extent());
}

namespace {

/// Whether steps along the dimension cost less in one thread (`Expansion::together`).
bool chosen_by(const GroupView &view, int dim) {
    const Expansion &e = view.expansion(view.output(), 0);
    return e.together && e.channel_loop == view.output_node().stages[0].pure_of_dim[static_cast<size_t>(dim)];
}

/// Whether a tile needs all of a member along a dimension that goes with this one of the output, as of a histogram its
/// bins: a tile with less would compute it again.
bool needed_whole(const GroupView &view, int dim) {
    const int loop = view.output_node().stages[0].pure_of_dim[static_cast<size_t>(dim)];
    for (const ExpandedLoad &load : view.expansion(view.output(), 0).loads) {
        for (size_t d = 0; d < load.axes.size() && view.is_member(load.producer); d++) {
            if (view.known_extents(load.producer)[d] == Known::AtRunTime && load.axes[d].known &&
                load.axes[d].slope[static_cast<size_t>(loop)] != 0) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

DimRoles roles_of(const GroupView &view) {
    DimRoles dims;
    const int n = view.output_node().dims();
    if (n == 0) {
        return dims;
    }
    dims.first = 0;
    for (int d = 1; d < n && extent_of(view, dims.first) <= kChannel; d++) {
        if (extent_of(view, d) > extent_of(view, dims.first)) {
            dims.first = d;
        }
    }
    for (int d = 0; d < n; d++) {
        if (d != dims.first && extent_of(view, d) > 1 &&
            (dims.row < 0 || extent_of(view, d) > extent_of(view, dims.row))) {
            dims.row = d;
        }
    }
    for (int d = 0; d < n; d++) {
        if (d != dims.first && d != dims.row && extent_of(view, d) > kFew &&
            (dims.deep < 0 || extent_of(view, d) > extent_of(view, dims.deep))) {
            dims.deep = d;
        }
    }
    for (int d = 0; d < n; d++) {
        const bool few = extent_of(view, d) <= kMostUnrolled;
        const bool channel = extent_of(view, d) <= kChannel || (few && (chosen_by(view, d) || needed_whole(view, d)));
        if (d != dims.first && d != dims.row && channel && extent_of(view, d) > 1) {
            dims.channels.push_back(d);
        } else if (d != dims.first && d != dims.row && extent_of(view, d) <= kFew && extent_of(view, d) > 1) {
            dims.few.push_back(d);
        }
    }
    return dims;
}

AxisTile axis_tile(int dim, int width, int threads) {
    AxisTile a;
    a.dim = dim;
    a.width = width;
    a.threads = threads;
    return a;
}

std::vector<KernelTile> block_tiles(const GroupView &view, Effort effort) {
    const DimRoles dims = roles_of(view);
    std::vector<KernelTile> tiles;
    if (dims.first < 0) {
        tiles.push_back({});
        return tiles;
    }
    const bool coarse = effort == Effort::Coarse;
    const int wide = round_up_to_power(extent_of(view, dims.first));
    const int high = dims.row < 0 ? 1 : round_up_to_power(extent_of(view, dims.row));
    const std::vector<int> xs = dims.row < 0 ? std::vector<int>{64, 128, 256}
                                : coarse     ? std::vector<int>{32, 64}
                                             : std::vector<int>{32, 64, 128};
    const std::vector<int> ys = dims.row < 0 ? std::vector<int>{1}
                                : coarse     ? std::vector<int>{4, 8}
                                             : std::vector<int>{1, 2, 4, 8, 16};
    const std::vector<int> widths = coarse ? std::vector<int>{1, 4} : std::vector<int>{1, 2, 4, 8};
    std::vector<std::pair<int, int>> seen;
    for (const int x : xs) {
        for (const int y : ys) {
            const std::pair<int, int> threads = {std::min(x, wide), std::min(y, high)};
            if (threads.first * threads.second > 512 || std::find(seen.begin(), seen.end(), threads) != seen.end() ||
                (threads.first * threads.second < 64 && int64_t{wide} * high >= 64)) {
                continue;
            }
            seen.push_back(threads);
            for (const int w : widths) {
                KernelTile tile;
                tile.axes.push_back(axis_tile(dims.first, dims.row < 0 ? w : 1, threads.first));
                if (dims.row >= 0) {
                    tile.axes.push_back(axis_tile(dims.row, w, threads.second));
                }
                const int64_t whole = dims.row < 0 ? wide : high;
                if (w == 1 || static_cast<int64_t>(w) * (dims.row < 0 ? threads.first : threads.second) <= whole) {
                    add_with_channels(view, dims, tile, tiles);
                }
            }
        }
    }
    return tiles;
}

std::vector<KernelTile> lane_tiles(const GroupView &view, Effort effort) {
    const DimRoles dims = roles_of(view);
    std::vector<KernelTile> tiles;
    if (dims.first < 0 || extent_of(view, dims.first) < kLanes) {
        return tiles;
    }

    struct Row {
        int width;
        LaneLayout layout;
        int adjacent;
    };

    const bool coarse = effort == Effort::Coarse;
    std::vector<Row> rows;
    for (int t = 1; t <= (coarse ? 2 : 3); t++) {
        for (const int w : row_widths(view, dims.first, t)) {
            rows.push_back({w, LaneLayout::Chunked, 1});
        }
    }
    if (const int w = coarse ? 0 : adjacent_width(view, dims.first, 2)) {
        rows.push_back({w, LaneLayout::Adjacent, 2});
    }
    const int high = dims.row < 0 ? 1 : round_up_to_power(extent_of(view, dims.row));
    for (const Row &row : rows) {
        for (const int warps : coarse ? std::vector<int>{4, 8} : std::vector<int>{2, 4, 8}) {
            for (const int t : coarse ? std::vector<int>{2, 4} : std::vector<int>{1, 2, 4, 8}) {
                if (dims.row < 0 ? t > 1 : t * warps > std::max(high, 2)) {
                    continue;
                }
                KernelTile tile;
                tile.lane_axis = 0;
                tile.layout = row.layout;
                tile.adjacent = row.adjacent;
                tile.axes.push_back(axis_tile(dims.first, row.width, dims.row < 0 ? warps : 1));
                if (dims.row >= 0) {
                    tile.axes.push_back(axis_tile(dims.row, t, warps));
                }
                add_with_channels(view, dims, tile, tiles);
            }
        }
    }
    return tiles;
}

std::vector<KernelTile> row_tiles(const GroupView &view, bool wanted) {
    constexpr int64_t kLongestRow = 1024;
    const DimRoles dims = roles_of(view);
    std::vector<KernelTile> tiles;
    if (!wanted || dims.first < 0 || dims.row < 0 || extent_of(view, dims.first) > kLongestRow ||
        extent_of(view, dims.first) < kLanes) {
        return tiles;
    }
    const int width = static_cast<int>((extent_of(view, dims.first) + kLanes - 1) / kLanes * kLanes);
    for (const int warps : {4, 8}) {
        KernelTile tile;
        tile.lane_axis = 0;
        tile.axes = {axis_tile(dims.first, width, 1), axis_tile(dims.row, 1, warps)};
        tiles.push_back(tile);
    }
    return tiles;
}

std::vector<KernelTile> value_tiles(const GroupView &view) {
    const DimRoles dims = roles_of(view);
    std::vector<KernelTile> tiles;
    for (const int rows : {2, 4, 8}) {
        if (dims.first >= 0 && extent_of(view, dims.first) >= rows) {
            KernelTile tile;
            tile.axes = {axis_tile(dims.first, 1, rows)};
            tiles.push_back(tile);
        }
    }
    return tiles;
}

KernelTile plain_tile(const std::vector<int> &dims, const std::vector<int64_t> &extents) {
    KernelTile tile;
    std::vector<size_t> order;
    for (size_t i = 0; i < dims.size(); i++) {
        order.push_back(i);
    }
    // The adjacent dimension first, unless it is a channel beside a larger one; then the largest.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const bool small_a = extents[a] <= kChannel, small_b = extents[b] <= kChannel;
        return small_a != small_b ? small_b : false;
    });
    int left = 256;
    for (size_t i = 0; i < order.size() && i < 2; i++) {
        const int most = i == 0 ? (dims.size() > 1 ? 32 : 128) : std::min(8, left);
        const int threads = std::min(most, round_up_to_power(std::max<int64_t>(1, extents[order[i]])));
        if (threads > 1) {
            tile.axes.push_back(axis_tile(dims[order[i]], 1, threads));
            left /= threads;
        }
    }
    return tile;
}

KernelTile update_tile(const std::vector<int> &dims, const std::vector<int64_t> &extents) {
    KernelTile tile = plain_tile(dims, extents);
    for (size_t i = 0; i < dims.size(); i++) {
        const bool named =
            std::any_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &a) { return a.dim == dims[i]; });
        if (!named && extents[i] > 1 && extents[i] <= kChannel) {
            tile.axes.push_back(axis_tile(dims[i], static_cast<int>(extents[i]), 1));
        }
    }
    return tile;
}

}  // namespace warptile
