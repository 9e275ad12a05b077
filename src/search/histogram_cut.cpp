#include "search/histogram_cut.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dag/constant_regions.h"
#include "model/atomics.h"
#include "model/roofline.h"
#include "search/reductions.h"
#include "search/update_kernels.h"

namespace warptile {
namespace {

constexpr double kFewestAdditions = 1 << 16;
constexpr int kMostParts = 64;
// Of blocks that count in shared memory: threads, parts an SM, and shared memory, of which two blocks shall fit.
constexpr int kMostSharing = 512, kPartsAnSm = 2;
constexpr double kMostSharedCells = 16 * 1024;  // bytes

/// The longest loop that does not walk rows, so that neighboring threads have neighboring values of one part; where all
/// do, the longest.
int loop_to_split(const FunctionDag &dag, int id, const std::vector<int64_t> &lengths) {
    const auto better = [&](int a, int b) {
        const bool rows_a = walks_rows(dag, id, a), rows_b = walks_rows(dag, id, b);
        return rows_a != rows_b ? !rows_a : lengths[static_cast<size_t>(a)] > lengths[static_cast<size_t>(b)];
    };
    int best = 0;
    for (int loop = 1; loop < static_cast<int>(lengths.size()); loop++) {
        best = better(loop, best) ? loop : best;
    }
    return best;
}

/// Parts whose lines, together, are as many as the L2 cache serves side by side.
int wanted_parts(const Machine &machine, double bytes, int least) {
    int parts = least;
    while (parts < kMostParts && parts * std::ceil(bytes / kL2LineBytes) < machine.gpu.sms) {
        parts *= 2;
    }
    return parts;
}

class Chooser {
public:
    Chooser(const KeptGraph &graph, const Machine &machine, const CostModel &model, int id)
        : graph_(graph), machine_(machine), model_(model), node_(graph.dag->node(id)) {}

    std::vector<HistogramCut> run() const {
        if (!can_be_cut()) {
            return {};
        }
        std::vector<HistogramCut> cuts;
        for (const std::optional<HistogramCut> &cut : {in_global_memory(), in_shared_memory()}) {
            if (cut) {
                cuts.push_back(*cut);
            }
        }
        return cuts;
    }

private:
    const KeptGraph &graph_;
    const Machine &machine_;
    const CostModel &model_;
    const Node &node_;

    double bytes() const { return static_cast<double>(volume(node_.estimate)) * node_.bytes(); }

    bool can_be_cut() const {
        if (node_.stages.size() != 2 || graph_.form[static_cast<size_t>(node_.id)] != RootForm::Stages) {
            return false;
        }
        const Stage &update = node_.stages[1];
        double additions = 1;
        for (const int64_t length : lengths_of(update)) {
            additions *= static_cast<double>(length);
        }
        return runs_atomically(update) && !update.has_predicate && additions >= kFewestAdditions;
    }

    std::optional<HistogramCut> in_global_memory() const {
        const std::vector<int64_t> lengths = lengths_of(node_.stages[1]);
        HistogramCut cut;
        cut.rvar = loop_to_split(*graph_.dag, node_.id, lengths);
        const bool lanes = walks_rows(*graph_.dag, node_.id, cut.rvar);
        cut.where = lanes ? HistogramCut::Where::Lanes : HistogramCut::Where::Lines;
        cut.parts = wanted_parts(machine_, bytes(), lanes ? kLanes : 2);
        if (lengths[static_cast<size_t>(cut.rvar)] < cut.parts || bytes() >= machine_.gpu.sms * kL2LineBytes) {
            return std::nullopt;
        }
        add_kernels(Counters::Lines, cut);
        const RooflineWeights &w = machine_.weights.roofline;
        const double begin = w.launch_us + cut.parts * bytes() / (w.l2_gb_per_s * 1e3);
        cut.us = begin + cut.update.cost.us + cut.begin.cost.us + total_us(cut.parts);
        return cut;
    }

    /// Where its cells are as many at every size, and threads find rows to share. Parts are as many as blocks that the
    /// card runs at a time, with some rows each.
    std::optional<HistogramCut> in_shared_memory() const {
        const std::vector<int64_t> lengths = lengths_of(node_.stages[1]);
        HistogramCut cut;
        cut.where = HistogramCut::Where::Blocks;
        cut.rvar = loop_to_split(*graph_.dag, node_.id, lengths);
        cut.row = longest_row(cut.rvar, lengths);
        double bytes = node_.bytes();
        const auto regions = constant_regions(*graph_.dag);
        for (const std::optional<Interval> &cells : regions[static_cast<size_t>(node_.id)]) {
            cut.cells.push_back(cells && !cells->empty() ? cells->extent() : 0);
            bytes *= static_cast<double>(cut.cells.back());
        }
        if (cut.row < 0 || bytes <= 0 || bytes > kMostSharedCells || lengths.size() > 2) {
            return std::nullopt;
        }
        const auto length = [&](int loop) { return static_cast<double>(lengths[static_cast<size_t>(loop)]); };
        cut.parts = power_below(std::min(length(cut.rvar), 1.0 * kPartsAnSm * machine_.gpu.sms));
        cut.threads = std::min(kMostSharing, power_below(length(cut.row)));
        if (cut.parts < 2 || cut.threads < kLanes) {
            return std::nullopt;
        }
        add_kernels(Counters::Shared, cut);
        const RooflineWeights &w = machine_.weights.roofline;
        const double copies = cut.parts * bytes / (w.l2_gb_per_s * 1e3);
        cut.us = copies + cut.update.cost.us + cut.begin.cost.us + total_us(cut.parts);
        return cut;
    }

    int longest_row(int split, const std::vector<int64_t> &lengths) const {
        int best = -1;
        for (int loop = 0; loop < static_cast<int>(lengths.size()); loop++) {
            const bool longer = best < 0 || lengths[static_cast<size_t>(loop)] > lengths[static_cast<size_t>(best)];
            if (loop != split && walks_rows(*graph_.dag, node_.id, loop) && longer) {
                best = loop;
            }
        }
        return walks_rows(*graph_.dag, node_.id, split) ? -1 : best;
    }

    void add_kernels(Counters counters, HistogramCut &cut) const {
        cut.begin = draft_plain(graph_, model_, node_.id);
        cut.update = draft_update(graph_, model_, node_.id, 1, 1);
        cut.update.kernel.histograms = cut.parts;
        cut.update.kernel.counters = counters;
        cut.update.cost = model_.cost(*cut.update.view, cut.update.kernel);
    }

    /// What adds the parts up waits for the value, and for so many parts at a time.
    double total_us(int parts) const {
        const RooflineWeights &w = machine_.weights.roofline;
        const double us_a_cycle = 1e-3 / machine_.gpu.clock_ghz;
        const double waits = 1 + std::ceil(parts / static_cast<double>(kUnrolledHistograms));
        return w.launch_us + waits * kLoadedLatency * w.l2_latency_cycles * us_a_cycle;
    }
};

}  // namespace

std::vector<HistogramCut> histogram_cuts(const KeptGraph &graph, const Machine &machine, const CostModel &model,
                                         int output) {
    return Chooser(graph, machine, model, output).run();
}

}  // namespace warptile
