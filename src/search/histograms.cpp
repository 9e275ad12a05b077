#include "search/histograms.h"

#include <algorithm>
#include <cmath>

#include "search/histogram_cut.h"
#include "search/reductions.h"
#include "search/tiles.h"

namespace warptile {
namespace {

constexpr int kThreads = 256, kCells = 32;

class Builder {
public:
    Builder(const RefMap &refs, const HistogramCut &cut)
        : refs_(refs), cut_(cut), node_(cut.begin.view->output_node()), dims_(node_.dims() + 1) {}

    Candidate build() {
        const bool shared = cut_.where == HistogramCut::Where::Blocks;
        result_ = emit_stages(refs_, cut_.begin, {cut_.update});
        const FuncRef parts = partial(shared);
        result_.before = {shared ? counted_by_blocks(parts, add_copy(refs_, parts, result_))
                                 : counted_in_memory(parts)};
        result_.group = kernels_of_total(result_.group);
        result_.cost_us = cut_.us;
        result_.why = why();
        return result_;
    }

private:
    const RefMap &refs_;
    const HistogramCut &cut_;
    const Node &node_;
    const int dims_;  // of the parts
    Candidate result_;

    /// In shared memory a part's rows are few enough to be unrolled where there are as many as usual: their loads wait
    /// together.
    FuncRef partial(bool shared) {
        const FuncRef parts = add_partial(refs_, refs_.itself(node_.id), cut_.rvar, cut_.parts, result_);
        const int64_t usual = lengths_of(node_.stages[1])[static_cast<size_t>(cut_.rvar)];
        result_.derived.back().usual_extent = shared ? usual : 0;
        return parts;
    }

    /// All cells of all parts begin; then the additions. Loops of the update are numbered after the parts' dimensions.
    Group counted_in_memory(FuncRef parts) const {
        Group group;
        group.output = parts;
        group.tile.axes = {axis_tile(0, 1, kThreads)};
        std::vector<int> loops;
        std::vector<int64_t> lengths = lengths_of(node_.stages[1]);
        lengths[static_cast<size_t>(cut_.rvar)] /= cut_.parts;
        for (int loop = 0; loop < static_cast<int>(lengths.size()); loop++) {
            loops.push_back(dims_ + loop);
        }
        KernelTile update = update_tile(loops, lengths);
        if (cut_.where == HistogramCut::Where::Lanes) {
            update.axes = {axis_tile(dims_ - 1, 1, kLanes), axis_tile(dims_ + cut_.rvar, 1, kThreads / kLanes)};
        }
        group.updates = {update};
        group.atomic = {true};
        return group;
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

    Group kernels_of_total(Group group) const {
        KernelTile update;
        update.axes = {axis_tile(0, 1, kCells)};
        if (cut_.parts > kUnrolledHistograms) {
            update.steps.count = kUnrolledHistograms;
        }
        group.updates = {update};
        group.atomic = {false};
        group.full = true;
        return group;
    }

    std::string why() const {
        const std::string where = cut_.where == HistogramCut::Where::Blocks  ? ", each in shared memory"
                                  : cut_.where == HistogramCut::Where::Lanes ? ", a lane each"
                                                                             : "";
        return "histogram in " + std::to_string(cut_.parts) + " parts of loop " + std::to_string(cut_.rvar) + where +
               " | " + std::to_string(cut_.us) + " us, of which additions " + to_string(cut_.update.cost);
    }
};

}  // namespace

std::vector<Candidate> histogram_in_parts(const RefMap &refs, const Machine &machine, const CostModel &model,
                                          int output) {
    std::vector<Candidate> candidates;
    for (const HistogramCut &cut : histogram_cuts(*refs.graph, machine, model, output)) {
        candidates.push_back(Builder(refs, cut).build());
    }
    return candidates;
}

double cost_in_parts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output) {
    double least = INFINITY;
    for (const HistogramCut &cut : histogram_cuts(graph, machine, model, output)) {
        least = std::min(least, cut.us);
    }
    return least;
}

}  // namespace warptile
