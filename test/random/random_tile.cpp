#include "random_tile.h"

#include <algorithm>

#include "schedule/tile_extents.h"

namespace warptile::fuzz {

namespace {

/// Points that a thread of the output computes: few, since every one is unrolled and compiled.
constexpr int most_thread_points = 8;

std::vector<int> some_dims(Prng &prng, int dims) {
    std::vector<int> chosen;
    for (int d = 0; d < dims; d++) {
        if (prng.chance(d < 2 ? 85 : 40)) {
            chosen.push_back(d);
        }
    }
    if (prng.chance(15)) {
        prng.shuffle(chosen);
    }
    return chosen;
}

AxisTile lane_axis(Prng &prng, KernelTile &tile, int dim) {
    AxisTile axis;
    axis.dim = dim;
    if (prng.chance(30)) {
        tile.layout = LaneLayout::Adjacent;
        tile.adjacent = prng.between(1, 4);
        axis.width = prng.chance(70) ? 32 * tile.adjacent - prng.between(0, 4) : prng.between(1, 32 * tile.adjacent);
        axis.width = std::max(1, axis.width);
    } else {
        const int chunks = prng.chance(70) ? 1 : prng.between(2, 3);
        axis.width = prng.chance(70) ? 32 * chunks - prng.pick(std::vector<int>{0, 0, 2, 4, 6, 8})
                                     : prng.between(1, 32 * chunks);
    }
    return axis;
}

}  // namespace

KernelTile random_tile(Prng &prng, int dims, bool lanes) {
    KernelTile tile;
    tile.unroll = lanes || prng.chance(85);
    int points = most_thread_points, threads = 256, thread_axes = 3;
    std::vector<int> chosen = some_dims(prng, dims);
    if (lanes && !chosen.empty()) {
        tile.lane_axis = prng.chance(85) ? 0 : prng.below(static_cast<int>(chosen.size()));
        threads = 8;
        thread_axes = 2;
    }
    for (size_t i = 0; i < chosen.size(); i++) {
        AxisTile axis;
        axis.dim = chosen[i];
        if (static_cast<int>(i) == tile.lane_axis) {
            axis = lane_axis(prng, tile, chosen[i]);
            points = std::max(1, points / std::max(1, (axis.width + 31) / 32));
        } else if (prng.chance(60)) {
            axis.width = std::min(points, prng.pick(std::vector<int>{1, 2, 2, 3, 4, 4, 5, 8}));
            points = std::max(1, points / axis.width);
        }
        if (thread_axes > 0 && prng.chance(80)) {
            const int most = std::min(threads, i == 0 && tile.lane_axis < 0 ? 64 : 16);
            axis.threads = prng.chance(70) ? 1 << prng.between(0, 6) : prng.between(1, 20);
            axis.threads = std::min(axis.threads, most);
            threads /= axis.threads;
            thread_axes -= axis.threads > 1;
        }
        tile.axes.push_back(axis);
    }
    return tile;
}

void narrow_lanes(Prng &prng, KernelTile &tile) {
    AxisTile &lanes = tile.axes[static_cast<size_t>(tile.lane_axis)];
    lanes.width = std::min(lanes.width, prng.between(1, 8));
}

KernelTile random_update_tile(Prng &prng, const PlanFunc &func, int update, bool atomic) {
    const PlanStage &stage = func.stages[static_cast<size_t>(update) + 1];
    KernelTile tile;
    tile.unroll = prng.chance(50);
    int threads = 256;
    for (int d = 0; d < func.dims && tile.axes.size() < 3; d++) {
        if (stage.keeps[static_cast<size_t>(d)] && prng.chance(70)) {
            AxisTile axis;
            axis.dim = d;
            axis.width = prng.chance(70) ? 1 : prng.between(2, 4);
            axis.threads = std::min(threads, 1 << prng.between(0, 5));
            threads /= axis.threads;
            tile.axes.push_back(axis);
        }
    }
    for (size_t r = 0; atomic && r < stage.reductions.size() && tile.axes.size() < 3; r++) {
        AxisTile axis;
        axis.dim = func.dims + static_cast<int>(r);
        axis.width = prng.between(1, 3);
        axis.threads = std::min(threads, 1 << prng.between(0, 5));
        threads /= axis.threads;
        tile.axes.push_back(axis);
    }
    return tile;
}

bool can_be_atomic(const PlanStage &update) { return update.commutative && update.adds && !update.reductions.empty(); }

void draw_tail(Prng &prng, const PlanFunc &output, const FunctionDag &dag, Group &group) {
    const Node &node = dag.node(output.node);
    group.conditions.clear();
    const int draw = prng.below(10);
    group.tail = draw < 4 ? Tail::Both : draw < 7 ? Tail::RoundUp : Tail::Guard;
    if (group.tail != Tail::Both) {
        return;
    }
    const std::vector<int64_t> block = block_extents(group.tile, output.dims);
    for (int d = 0; d < output.dims; d++) {
        if (node.is_output && output.kind == PlanFunc::Kind::Itself && block[static_cast<size_t>(d)] > 1) {
            group.conditions.push_back(
                {node.output_index, d, block[static_cast<size_t>(d)] + prng.pick(std::vector<int>{0, 0, 5})});
        }
    }
    if (!node.is_output && node.dims() > 0) {
        const Node &other = dag.node(prng.pick(dag.outputs));
        for (int d = 0; d < other.dims() && d < 2; d++) {
            group.conditions.push_back({other.output_index, d, prng.between(1, 64)});
        }
    }
}

}  // namespace warptile::fuzz
