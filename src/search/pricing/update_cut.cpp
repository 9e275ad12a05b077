#include "search/pricing/update_cut.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dag/constant_regions.h"
#include "dag/dependences.h"
#include "model/atomics.h"
#include "schedule/rules/check_group.h"
#include "schedule/rules/check_steps.h"
#include "search/graph/reductions.h"
#include "search/pricing/update_kernels.h"
#include "search/tiling/update_loops.h"

namespace warptile {
namespace {

constexpr double kFewestSteps = 1 << 16;  // of an update
constexpr int kMostParts = 64;            // of atomic additions, and of those that one thread adds up
// Of parts that are a thread's: those that one kernel adds up, and all.
constexpr int kMostOwnParts = 1 << 10, kMostOfAll = 1 << 16;
// Of blocks that count in shared memory: threads, parts an SM, and shared memory, of which two blocks shall fit.
constexpr int kMostSharing = 512, kPartsAnSm = 2;
constexpr double kMostSharedCells = 16 * 1024;              // bytes
constexpr double kMostBytes = 64e6, kMostOwnBytes = 512e6;  // of all parts
constexpr double kLeastStepsAPart = 16;
constexpr int kOwnSteps = 8;  // that are unrolled
constexpr double kSectorBytes = 32;
// Threads an SM that run at a time, of those that wait for one addition after the other; and the most that are worth
// it.
constexpr int kThreadsAnSm = 512, kMostThreadsAnSm = 4096;

class Chooser {
public:
    Chooser(const KeptGraph &graph, const Machine &machine, const CostModel &model, int id, int update)
        : graph_(graph), machine_(machine), model_(model), node_(graph.dag->node(id)), number_(update),
          update_(node_.stages[static_cast<size_t>(update) + 1]) {
        for (size_t l = 0; l < update_.loops.size(); l++) {
            const Loop &loop = update_.loops[l];
            const double length = static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
            steps_ *= length;
            places_ *= loop.dependence == Dependence::Apart ? length : 1;
            if (loop.reduction) {
                lengths_.push_back(loop.estimate.extent());
                loops_.push_back(static_cast<int>(l));
            }
        }
    }

    std::vector<UpdateCut> run() const {
        const bool may_be_cut = update_.associative && update_.commutative && !update_.where_bounds;
        if (!may_be_cut || steps_ < kFewestSteps || loop_to_split() < 0) {
            return {};
        }
        std::vector<UpdateCut> cuts;
        const bool atomic = runs_atomically(update_);
        const std::optional<UpdateCut> none;
        for (const std::optional<UpdateCut> &cut :
             {atomic ? in_lines() : none, atomic ? in_shared_memory() : none, at_places()}) {
            if (cut) {
                cuts.push_back(*cut);
            }
        }
        for (const UpdateCut &cut : a_part_a_thread()) {
            cuts.push_back(cut);
        }
        return cuts;
    }

private:
    const KeptGraph &graph_;
    const Machine &machine_;
    const CostModel &model_;
    const Node &node_;
    const int number_;
    const Stage &update_;
    double steps_ = 1, places_ = 1;
    std::vector<int64_t> lengths_;  // of its reductions
    std::vector<int> loops_;        // these, among its loops

    double bytes() const { return static_cast<double>(volume(node_.estimate)) * node_.bytes(); }

    double length(int rvar) const { return static_cast<double>(lengths_[static_cast<size_t>(rvar)]); }

    bool walks(int rvar) const {
        return walks_rows(*graph_.dag, node_.id, number_ + 1, loops_[static_cast<size_t>(rvar)]);
    }

    bool splits(int rvar) const {
        const Dependence d = update_.loops[static_cast<size_t>(loops_[static_cast<size_t>(rvar)])].dependence;
        return d == Dependence::Sum || d == Dependence::Scatter;
    }

    /// The longest loop of those that walk rows, or do not; where there is none, the longest. -1: nothing can be split.
    int loop_to_split(bool rows = false) const {
        int best = -1;
        for (int rvar = 0; rvar < static_cast<int>(lengths_.size()); rvar++) {
            const bool better =
                best < 0 || (walks(rvar) != walks(best) ? walks(rvar) == rows : length(rvar) > length(best));
            best = splits(rvar) && better ? rvar : best;
        }
        return best;
    }

    UpdateCut cut_of(UpdateCut::Where where, int rvar) const {
        UpdateCut cut;
        cut.where = where;
        cut.update = number_;
        cut.rvar = rvar;
        return cut;
    }

    /// Rows are dealt out, so that neighboring threads have neighboring values of one part, and as many of them that
    /// their lines, together, are as many as the L2 cache serves side by side.
    std::optional<UpdateCut> in_lines() const {
        const int rvar = loop_to_split();
        UpdateCut cut = cut_of(walks(rvar) ? UpdateCut::Where::Lanes : UpdateCut::Where::Lines, rvar);
        cut.parts = walks(rvar) ? kLanes : 2;
        while (cut.parts < kMostParts && cut.parts * std::ceil(bytes() / kL2LineBytes) < machine_.gpu.sms) {
            cut.parts *= 2;
        }
        if (length(rvar) < cut.parts || bytes() >= machine_.gpu.sms * kL2LineBytes) {
            return std::nullopt;
        }
        add_kernels(Counters::Lines, Additions::Atomic, cut);
        return priced(cut);
    }

    /// Where its cells are as many at every size, and threads find rows to share. Parts are as many as blocks that the
    /// card runs at a time, with some rows each.
    std::optional<UpdateCut> in_shared_memory() const {
        UpdateCut cut = cut_of(UpdateCut::Where::Blocks, loop_to_split());
        cut.row = longest_row(cut.rvar);
        double bytes = node_.bytes();
        const auto regions = constant_regions(*graph_.dag);
        for (const std::optional<Interval> &cells : regions[static_cast<size_t>(node_.id)]) {
            cut.cells.push_back(cells && !cells->empty() ? cells->extent() : 0);
            bytes *= static_cast<double>(cut.cells.back());
        }
        const bool keeps =
            std::any_of(update_.pure_of_dim.begin(), update_.pure_of_dim.end(), [](int l) { return l >= 0; });
        if (cut.row < 0 || bytes <= 0 || bytes > kMostSharedCells || lengths_.size() > 2 || keeps ||
            node_.stages.size() != 2) {
            return std::nullopt;
        }
        cut.parts = power_below(std::min(length(cut.rvar), 1.0 * kPartsAnSm * machine_.gpu.sms));
        cut.threads = std::min(kMostSharing, power_below(length(cut.row)));
        if (cut.parts < 2 || cut.threads < kLanes) {
            return std::nullopt;
        }
        add_kernels(Counters::Shared, Additions::Atomic, cut);
        return priced(cut);
    }

    int longest_row(int split) const {
        int best = -1;
        for (int rvar = 0; rvar < static_cast<int>(lengths_.size()); rvar++) {
            if (rvar != split && walks(rvar) && (best < 0 || length(rvar) > length(best))) {
                best = rvar;
            }
        }
        return walks(split) ? -1 : best;
    }

    /// Where there are blocks of places, but too few of them, and each step of a sum is at a place of its block.
    std::optional<UpdateCut> at_places() const {
        constexpr double kFewestPlaces = 32;
        if (places_ < kFewestPlaces || any_loop(update_, Dependence::Scatter)) {
            return std::nullopt;
        }
        UpdateCut best;
        const int rvar = loop_to_split();
        const double most = std::min({length(rvar) / 2, kMostBytes / bytes(), 1.0 * kMostParts});
        for (int parts = 2; parts <= most && parts * places_ <= kMostThreadsAnSm * machine_.gpu.sms; parts *= 2) {
            UpdateCut cut = cut_of(UpdateCut::Where::Places, rvar);
            cut.parts = parts;
            add_kernels(Counters::Lines, Additions::Serial, cut);
            take_if_cheaper(priced(cut), best);
        }
        return chosen(best);
    }

    static void take_if_cheaper(const UpdateCut &cut, UpdateCut &best) {
        if (best.cost == 0 || cut.cost < best.cost) {
            best = cut;
        }
    }

    static std::optional<UpdateCut> chosen(const UpdateCut &best) {
        return best.cost > 0 ? std::optional<UpdateCut>(best) : std::nullopt;
    }

    /// Neighboring threads have neighboring values. For how many steps together there are registers only a trial shows:
    /// behind the cheapest cut is the same with fewer.
    std::vector<UpdateCut> a_part_a_thread() const {
        UpdateCut best;
        for (const UpdateCut &split : own_splits()) {
            take_if_cheaper(own_cut(split, kOwnSteps), best);
        }
        if (best.cost == 0) {
            return {};
        }
        std::vector<UpdateCut> cuts = {best};
        for (int most = kOwnSteps / 2; most >= 1; most /= 2) {
            const UpdateCut fewer = own_cut(best, most);
            if (own_steps(fewer) < own_steps(cuts.back())) {
                cuts.push_back(fewer);
            }
        }
        return cuts;
    }

    int64_t own_steps(const UpdateCut &cut) const {
        return cut.updates[static_cast<size_t>(number_)].kernel.tile.steps.together();
    }

    /// A thread's additions wait for each other in memory, each for a sector that no other lane shares, and behind what
    /// they add, which is loaded once for all steps that are taken together.
    UpdateCut own_cut(const UpdateCut &split, int most_steps) const {
        UpdateCut cut = split;
        const double parts = 1.0 * cut.parts * cut.each;
        const double threads = places_ * parts;
        add_kernels(Counters::Lines, Additions::Serial, cut);
        set_own_steps(cut, most_steps);
        Sweep sweep;
        sweep.threads = threads;
        sweep.threads_a_block = kOwnThreads;
        sweep.threads_an_sm = kThreadsAnSm;
        sweep.moved = sweep.compulsory = 2 * kSectorBytes * steps_;
        sweep.held = parts * bytes();
        sweep.waits = steps_ / threads;
        sweep.waits_in_l2 = steps_ / threads / static_cast<double>(own_steps(cut));
        cut.updates[static_cast<size_t>(number_)].cost = model_.cost(sweep);
        return priced(cut);
    }

    /// The loop that walks rows, by powers of two, and by the longest other one, or what is left of it, once more.
    std::vector<UpdateCut> own_splits() const {
        const int first = loop_to_split(true);
        int second = first;
        for (int rvar = 0; rvar < static_cast<int>(lengths_.size()); rvar++) {
            const bool better = second == first || length(rvar) > length(second);
            second = rvar != first && splits(rvar) && better ? rvar : second;
        }
        std::vector<UpdateCut> cuts;
        // Of one place memory may be for a few parts only; of several each is a block, of a warp at the least.
        for (int parts = places_ > 1 ? kLanes : 2; parts <= std::min(length(first), 1.0 * kMostOwnParts); parts *= 2) {
            for (const int other : second == first ? std::vector<int>{first} : std::vector<int>{second, first}) {
                const double left = other == first ? length(first) / parts : length(other);
                for (int each = 1; each <= std::min(left, 1.0 * kMostOwnParts); each *= 2) {
                    const double all = 1.0 * parts * each;
                    if (all > kMostOfAll || bytes() * all > kMostOwnBytes ||
                        steps_ / (places_ * all) < kLeastStepsAPart) {
                        break;
                    }
                    UpdateCut cut = cut_of(UpdateCut::Where::Own, first);
                    cut.parts = parts;
                    cut.second = other;
                    cut.each = each;
                    cuts.push_back(cut);
                }
            }
        }
        return cuts;
    }

    /// Steps of the longest loop that is left to a thread: what they read is there before the first has to wait.
    void set_own_steps(UpdateCut &cut, int most_steps) const {
        std::vector<int64_t> left = lengths_;
        left[static_cast<size_t>(cut.rvar)] /= cut.parts;
        left[static_cast<size_t>(cut.second)] /= cut.each;
        const auto longest = std::max_element(left.begin(), left.end());
        constexpr int64_t kShortest = 4;
        PricedKernel &update = cut.updates[static_cast<size_t>(number_)];
        const Expansion &e = update.view->expansion(node_.id, number_ + 1);
        const int count =
            *longest < kShortest ? 1 : std::min(most_steps, steps_together(*longest, e.ops() + e.load_count()));
        update.kernel.tile.steps = steps_along(static_cast<int>(longest - left.begin()), count);
    }

    void add_kernels(Counters counters, Additions additions, UpdateCut &cut) const {
        cut.begin = plain_kernel(graph_, model_, node_.id);
        cut.updates = priced_updates(graph_, model_, node_.id, kMostSteps, additions);
        PricedKernel &update = cut.updates[static_cast<size_t>(number_)];
        update = priced_update(graph_, model_, node_.id, number_ + 1, additions == Additions::Atomic ? 1 : kMostSteps,
                               additions, cut.parts);
        update.kernel.counters = counters;
        update.cost = model_.cost(*update.view, update.kernel);
    }

    /// All kernels: the parts begin, by a kernel of their own or, in shared memory, in that of the update; what adds
    /// them up reads them, so many at a time.
    UpdateCut priced(UpdateCut cut) const {
        const int together = cut.where == UpdateCut::Where::Own ? kOwnAddedTogether : kAddedTogether;
        cut.cost = cut.begin.cost.total;
        for (const PricedKernel &update : cut.updates) {
            cut.cost += update.cost.total;
        }
        if (cut.where != UpdateCut::Where::Blocks) {
            cut.cost += model_.cost(first_values_sweep(node_, 1.0 * cut.parts * cut.each)).total;
        }
        if (cut.each > 1) {
            cut.cost += model_.cost(adding_sweep(node_, 1.0 * cut.parts * cut.each, cut.parts, 1, together)).total;
        }
        cut.cost += model_.cost(adding_sweep(node_, cut.parts, 1, 1, together)).total;
        return cut;
    }
};

}  // namespace

std::vector<UpdateCut> update_cuts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output) {
    std::vector<UpdateCut> cuts;
    const Node &node = graph.dag->node(output);
    // The only update of a Func that touches each point alone is a reduction like others (`grid_reductions.h`).
    const bool reduction = node.stages.size() == 2 && updates_in_place(node);
    if (graph.form[static_cast<size_t>(output)] == RootForm::Stages && !reduction) {
        for (int update = 0; update + 1 < static_cast<int>(node.stages.size()); update++) {
            for (const UpdateCut &cut : Chooser(graph, machine, model, output, update).run()) {
                cuts.push_back(cut);
            }
        }
    }
    return cuts;
}

}  // namespace warptile
