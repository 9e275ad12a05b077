#include "search/updates/update_kernels.h"

#include <algorithm>

#include "model/work.h"
#include "search/reductions.h"
#include "search/tiles.h"
#include "search/updates/update_loops.h"

namespace warptile {
namespace {

/// Of a scan, blocks of several warps against those of one, which are dealt to the card more evenly.
constexpr double kWorthWiderBlocks = 0.8;
/// A shorter loop has little to wait for.
constexpr int64_t kShortestInSteps = 4, kShortestScanInSteps = 33;

class Drafter {
public:
    Drafter(const KeptGraph &graph, const CostModel &model, int output, int stage, Additions additions, int partials)
        : view_(std::make_shared<const GroupView>(*graph.dag, output, std::vector<int>{}, graph.inlined)),
          model_(model), stage_(stage), partials_(partials), node_(graph.dag->node(output)),
          update_(node_.stages[static_cast<size_t>(stage)]), atomic_(is_atomic(update_, additions)) {}

    Draft run(int most_steps) const {
        const std::vector<KernelTile> tiles = update_tiles(dealt_loops(view_->dag(), node_.id, stage_, atomic_));
        Draft best = draft_of(tiles.front());
        if (atomic_) {
            return best;
        }
        if (update_.turns > 0) {
            take_if_cheaper(draft_in_turns(most_steps), 1, best);
        }
        if (most_steps <= 1) {
            return best;
        }
        for (const KernelTile &tile : tiles) {
            for (const int steps : {1, most_steps}) {
                take_if_cheaper(draft_of(with_steps(tile, steps)), 1, best);
            }
        }
        if (is_scan(update_) && !tiles.front().axes.empty()) {
            // A warp a block spreads few columns over the card.
            KernelTile narrow;
            narrow.axes = {tiles.front().axes.front()};
            narrow.axes[0].width = 1;
            narrow.axes[0].threads = std::min(kLanes, narrow.axes[0].threads);
            for (size_t a = 1; a < tiles.front().axes.size(); a++) {
                const AxisTile &axis = tiles.front().axes[a];
                if (axis.dim >= node_.dims()) {
                    narrow.axes.push_back(axis_tile(axis.dim, 1, 1));
                }
            }
            take_if_cheaper(draft_of(with_steps(narrow, most_steps)), 1 / kWorthWiderBlocks, best);
        }
        return best;
    }

private:
    std::shared_ptr<const GroupView> view_;
    const CostModel &model_;
    const int stage_, partials_;
    const Node &node_;
    const Stage &update_;
    const bool atomic_;

    static void take_if_cheaper(Draft draft, double worth, Draft &best) {
        if (draft.cost.feasible && draft.cost.total < worth * best.cost.total) {
            best = std::move(draft);
        }
    }

    Draft draft_of(const KernelTile &tile) const {
        Draft draft;
        draft.view = view_;
        draft.kernel.stage = stage_;
        draft.kernel.tile = tile;
        draft.kernel.guarded = tests_points(node_, stage_, tile);
        draft.kernel.atomic = atomic_;
        draft.kernel.partials = partials_;
        draft.cost = model_.cost(*view_, draft.kernel);
        draft.form = "update";
        return draft;
    }

    /// Outer loops are loops of the host, and those that are apart within each of their steps are dealt out.
    Draft draft_in_turns(int most_steps) const {
        KernelTile tile = update_tiles(dealt_loops(view_->dag(), node_.id, stage_, atomic_, update_.turns)).front();
        tile.turns = update_.turns;
        return draft_of(with_steps(tile, most_steps));
    }

    /// Steps of the innermost loop that a thread takes one by one; where their order is free, of the longest.
    KernelTile with_steps(KernelTile tile, int most) const {
        const std::vector<int> serial = serial_loops(update_, atomic_, tile.turns);
        if (serial.empty() || most <= 1 || update_.where_bounds) {
            return tile;
        }
        const auto length = [&](int number) { return reduction_extent(node_, stage_, number); };
        tile.steps.loop =
            update_.commutative && (!update_.chooses || partials_ > 1)
                ? *std::max_element(serial.begin(), serial.end(), [&](int a, int b) { return length(a) < length(b); })
                : serial.front();
        const int64_t steps = length(tile.steps.loop) / (serial.size() == 1 ? partials_ : 1);
        if (steps < (is_scan(update_) ? kShortestScanInSteps : kShortestInSteps)) {
            return tile;
        }
        double points = 1;
        for (const AxisTile &axis : tile.axes) {
            points *= axis.width;
        }
        const Expansion &e = view_->expansion(node_.id, stage_);
        tile.steps.count = std::min(most, steps_together(steps, points * (e.ops() + e.load_count())));
        return tile;
    }
};

}  // namespace

Draft draft_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps,
                   Additions additions, int partials) {
    return Drafter(graph, model, output, stage, additions, partials).run(most_steps);
}

std::vector<Draft> draft_updates(const KeptGraph &graph, const CostModel &model, int output, int most_steps,
                                 Additions additions) {
    std::vector<Draft> updates;
    for (size_t s = 1; s < graph.dag->node(output).stages.size(); s++) {
        updates.push_back(draft_update(graph, model, output, static_cast<int>(s), most_steps, additions));
    }
    return updates;
}

}  // namespace warptile
