#include "search/tiling/update_loops.h"

#include <algorithm>
#include <iterator>

#include "dag/dependences.h"
#include "model/atomics.h"
#include "search/graph/reductions.h"
#include "search/tiling/tiles.h"

namespace warptile {
namespace {

constexpr int64_t kMostPointsAThread = 16;  // of a thread
constexpr int64_t kMostChannelPoints = 32;  // of one that has all steps of a channel

/// The dimension of the Func whose place a loop leads to, the one that is adjacent in memory before others. A loop that
/// leads to none counts as the first where it walks rows of what is read.
int dimension_of(const FunctionDag &dag, const Node &node, int stage, int loop) {
    for (int d = 0; d < node.dims(); d++) {
        for (const Access &own : node.stages[static_cast<size_t>(stage)].own) {
            for (const Term &term : own.axes[static_cast<size_t>(d)].terms) {
                if (term.loop == loop) {
                    return d;
                }
            }
        }
    }
    return walks_rows(dag, node.id, stage, loop) ? 0 : node.dims();
}

/// Whether threads may have the loop: of those that keep their places the innermost alone.
bool may_be_cut(const DealtLoop &loop, const std::vector<DealtLoop> &dealt) {
    return !loop.in_place || std::none_of(dealt.begin(), dealt.end(), [&](const DealtLoop &other) {
        return other.in_place && other.number < loop.number;
    });
}

KernelTile one_point_a_thread(const std::vector<DealtLoop> &dealt) {
    std::vector<int> loops;
    std::vector<int64_t> extents;
    for (const DealtLoop &loop : dealt) {
        if (may_be_cut(loop, dealt)) {
            loops.push_back(loop.number);
            extents.push_back(loop.extent);
        }
    }
    KernelTile tile = update_tile(loops, extents);
    for (const DealtLoop &loop : dealt) {
        const bool named = std::any_of(tile.axes.begin(), tile.axes.end(),
                                       [&](const AxisTile &axis) { return axis.dim == loop.number; });
        if (!named) {
            tile.axes.push_back(axis_tile(loop.number, 1, 1));
        }
    }
    return tile;
}

/// Whether the steps of a reduction may run side by side, and whether its place among others is fixed.
bool is_apart(const Loop &loop, int turns) {
    return loop.dependence == Dependence::Apart || (turns > 0 && loop.apart_in_turn);
}

bool keeps_its_place(const Loop &loop, const Stage &update, int turns) {
    return (loop.promised && !update.any_order()) || (turns > 0 && loop.apart_in_turn);
}

int reductions(const Stage &update) {
    return static_cast<int>(
        std::count_if(update.loops.begin(), update.loops.end(), [](const Loop &loop) { return loop.reduction; }));
}

}  // namespace

bool is_atomic(const Stage &update, Additions additions) {
    return additions == Additions::Atomic && runs_atomically(update);
}

std::vector<DealtLoop> dealt_loops(const FunctionDag &dag, int id, int stage, bool atomic, int turns) {
    const Node &node = dag.node(id);
    const Stage &update = node.stages[static_cast<size_t>(stage)];
    std::vector<DealtLoop> loops;
    for (int d = 0; d < node.dims(); d++) {
        const int loop = update.pure_of_dim[static_cast<size_t>(d)];
        if (loop >= 0 && update.loops[static_cast<size_t>(loop)].dependence == Dependence::Apart) {
            loops.push_back({d, std::max<int64_t>(1, node.estimate[static_cast<size_t>(d)].extent()), d, false,
                             loop == update.channel.loop});
        }
    }
    int number = node.dims();
    const int end = node.dims() + reductions(update) - turns;
    for (size_t l = 0; l < update.loops.size(); l++) {
        const Loop &loop = update.loops[l];
        if (!loop.reduction) {
            continue;
        }
        if ((is_apart(loop, turns) && number < end) || atomic) {
            loops.push_back({number, std::max<int64_t>(1, loop.estimate.extent()),
                             dimension_of(dag, node, stage, static_cast<int>(l)), keeps_its_place(loop, update, turns),
                             false});
        }
        number++;
    }
    std::stable_sort(loops.begin(), loops.end(),
                     [](const DealtLoop &a, const DealtLoop &b) { return a.dimension < b.dimension; });
    return loops;
}

std::vector<int> serial_loops(const Stage &update, bool atomic, int turns) {
    std::vector<int> loops;
    int number = 0;
    const int end = reductions(update) - turns;
    for (const Loop &loop : update.loops) {
        if (loop.reduction && number < end && !is_apart(loop, turns) && !atomic) {
            loops.push_back(number);
        }
        number += loop.reduction ? 1 : 0;
    }
    return loops;
}

namespace {

std::vector<KernelTile> tiles_of(const std::vector<DealtLoop> &dealt) {
    std::vector<KernelTile> tiles = {one_point_a_thread(dealt)};
    const KernelTile first = tiles.front();
    const auto loop_of = [&](const AxisTile &axis) {
        return *std::find_if(dealt.begin(), dealt.end(), [&](const DealtLoop &l) { return l.number == axis.dim; });
    };
    const auto room = [&](const AxisTile &axis, int width) {
        return width == 1 || (axis.width == 1 && loop_of(axis).extent >= static_cast<int64_t>(width) * axis.threads);
    };
    if (first.axes.empty() ||
        std::any_of(dealt.begin(), dealt.end(), [](const DealtLoop &loop) { return loop.in_place; })) {
        return tiles;
    }
    const bool rows = first.axes.size() > 1 && first.axes[1].threads > 1;
    if (!rows) {
        // Of several points a thread also in larger blocks: a card is slow to begin many.
        for (const int along : {2, 4}) {
            KernelTile large = first;
            large.axes[0].width *= along;
            large.axes[0].threads *= 2;
            if (first.axes[0].width == 1 && loop_of(first.axes[0]).extent >= int64_t{along} * large.axes[0].threads) {
                tiles.push_back(large);
            }
        }
    }
    for (const int along : {1, 2, 4}) {
        for (const int across : rows ? std::vector<int>{1, 2, 4, 8} : std::vector<int>{1}) {
            if (along * across > 1 && along * across <= kMostPointsAThread && room(first.axes[0], along) &&
                (!rows || room(first.axes[1], across))) {
                KernelTile wide = first;
                wide.axes[0].width *= along;
                if (rows) {
                    wide.axes[1].width *= across;
                }
                tiles.push_back(wide);
            }
        }
    }
    return tiles;
}

}  // namespace

std::vector<KernelTile> update_tiles(const std::vector<DealtLoop> &dealt) {
    std::vector<KernelTile> tiles = tiles_of(dealt);
    const auto channel = std::find_if(dealt.begin(), dealt.end(), [](const DealtLoop &l) { return l.channel; });
    if (channel == dealt.end() || channel->extent > kMostChannelPoints || channel->extent <= kChannel) {
        return tiles;
    }
    std::vector<DealtLoop> others;
    std::copy_if(dealt.begin(), dealt.end(), std::back_inserter(others), [](const DealtLoop &l) { return !l.channel; });
    for (KernelTile &tile : tiles_of(others)) {
        tile.axes.push_back(axis_tile(channel->number, static_cast<int>(channel->extent), 1));
        int64_t points = 1;
        for (const AxisTile &axis : tile.axes) {
            points *= axis.width;
        }
        if (tile.axes.size() > 1 && points <= kMostChannelPoints) {
            tiles.push_back(tile);
        }
    }
    return tiles;
}

}  // namespace warptile
