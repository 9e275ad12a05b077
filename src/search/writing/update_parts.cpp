#include "search/writing/update_parts.h"

#include <algorithm>
#include <cmath>

#include "search/graph/reductions.h"
#include "search/pricing/update_cut.h"
#include "search/tiling/tiles.h"

namespace warptile {
namespace {

constexpr int kThreads = 256, kCells = 32;

bool adds_in_memory(const UpdateCut &cut) {
    return cut.where == UpdateCut::Where::Lines || cut.where == UpdateCut::Where::Lanes;
}

class Builder {
public:
    Builder(const RefMap &refs, const UpdateCut &cut)
        : refs_(refs), cut_(cut), node_(cut.begin.view->output_node()),
          update_(node_.stages[static_cast<size_t>(cut.update) + 1]), dims_(node_.dims() + (cut.each > 1 ? 2 : 1)) {}

    Candidate build() {
        result_ = emit_stages(refs_, cut_.begin, cut_.updates);
        const FuncRef parts = add_partial(refs_, refs_.itself(node_.id), cut_.rvar, cut_.parts, result_, cut_.update);
        if (cut_.each > 1) {
            result_.before = {in_memory(add_partial(refs_, parts, cut_.second, cut_.each, result_)),
                              kernel_of_each(parts, add_copy(refs_, parts, result_))};
        } else if (cut_.where == UpdateCut::Where::Blocks) {
            // A part's rows are few enough to be unrolled where there are as many as usual: their loads wait together.
            result_.derived.back().usual_extent = length(cut_.rvar);
            result_.before = {counted_by_blocks(parts, add_copy(refs_, parts, result_))};
        } else {
            result_.before = {in_memory(parts)};
        }
        result_.group = kernels_of_total(result_.group);
        result_.cost = cut_.cost;
        result_.why = why();
        return result_;
    }

private:
    const RefMap &refs_;
    const UpdateCut &cut_;
    const Node &node_;
    const Stage &update_;
    const int dims_;  // of the parts
    Candidate result_;

    int64_t length(int rvar) const { return reduction_extent(node_, cut_.update + 1, rvar); }

    /// All cells of all parts begin; then the update. Its reductions are numbered after the parts' dimensions.
    Group in_memory(FuncRef parts) const {
        Group group;
        group.output = parts;
        group.tile = beginning();
        KernelTile update = cut_.updates[static_cast<size_t>(cut_.update)].kernel.tile;
        for (AxisTile &axis : update.axes) {
            axis.dim += axis.dim >= node_.dims() ? dims_ - node_.dims() : 0;
        }
        if (cut_.where == UpdateCut::Where::Lanes) {
            update.axes = {axis_tile(dims_ - 1, 1, kLanes), axis_tile(dims_ + cut_.rvar, 1, kThreads / kLanes)};
            add_other_axes(update);
        } else if (cut_.where == UpdateCut::Where::Own) {
            for (AxisTile &axis : update.axes) {
                axis.threads = axis.width = 1;
            }
            update.axes.insert(update.axes.begin(), axis_tile(node_.dims(), 1, std::min(cut_.parts, kOwnThreads)));
        }
        group.updates = {update};
        group.atomic = {is_atomic()};
        return group;
    }

    /// Of parts that are a thread's there are many: a thread begins several.
    KernelTile beginning() const {
        constexpr int kBegun = 8;
        KernelTile tile;
        if (cut_.where != UpdateCut::Where::Own || node_.dims() == 0) {
            tile.axes = {axis_tile(0, 1, kThreads)};
            return tile;
        }
        const int cells = std::min(kThreads, power_below(static_cast<double>(node_.estimate[0].extent())));
        tile.axes = {axis_tile(0, 1, cells),
                     axis_tile(node_.dims(), std::min(cut_.parts, kBegun), std::max(1, kThreads / cells))};
        return tile;
    }

    bool is_atomic() const { return adds_in_memory(cut_); }

    /// What is added atomically runs over all reductions.
    void add_other_axes(KernelTile &tile) const {
        for (const AxisTile &axis : cut_.updates[static_cast<size_t>(cut_.update)].kernel.tile.axes) {
            const int dim = axis.dim + (axis.dim >= node_.dims() ? 1 : 0);
            if (std::none_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &a) { return a.dim == dim; })) {
                tile.axes.push_back(axis_tile(dim, 1, 1));
            }
        }
    }

    /// A block a part: its threads clear the cells, share each row, and copy what they counted. All cells of a part are
    /// one tile, since another block would count them all again.
    Group counted_by_blocks(FuncRef parts, FuncRef copy) const {
        Group group;
        group.output = copy;
        Member member;
        member.func = parts;
        member.at = copy;
        for (int d = 0; d < node_.dims(); d++) {
            const int cells = static_cast<int>(cut_.cells[static_cast<size_t>(d)]);
            AxisTile tile = axis_tile(d, 1, d == 0 ? std::min(cells, kThreads) : 1);
            member.axes.push_back(tile);
            tile.width = (cells + tile.threads - 1) / tile.threads;
            group.tile.axes.push_back(tile);
        }
        group.tile.unroll = false;
        member.atomic = {axis_tile(dims_ + cut_.row, 1, cut_.threads)};
        for (const AxisTile &tile : group.tile.axes) {
            member.storage.push_back(cut_.cells[static_cast<size_t>(tile.dim)] + int64_t{tile.width} * tile.threads -
                                     1);
        }
        member.storage.push_back(1);
        member.unroll = false;
        group.members = {member};
        return group;
    }

    /// A thread adds up what a part of a cell was split into, its neighbours have the next cells.
    Group kernel_of_each(FuncRef parts, FuncRef copy) const {
        Group group;
        group.output = copy;
        group.tile.axes = {axis_tile(0, 1, kLanes)};
        if (node_.dims() > 0) {
            group.tile.axes.push_back(axis_tile(node_.dims(), 1, kOwnThreads / kLanes));
        }
        Member member;
        member.func = parts;
        member.placement = Placement::Thread;
        member.at = copy;
        member.storage.assign(static_cast<size_t>(node_.dims()) + 1, 1);
        member.steps = steps_along(0, std::min(kOwnAddedTogether, cut_.each));
        group.members = {member};
        return group;
    }

    Group kernels_of_total(Group group) const {
        const size_t u = static_cast<size_t>(cut_.update);
        const int together = cut_.where == UpdateCut::Where::Own ? kOwnAddedTogether : kAddedTogether;
        KernelTile update;
        if (node_.dims() > 0) {
            update.axes = {axis_tile(0, 1, kCells)};
        }
        if (cut_.parts > together) {
            update.steps = steps_along(0, together);
        }
        group.updates[u] = update;
        group.atomic[u] = false;
        group.full = u == 0;
        return group;
    }

    std::string why() const {
        const std::string where = cut_.where == UpdateCut::Where::Blocks   ? ", each in shared memory"
                                  : cut_.where == UpdateCut::Where::Lanes  ? ", a lane each"
                                  : cut_.where == UpdateCut::Where::Own    ? ", a thread each"
                                  : cut_.where == UpdateCut::Where::Places ? ", a block of places each"
                                                                           : "";
        const std::string second =
            cut_.each > 1 ? ", " + std::to_string(cut_.each) + " each of loop " + std::to_string(cut_.second) : "";
        return "update " + std::to_string(cut_.update) + " in " + std::to_string(cut_.parts) + " parts of loop " +
               std::to_string(cut_.rvar) + second + where + " | " + std::to_string(cut_.cost) +
               ", of which the update " + to_string(cut_.updates[static_cast<size_t>(cut_.update)].cost);
    }
};

}  // namespace

std::vector<Candidate> updates_in_parts(const RefMap &refs, const Machine &machine, const CostModel &model,
                                        int output) {
    std::vector<Candidate> candidates;
    for (const UpdateCut &cut : update_cuts(*refs.graph, machine, model, output)) {
        candidates.push_back(Builder(refs, cut).build());
    }
    return candidates;
}

double cost_in_parts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output) {
    double least = INFINITY;
    for (const UpdateCut &cut : update_cuts(graph, machine, model, output)) {
        least = std::min(least, cut.cost);
    }
    return least;
}

}  // namespace warptile
