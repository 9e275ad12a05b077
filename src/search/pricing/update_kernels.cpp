#include "search/pricing/update_kernels.h"

#include <algorithm>

#include "model/work.h"
#include "search/graph/reductions.h"
#include "search/tiling/tiles.h"
#include "search/tiling/update_loops.h"

namespace warptile {
namespace {

/// Of a scan, blocks of several warps against those of one, which are dealt to the card more evenly.
constexpr double kWorthWiderBlocks = 0.8;
/// A shorter loop has little to wait for.
constexpr int64_t kShortestInSteps = 4, kShortestScanInSteps = 33;

class Pricer {
public:
    Pricer(const KeptGraph &graph, const CostModel &model, int output, int stage, Additions additions, int partials)
        : view_(std::make_shared<const GroupView>(*graph.dag, output, std::vector<int>{}, graph.inlined)),
          model_(model), stage_(stage), partials_(partials), node_(graph.dag->node(output)),
          update_(node_.stages[static_cast<size_t>(stage)]), atomic_(is_atomic(update_, additions)) {}

    PricedKernel run(int most_steps) const {
        const std::vector<KernelTile> tiles = update_tiles(dealt_loops(view_->dag(), node_.id, stage_, atomic_));
        PricedKernel best = price(tiles.front());
        if (atomic_) {
            for (const KernelTile &tile : tiles) {
                if (has_whole_channel(tile)) {
                    take_if_cheaper(price(tile), 1, best);
                }
            }
            return best;
        }
        if (update_.turns > 0) {
            take_if_cheaper(in_turns(most_steps), 1, best);
        }
        if (most_steps <= 1) {
            return best;
        }
        for (const KernelTile &tile : tiles) {
            for (const int steps : {1, most_steps}) {
                take_if_cheaper(price(with_steps(tile, steps)), 1, best);
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
            take_if_cheaper(price(with_steps(narrow, most_steps)), 1 / kWorthWiderBlocks, best);
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

    static void take_if_cheaper(PricedKernel priced, double worth, PricedKernel &best) {
        if (priced.cost.feasible && priced.cost.total < worth * best.cost.total) {
            best = std::move(priced);
        }
    }

    bool has_whole_channel(const KernelTile &tile) const {
        return std::any_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &axis) {
            return axis.dim < node_.dims() && update_.channel.loop >= 0 && axis.width == update_.channel.steps &&
                   update_.pure_of_dim[static_cast<size_t>(axis.dim)] == update_.channel.loop;
        });
    }

    PricedKernel price(const KernelTile &tile) const {
        PricedKernel priced;
        priced.view = view_;
        priced.kernel.stage = stage_;
        priced.kernel.tile = tile;
        priced.kernel.guarded = tests_points(node_, stage_, tile);
        priced.kernel.atomic = atomic_;
        priced.kernel.partials = partials_;
        priced.cost = model_.cost(*view_, priced.kernel);
        priced.form = "update";
        return priced;
    }

    /// Outer loops are loops of the host, and those that are apart within each of their steps are dealt out.
    PricedKernel in_turns(int most_steps) const {
        KernelTile tile = update_tiles(dealt_loops(view_->dag(), node_.id, stage_, atomic_, update_.turns)).front();
        tile.turns = update_.turns;
        return price(with_steps(tile, most_steps));
    }

    /// Steps of the innermost loop that a thread takes one by one; where their order is free, of the longest.
    KernelTile with_steps(KernelTile tile, int most) const {
        const std::vector<int> serial = serial_loops(update_, atomic_, tile.turns);
        if (serial.empty() || most <= 1 || update_.where_bounds) {
            return tile;
        }
        const auto length = [&](int number) { return reduction_extent(node_, stage_, number); };
        const int loop =
            update_.commutative && (!update_.chooses || partials_ > 1)
                ? *std::max_element(serial.begin(), serial.end(), [&](int a, int b) { return length(a) < length(b); })
                : serial.front();
        const int64_t steps = length(loop) / (serial.size() == 1 ? partials_ : 1);
        if (steps < (is_scan(update_) ? kShortestScanInSteps : kShortestInSteps)) {
            return tile;
        }
        double points = 1;
        for (const AxisTile &axis : tile.axes) {
            points *= axis.width;
        }
        const Expansion &e = view_->expansion(node_.id, stage_);
        tile.steps = steps_along(loop, std::min(most, steps_together(steps, points * (e.ops() + e.load_count()))));
        return tile;
    }
};

}  // namespace

PricedKernel priced_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps,
                           Additions additions, int partials) {
    return Pricer(graph, model, output, stage, additions, partials).run(most_steps);
}

std::vector<PricedKernel> priced_updates(const KeptGraph &graph, const CostModel &model, int output, int most_steps,
                                         Additions additions) {
    std::vector<PricedKernel> updates;
    for (size_t s = 1; s < graph.dag->node(output).stages.size(); s++) {
        updates.push_back(priced_update(graph, model, output, static_cast<int>(s), most_steps, additions));
    }
    return updates;
}

}  // namespace warptile
