#include "search/grid_reductions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warptile {
namespace {

// Threads of a resident block that reduce one point together, columns of a warp that walk rows side by side.
constexpr int kThreads = 128, kColumns = 32, kRowThreads = 8;
// Steps of a serial reduction whose loads the assembler overlaps.
constexpr double kOverlappedSteps = 4;
constexpr int64_t kShortest = 4096;

/// How the work is cut: the Partials take these, one after the other.
struct Cut {
    struct Part {
        int rvar, factor;
    };

    SplitReduction split;
    std::vector<Part> parts;
    double first_steps = 0, last_steps = 0;  ///< serial steps of a thread in the first kernel, in all later ones
    int kernels = 2;
};

int64_t points_of(const Node &node) {
    int64_t n = 1;
    for (const Interval &i : node.estimate) {
        n *= std::max<int64_t>(1, i.extent());
    }
    return n;
}

int power_below(double n) {
    int p = 1;
    while (2.0 * p <= n) {
        p *= 2;
    }
    return p;
}

/// Extents of the update's reduction loops, at the estimates.
std::vector<int64_t> lengths_of(const Node &node) {
    std::vector<int64_t> lengths;
    for (const Loop &loop : node.stages[1].loops) {
        if (loop.reduction) {
            lengths.push_back(std::max<int64_t>(1, loop.estimate.extent()));
        }
    }
    return lengths;
}

double product(const std::vector<int64_t> &lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 1.0, std::multiplies<double>());
}

/// Which loop the blocks divide once threads divide `split`: the one with most steps left, and at most that many.
Cut::Part part_of_blocks(std::vector<int64_t> lengths, const SplitReduction &split, int blocks) {
    lengths[static_cast<size_t>(split.rvar)] /= kThreads;
    const auto longest = std::max_element(lengths.begin(), lengths.end());
    return {static_cast<int>(longest - lengths.begin()),
            std::clamp(power_below(static_cast<double>(*longest)), 1, blocks)};
}

std::optional<Cut> choose_cut(const KeptGraph &graph, const Machine &machine, int id, bool reassociate) {
    const Node &node = graph.dag->node(id);
    const std::optional<SplitReduction> split = find_split(*graph.dag, id, reassociate);
    const double resident = 1024.0 * machine.gpu.sms;  // threads that keep the memory busy
    const double points = static_cast<double>(points_of(node));
    if (!split || points > resident / 4) {
        return std::nullopt;
    }
    const std::vector<int64_t> lengths = lengths_of(node);
    const double length = product(lengths);
    if (length < kShortest) {
        return std::nullopt;
    }
    const bool stages = graph.form[static_cast<size_t>(id)] == RootForm::Stages;
    Cut cut;
    cut.split = *split;
    if (split->along_rows || node.dims() == 0) {
        const int wanted = std::clamp(power_below(resident / (points * kThreads)), 1, 256);
        const Cut::Part blocks = part_of_blocks(lengths, *split, wanted);
        if (blocks.factor < 2) {
            return std::nullopt;  // a block a point fills the card, or takes all there is
        }
        cut.parts.push_back({split->rvar, kThreads});
        cut.parts.push_back(blocks);
        cut.first_steps = length / kThreads / blocks.factor;
        cut.last_steps = blocks.factor + kThreads;
        cut.kernels = stages ? 4 : 2;
    } else {
        const int parts = std::clamp(power_below(resident / points), 8, 256);
        cut.parts.push_back({split->rvar, parts});
        cut.first_steps = length / parts;
        cut.last_steps = parts;
        cut.kernels = stages ? 3 : 2;
    }
    return cut;
}

/// The first kernel reads everything; the others wait for their steps.
double cost_of(const KeptGraph &graph, const Machine &machine, int id, const Cut &cut) {
    const RooflineWeights &w = machine.weights.roofline;
    const Node &node = graph.dag->node(id);
    const Expansion e = expand(*graph.dag, id, 1, graph.inlined);
    const double reads = static_cast<double>(points_of(node)) * product(lengths_of(node));
    double bytes = 0;
    for (const ExpandedLoad &load : e.loads) {
        bytes += load.producer == id ? 0 : reads * load.count * graph.dag->node(load.producer).bytes();
    }
    const double us_a_step = w.l2_latency_cycles / kOverlappedSteps / machine.gpu.clock_ghz * 1e-3;
    const double dram = bytes / (machine.gpu.dram_gb_per_s * w.dram_efficiency * 1e3);
    const double issue = reads / kLanes * (e.ops() + 2 * e.load_count()) /
                         (w.issue_per_clock * machine.gpu.sms * machine.gpu.clock_ghz * 1e3);
    return cut.kernels * w.launch_us + std::max({dram, issue, cut.first_steps * us_a_step}) +
           cut.last_steps * us_a_step;
}

class Builder {
public:
    Builder(const RefMap &refs, int id, const Cut &cut)
        : refs_(refs), node_(refs.graph->dag->node(id)), cut_(cut),
          wrapped_(refs.graph->form[static_cast<size_t>(id)] == RootForm::Wrapped) {}

    Candidate build() {
        FuncRef source = refs_.itself(node_.id);
        std::vector<FuncRef> partials;
        for (const Cut::Part &part : cut_.parts) {
            source = partial(source, part);
            partials.push_back(source);
        }
        const size_t levels = partials.size();
        result_.before.push_back(kernel_of_copy(partials.back(), levels));
        if (levels == 2 && !wrapped_) {
            result_.before.push_back(kernel_of_copy(partials.front(), 1));
        }
        result_.group = wrapped_ ? last_of_copy(partials.front(), levels) : last_of_stages();
        return result_;
    }

private:
    const RefMap &refs_;
    const Node &node_;
    const Cut &cut_;
    bool wrapped_;
    Candidate result_;

    FuncRef own() const { return refs_.own(result_.derived.size() - 1); }

    FuncRef partial(FuncRef source, const Cut::Part &part) {
        Derived d;
        d.kind = Derived::Kind::Partial;
        d.source = source;
        d.rvar = part.rvar;
        d.factor = part.factor;
        result_.derived.push_back(d);
        return own();
    }

    static AxisTile threads_along(int dim, int threads) {
        AxisTile axis;
        axis.dim = dim;
        axis.threads = threads;
        return axis;
    }

    bool columns() const { return !cut_.split.along_rows && node_.dims() > 0; }

    /// A copy of the `level`-th partial result at root, which its threads reduce in registers.
    Group kernel_of_copy(FuncRef func, size_t level) {
        Derived copy;
        copy.source = func;
        result_.derived.push_back(copy);
        Group group;
        group.output = own();
        if (columns()) {
            group.tile.axes = {threads_along(0, kColumns), threads_along(node_.dims(), kRowThreads)};
        } else {
            group.tile.axes = {threads_along(node_.dims(), kThreads)};
        }
        group.members = {in_thread(func, group.output, node_.dims() + static_cast<int>(level))};
        return group;
    }

    Member in_thread(FuncRef func, FuncRef at, int dims) const {
        Member m;
        m.func = func;
        m.placement = Placement::Thread;
        m.at = at;
        m.storage.assign(static_cast<size_t>(dims), 1);
        return m;
    }

    Group last_of_copy(FuncRef first_partial, size_t levels) const {
        Group group;
        group.output = refs_.read(node_.id);
        if (columns()) {
            group.tile.axes = {threads_along(0, kColumns)};
        }
        group.members = {in_thread(refs_.itself(node_.id), group.output, node_.dims())};
        if (!columns()) {
            group.members[0].placement = Placement::Block;  // one thread of the block adds up
        }
        if (levels == 2) {
            Member parts;
            parts.func = first_partial;
            parts.placement = Placement::Block;
            parts.at = group.output;
            parts.axes = {threads_along(node_.dims(), kThreads)};
            parts.storage.assign(static_cast<size_t>(node_.dims()), 1);
            parts.storage.push_back(kThreads);
            group.members.push_back(parts);
        }
        return group;
    }

    Group last_of_stages() const {
        Group group;
        group.output = refs_.itself(node_.id);
        if (node_.dims() > 0) {
            group.tile.axes = {threads_along(0, kColumns)};
        }
        group.updates = {group.tile};
        group.atomic = {false};
        return group;
    }
};

}  // namespace

std::optional<Candidate> reduce_over_grid(const RefMap &refs, const Machine &machine, int node, bool reassociate) {
    const std::optional<Cut> cut = choose_cut(*refs.graph, machine, node, reassociate);
    if (!cut) {
        return std::nullopt;
    }
    Candidate candidate = Builder(refs, node, *cut).build();
    candidate.cost_us = cost_of(*refs.graph, machine, node, *cut);
    candidate.why = "reduction over the grid, " + std::to_string(cut->kernels) + " kernels, parts";
    for (const Cut::Part &part : cut->parts) {
        candidate.why += " " + std::to_string(part.factor) + " of loop " + std::to_string(part.rvar);
    }
    candidate.why += " | " + std::to_string(candidate.cost_us) + " us";
    return candidate;
}

double cost_over_grid(const KeptGraph &graph, const Machine &machine, int node, bool reassociate) {
    const std::optional<Cut> cut = choose_cut(graph, machine, node, reassociate);
    return cut ? cost_of(graph, machine, node, *cut) : INFINITY;
}

}  // namespace warptile
