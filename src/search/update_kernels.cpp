#include "search/update_kernels.h"

#include <algorithm>

#include "model/atomics.h"
#include "model/work.h"
#include "search/reductions.h"
#include "search/tiles.h"

namespace warptile {
namespace {

/// Of a scan, blocks of several warps against those of one, which are dealt to the card more evenly.
constexpr double kWorthWiderBlocks = 0.8;

Draft draft_of_update(const std::shared_ptr<const GroupView> &view, const CostModel &model, int stage,
                      const KernelTile &tile) {
    Draft draft;
    draft.view = view;
    draft.kernel.stage = stage;
    draft.kernel.tile = tile;
    draft.kernel.guarded = true;
    draft.cost = model.cost(*view, draft.kernel);
    draft.form = "update";
    return draft;
}

/// Of a long scan at root: a tile of a warp a block, which spreads few columns over the card, and `tile`, with steps
/// taken together. None where that would not pay, or the update has a `where`.
std::vector<KernelTile> scan_tiles(const GroupView &view, int stage, const KernelTile &tile, int most_steps) {
    constexpr int64_t kShortest = 32;
    const Node &node = view.output_node();
    const Stage &update = node.stages[static_cast<size_t>(stage)];
    const auto loop = std::find_if(update.loops.begin(), update.loops.end(), [](const Loop &l) { return l.reduction; });
    if (loop == update.loops.end() || loop->estimate.extent() <= kShortest || update.has_predicate ||
        !is_scan(update)) {
        return {};
    }
    std::vector<KernelTile> tiles = {tile};
    if (!tile.axes.empty()) {
        KernelTile narrow;
        narrow.axes = {tile.axes.front()};
        narrow.axes[0].width = 1;
        narrow.axes[0].threads = std::min(kLanes, narrow.axes[0].threads);
        tiles.insert(tiles.begin(), narrow);
    }
    const Expansion &e = view.expansion(node.id, stage);
    for (KernelTile &t : tiles) {
        double points = 1;
        for (const AxisTile &a : t.axes) {
            points *= a.width;
        }
        t.steps.count =
            std::min(most_steps, steps_together(loop->estimate.extent(), points * (e.ops() + e.load_count())));
    }
    return tiles;
}

}  // namespace

Draft draft_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps) {
    const auto view = std::make_shared<const GroupView>(*graph.dag, output, std::vector<int>{}, graph.inlined);
    const Node &node = graph.dag->node(output);
    const Stage &update = node.stages[static_cast<size_t>(stage)];
    std::vector<int> loops;
    std::vector<int64_t> extents;
    if (runs_atomically(update)) {
        for (const Loop &loop : update.loops) {
            if (loop.reduction) {
                loops.push_back(node.dims() + static_cast<int>(loops.size()));
                extents.push_back(loop.estimate.extent());
            }
        }
    } else {
        for (int d = 0; d < node.dims(); d++) {
            if (update.pure_of_dim[static_cast<size_t>(d)] >= 0) {
                loops.push_back(d);
                extents.push_back(node.estimate[static_cast<size_t>(d)].extent());
            }
        }
    }
    // Halide evaluates an RDom's `where` before the guard of a tail, and so would read an input beyond its end.
    const bool whole = update.has_predicate && graph.dag->steps_read_raw_input(output);
    const KernelTile tile = whole ? KernelTile() : update_tile(loops, extents);
    Draft best = draft_of_update(view, model, stage, tile);
    if (most_steps > 1 && !runs_atomically(update)) {
        for (const KernelTile &scan : scan_tiles(*view, stage, tile, most_steps)) {
            Draft draft = draft_of_update(view, model, stage, scan);
            const double worth = best.kernel.tile.steps.count > 1 ? kWorthWiderBlocks : 1;
            if (draft.cost.feasible && draft.cost.us < worth * best.cost.us) {
                best = std::move(draft);
            }
        }
    }
    return best;
}

}  // namespace warptile
