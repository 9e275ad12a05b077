#include "search/histograms.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/atomics.h"
#include "search/group_search.h"
#include "search/reductions.h"
#include "search/tiles.h"

namespace warptile {
namespace {

constexpr double kFewestAdditions = 1 << 16;
// Parts; and those that are added up unrolled, so that their loads wait together.
constexpr int kMostParts = 64, kUnrolledParts = 32;
constexpr int kThreads = 256, kCells = 32;
// Latency under load over the idle one.
constexpr double kLoadedLatency = 1.6;
constexpr double kLineBytes = 128;

struct HistogramCut {
    int rvar = 0;        ///< the reduction variable that is split …
    int parts = 1;       ///< … into so many
    bool lanes = false;  ///< neighboring threads add to different parts: the variable walks the only rows there are
    Draft begin;         ///< of the Func itself
    Draft update;        ///< as if it was of the Func itself, but to so many parts
    double us = 0;       ///< of all four kernels
};

double points_of(const Region &region) {
    double points = 1;
    for (const Interval &interval : region) {
        points *= static_cast<double>(std::max<int64_t>(1, interval.extent()));
    }
    return points;
}

/// Extents of an update's reduction loops, at the estimates.
std::vector<int64_t> lengths_of(const Stage &update) {
    std::vector<int64_t> lengths;
    for (const Loop &loop : update.loops) {
        lengths.push_back(std::max<int64_t>(1, loop.estimate.extent()));
    }
    return lengths;
}

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
    while (parts < kMostParts && parts * std::ceil(bytes / kLineBytes) < machine.gpu.sms) {
        parts *= 2;
    }
    return parts;
}

class Chooser {
public:
    Chooser(const KeptGraph &graph, const Machine &machine, const CostModel &model, int id)
        : graph_(graph), machine_(machine), model_(model), node_(graph.dag->node(id)) {}

    std::optional<HistogramCut> choose() const {
        if (!can_be_cut()) {
            return std::nullopt;
        }
        const std::vector<int64_t> lengths = lengths_of(node_.stages[1]);
        HistogramCut cut;
        cut.rvar = loop_to_split(*graph_.dag, node_.id, lengths);
        cut.lanes = walks_rows(*graph_.dag, node_.id, cut.rvar);
        cut.parts = wanted_parts(machine_, bytes(), cut.lanes ? kLanes : 2);
        if (lengths[static_cast<size_t>(cut.rvar)] < cut.parts) {
            return std::nullopt;
        }
        cut.begin = draft_plain(graph_, model_, node_.id);
        cut.update = draft_update(graph_, model_, node_.id, 1, 1);
        cut.update.kernel.histograms = cut.parts;
        cut.update.cost = model_.cost(*cut.update.view, cut.update.kernel);
        cut.us = cost(cut);
        return cut;
    }

private:
    const KeptGraph &graph_;
    const Machine &machine_;
    const CostModel &model_;
    const Node &node_;

    double bytes() const { return points_of(node_.estimate) * node_.bytes(); }

    bool can_be_cut() const {
        if (node_.stages.size() != 2 || graph_.form[static_cast<size_t>(node_.id)] != RootForm::Stages) {
            return false;
        }
        const Stage &update = node_.stages[1];
        double additions = 1;
        for (const int64_t length : lengths_of(update)) {
            additions *= static_cast<double>(length);
        }
        return runs_atomically(update) && !update.has_predicate && additions >= kFewestAdditions &&
               bytes() < machine_.gpu.sms * kLineBytes;
    }

    /// What begins the parts writes few bytes. What adds them up waits for the value and the parts; for each where they
    /// are too many to be unrolled.
    double cost(const HistogramCut &cut) const {
        const RooflineWeights &w = machine_.weights.roofline;
        const double us_a_cycle = 1e-3 / machine_.gpu.clock_ghz;
        const double begin = w.launch_us + cut.parts * bytes() / (w.l2_gb_per_s * 1e3);
        const double waits = cut.parts > kUnrolledParts ? cut.parts : 2;
        const double total = w.launch_us + waits * kLoadedLatency * w.l2_latency_cycles * us_a_cycle;
        return begin + cut.update.cost.us + cut.begin.cost.us + total;
    }
};

AxisTile threads_along(int dim, int threads) {
    AxisTile axis;
    axis.dim = dim;
    axis.threads = threads;
    return axis;
}

/// All cells of all parts begin; then the additions. Loops of the update are numbered after the parts' dimensions.
Group kernels_of_parts(FuncRef parts, const Node &node, const HistogramCut &cut) {
    const int dims = node.dims() + 1;
    Group group;
    group.output = parts;
    group.tile.axes = {threads_along(0, kThreads)};
    std::vector<int> loops;
    std::vector<int64_t> lengths = lengths_of(node.stages[1]);
    lengths[static_cast<size_t>(cut.rvar)] /= cut.parts;
    for (int loop = 0; loop < static_cast<int>(lengths.size()); loop++) {
        loops.push_back(dims + loop);
    }
    KernelTile update = update_tile(loops, lengths);
    if (cut.lanes) {
        update.axes = {threads_along(dims - 1, kLanes), threads_along(dims + cut.rvar, kThreads / kLanes)};
        update.flat_grid = true;  // the other dimensions of a grid are short
    }
    group.updates = {update};
    group.atomic = {true};
    return group;
}

Group kernels_of_total(Group group) {
    KernelTile update;
    update.axes = {threads_along(0, kCells)};
    group.updates = {update};
    group.atomic = {false};
    group.full = true;
    return group;
}

}  // namespace

std::vector<Candidate> histogram_in_parts(const RefMap &refs, const Machine &machine, const CostModel &model,
                                          int output) {
    const std::optional<HistogramCut> cut = Chooser(*refs.graph, machine, model, output).choose();
    if (!cut) {
        return {};
    }
    Candidate candidate = emit_stages(refs, cut->begin, {cut->update});
    Derived partial;
    partial.kind = Derived::Kind::Partial;
    partial.source = refs.itself(output);
    partial.rvar = cut->rvar;
    partial.factor = cut->parts;
    candidate.derived = {partial};
    candidate.before = {kernels_of_parts(refs.own(0), refs.graph->dag->node(output), *cut)};
    candidate.group = kernels_of_total(candidate.group);
    candidate.cost_us = cut->us;
    candidate.why = "histogram in " + std::to_string(cut->parts) + " parts of loop " + std::to_string(cut->rvar) +
                    (cut->lanes ? ", a lane each" : "") + " | " + std::to_string(cut->us) + " us, of which additions " +
                    to_string(cut->update.cost);
    return {candidate};
}

double cost_in_parts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output) {
    const std::optional<HistogramCut> cut = Chooser(graph, machine, model, output).choose();
    return cut ? cut->us : INFINITY;
}

}  // namespace warptile
