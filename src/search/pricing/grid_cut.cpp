#include "search/pricing/grid_cut.h"

#include <algorithm>
#include <numeric>

#include "search/graph/reductions.h"

namespace warptile {
namespace {

// Threads of a block that share a point, or a column.
constexpr int kThreads = 256, kRowThreads = 16;
constexpr int kMostBlocks = 256;
// Values below which a cut is not worth it, and that a thread should have at least.
constexpr double kShortest = 1024, kLeastSteps = 8;
constexpr int64_t kShortestLoop = 16;
constexpr int kFrugalSteps = 4;
// What fewer steps together cost, about.
constexpr double kFrugalPrice = 1.3;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

double product(const std::vector<int64_t> &lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 1.0, std::multiplies<double>());
}

class Cutter {
public:
    Cutter(const KeptGraph &graph, const Machine &machine, const CostModel &model, int id, int reader)
        : graph_(graph), machine_(machine), model_(model), node_(graph.dag->node(id)), reader_(reader),
          expansion_(expand(*graph.dag, id, 1, graph.inlined)), points_(static_cast<double>(volume(node_.estimate))),
          left_(lengths_of(node_.stages[1])), length_(product(left_)) {}

    std::optional<GridCut> cut(const SplitReduction &split) {
        const double resident = static_cast<double>(kResidentThreads) * machine_.gpu.sms;
        if (points_ > resident / 4 || length_ < kShortest) {
            return std::nullopt;
        }
        // Partial results of such a kernel have to be in memory: they are of two blocks, at the least.
        const bool updates_at_root = graph_.form[static_cast<size_t>(node_.id)] == RootForm::Stages;
        least_blocks_ = updates_at_root ? 2 : 1;
        result_.columns = !split.along_rows && node_.dims() > 0;
        result_.columns ? cut_columns(split) : cut_rows(split);
        if (result_.blocks < least_blocks_) {
            return std::nullopt;
        }
        take_steps_together();
        result_.kernels = kernels(updates_at_root);
        for (const Sweep &kernel : result_.kernels) {
            result_.cost += model_.cost(kernel).total;
        }
        return result_;
    }

private:
    const KeptGraph &graph_;
    const Machine &machine_;
    const CostModel &model_;
    const Node &node_;
    int reader_;
    Expansion expansion_;
    double points_;
    std::vector<int64_t> left_;  // of each loop, after the splits so far
    double length_;
    double least_blocks_ = 1;
    GridCut result_;

    void divide(int rvar, int factor) {
        int64_t &left = left_[static_cast<size_t>(rvar)];
        left = ceil_div(left, factor);
    }

    /// Adjacent threads read adjacent values; what threads are left over take the next longest loop.
    void cut_rows(const SplitReduction &split) {
        const int most = std::clamp(power_below(length_ / (kLeastSteps * least_blocks_)), kLanes, kThreads);
        const int along = threads_along(left_[static_cast<size_t>(split.rvar)], most);
        result_.threads.push_back({split.rvar, along});
        divide(split.rvar, along);
        const int across = std::min(most / along, power_below(static_cast<double>(*longest())));
        if (across > 1 && longest_loop() != split.rvar) {
            result_.threads.push_back({longest_loop(), across});
            divide(longest_loop(), across);
        }
        cut_blocks(longest_loop(), 2.0 * machine_.gpu.sms / points_);
    }

    /// The most threads of which hardly more idle than of any other number, and none has nothing to do
    /// (`Member::full`).
    static int threads_along(int64_t length, int most) {
        const auto idle = [&](int threads) {
            return static_cast<double>(ceil_div(length, threads)) * threads / static_cast<double>(length);
        };
        int best = kLanes;
        for (int threads = 2 * kLanes; threads <= most && threads <= length; threads *= 2) {
            best = idle(threads) <= 1.1 * idle(kLanes) ? threads : best;
        }
        return best;
    }

    /// Lanes have the columns, warps the rows.
    void cut_columns(const SplitReduction &split) {
        const int64_t columns = std::max<int64_t>(1, node_.estimate[0].extent());
        const double rounded =
            points_ / static_cast<double>(columns) * static_cast<double>(ceil_div(columns, kColumns) * kColumns);
        const int warps =
            std::clamp(power_below(static_cast<double>(left_[static_cast<size_t>(split.rvar)])), 2, kRowThreads);
        result_.threads.push_back({split.rvar, warps});
        divide(split.rvar, warps);
        // Not of another loop: Halide would not see that a block's tile is no wider where that one is short.
        cut_blocks(split.rvar, 2.0 * kResidentThreads * machine_.gpu.sms / (rounded * warps));
    }

    void cut_blocks(int rvar, double wanted) {
        const double most =
            std::min(product(left_) / kLeastSteps, static_cast<double>(left_[static_cast<size_t>(rvar)]));
        const int blocks = std::min(power_below(std::min(std::max(wanted, least_blocks_), most)), kMostBlocks);
        if (blocks > 1) {
            result_.blocks_rvar = rvar;
            result_.blocks = blocks;
            divide(rvar, blocks);
        }
    }

    std::vector<int64_t>::const_iterator longest() const { return std::max_element(left_.begin(), left_.end()); }

    int longest_loop() const { return static_cast<int>(longest() - left_.begin()); }

    /// Of the outermost of the longest loops: those inside it then have no tests at all.
    void take_steps_together() {
        const auto last = std::find(left_.rbegin(), left_.rend(), *longest());
        result_.steps_loop = static_cast<int>(left_.rend() - last) - 1;
        result_.steps = steps_together(*longest(), expansion_.ops() + expansion_.load_count());
    }

    /// The first reads everything; what blocks have found is added up by the last, and computes there what reads the
    /// result. An update at root that would have too many parts to add up is left those that a kernel between has.
    std::vector<Sweep> kernels(bool updates_at_root) const {
        const int blocks = result_.blocks, a_point = result_.threads_a_point();
        const double threads = points_ * blocks * a_point;
        std::vector<Sweep> all = {reducing_sweep(*graph_.dag, node_, 1, expansion_, blocks, threads,
                                                 result_.columns ? kColumns * a_point : a_point, result_.steps)};
        if (blocks > 1 && updates_at_root) {
            if (blocks > kPartsAtRoot) {
                all.push_back(adding_sweep(node_, blocks, kLanes, 1, kUnrolledParts));
            }
            all.push_back(first_values_sweep(node_, 1));
            all.push_back(adding_sweep(node_, std::min(blocks, kPartsAtRoot), 1, 1, 1));
        } else if (blocks > 1) {
            const bool alone = result_.columns || blocks <= kWaitingParts;
            const int together = blocks > kUnrolledParts ? kUnrolledParts / 2 : kUnrolledParts;
            all.push_back(adding_sweep(node_, blocks, 1, alone ? 1 : std::min(blocks, kLanes), together));
        }
        if (reader_ >= 0) {
            const double more = points_ * (graph_.dag->node(reader_).bytes() - node_.bytes());
            all.back().moved += more;
            all.back().compulsory += more;
        }
        return all;
    }
};

}  // namespace

int GridCut::threads_a_point() const {
    int n = 1;
    for (const Split &split : threads) {
        n *= split.factor;
    }
    return n;
}

GridCut frugal(GridCut cut) {
    cut.steps = std::min(cut.steps, kFrugalSteps);
    cut.cost *= kFrugalPrice;
    cut.frugal = true;
    return cut;
}

std::optional<GridCut> choose_cut(const KeptGraph &graph, const Machine &machine, const CostModel &model, int node,
                                  int reader) {
    const std::optional<SplitReduction> split = find_split(*graph.dag, node, kShortestLoop);
    if (!split || (reader >= 0 && !reads_point_by_point(graph, reader, node))) {
        return std::nullopt;
    }
    return Cutter(graph, machine, model, node, reader).cut(*split);
}

bool reads_point_by_point(const KeptGraph &graph, int reader, int node) {
    const Node &by = graph.dag->node(reader), &read = graph.dag->node(node);
    if (graph.form[static_cast<size_t>(reader)] != RootForm::Pure || by.dims() != read.dims()) {
        return false;
    }
    const Expansion expansion = expand(*graph.dag, reader, 0, graph.inlined);
    return std::all_of(expansion.loads.begin(), expansion.loads.end(), [&](const ExpandedLoad &load) {
        if (load.producer != node) {
            return true;
        }
        for (size_t d = 0; d < load.axes.size(); d++) {
            const LoadAxis &axis = load.axes[d];
            for (size_t l = 0; l < axis.slope.size(); l++) {
                if (axis.slope[l] != (l == d ? 1 : 0)) {
                    return false;
                }
            }
            if (!axis.known || axis.lo != 0 || axis.hi != 0) {
                return false;
            }
        }
        return true;
    });
}

}  // namespace warptile
