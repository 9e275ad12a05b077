#include "search/cutting/group_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "schedule/rules/check_steps.h"
#include "search/pricing/update_kernels.h"
#include "search/writing/grid_reductions.h"
#include "search/writing/update_parts.h"

namespace warptile {
namespace {

// Funcs that are tried inlined, and not: the most of each, and what the whole has to gain.
constexpr size_t kMostFlips = 12;
constexpr double kWorthFlipping = 0.995;
// A cut that is not made; microseconds.
constexpr double kNever = 1e12;
constexpr size_t kStatesOfACut = 4;

class GroupSearch {
public:
    GroupSearch(const FunctionDag &dag, const Machine &machine, const CostModel &model, const SearchOptions &options)
        : dag_(dag), machine_(machine), model_(model), options_(options),
          graph_(make_kept_graph(dag, choose_inlined(dag, options.inlining))) {}

    /// Groups, and then whether the whole is cheaper where a group's output is inlined into its readers, dearest first,
    /// or where an inlined Func is not: what looks worth storing by its own arithmetic may not be worth a kernel and
    /// its traffic, and the other way round.
    Groups run() {
        Fusion best = fuse_all();
        if (options_.inlining == Inlining::Wrappers) {
            return {graph_, with_cuts(best.groups)};
        }
        std::vector<int> tried;
        while (tried.size() < kMostFlips) {
            const int candidate = dearest_to_flip(best, tried);
            if (candidate < 0) {
                break;
            }
            tried.push_back(candidate);
            try_flip(candidate, best);
        }
        for (const int f : most_repeated()) {
            try_flip(f, best);
        }
        for (const int f : transposes()) {
            try_flip(f, best);
        }
        return {graph_, with_cuts(best.groups)};
    }

private:
    const FunctionDag &dag_;
    const Machine &machine_;
    const CostModel &model_;
    const SearchOptions &options_;
    KeptGraph graph_;
    std::vector<int> flipped_;                  ///< Funcs inlined, or not, against `choose_inlined`
    std::map<std::vector<int>, double> costs_;  ///< by group, and the flipped Funcs that matter to it

    Fusion fuse_all() {
        return fuse(
            graph_, [&](int o, const std::vector<int> &m) { return remembered_cost(o, m); }, bounds());
    }

    std::vector<GroupSpec> with_cuts(std::vector<GroupSpec> groups) {
        for (GroupSpec &group : groups) {
            group.cut = cut_of(group);
        }
        return groups;
    }

    /// The best cut of the group's Funcs of which the group itself is no part. A member with updates stays one: at root
    /// it would need a copy that all candidates share.
    std::vector<GroupSpec> cut_of(const GroupSpec &group) {
        if (group.members.empty()) {
            return {};
        }
        KeptGraph part = graph_;
        part.nodes = group.members;
        part.nodes.push_back(group.output);
        const auto cost = [&](int output, const std::vector<int> &members) {
            const bool own = output == group.output;
            if (own && members.size() == group.members.size()) {
                return double(INFINITY);
            }
            return !own && graph_.form[static_cast<size_t>(output)] == RootForm::Wrapped
                       ? kNever
                       : std::min(kNever, remembered_cost(output, members));
        };
        FusionBounds few = bounds();
        few.states = std::min(few.states, kStatesOfACut);
        const Fusion fusion = fuse(part, cost, few);
        return fusion.cost < kNever ? fusion.groups : std::vector<GroupSpec>();
    }

    double remembered_cost(int output, const std::vector<int> &members) {
        std::vector<int> key = members;
        key.push_back(output);
        const size_t group = key.size();
        key.push_back(-1);
        for (const int f : flipped_) {
            const std::vector<int> readers = kept_readers(dag_, graph_.inlined, f);
            if (std::any_of(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(group),
                            [&](int n) { return n == f || std::binary_search(readers.begin(), readers.end(), n); })) {
                key.push_back(f);
            }
        }
        const auto found = costs_.find(key);
        return found != costs_.end() ? found->second : costs_.emplace(key, cost(output, members)).first->second;
    }

    void try_flip(int node, Fusion &best) {
        const KeptGraph before = graph_;
        std::vector<bool> inlined = graph_.inlined;
        inlined[static_cast<size_t>(node)] = !inlined[static_cast<size_t>(node)];
        graph_ = make_kept_graph(dag_, inlined);
        graph_.least = before.least;
        flipped_.push_back(node);
        Fusion with = fuse_all();
        if (with.cost < best.cost * kWorthFlipping) {
            best = std::move(with);
        } else {
            graph_ = before;
            flipped_.pop_back();
        }
    }

    /// Inlined Funcs by the work that is done more than once, most first; wrappers of inputs are none.
    std::vector<int> most_repeated() const {
        std::vector<double> evaluations(dag_.nodes.size(), 0);
        for (const int n : graph_.nodes) {
            for (size_t s = 0; s < dag_.node(n).stages.size(); s++) {
                for (const Evaluation &e : expand(dag_, n, static_cast<int>(s), graph_.inlined).evaluations) {
                    evaluations[static_cast<size_t>(e.node)] += e.count * dag_.node(n).stages[s].iterations();
                }
            }
        }
        std::vector<std::pair<double, int>> order;
        for (const Node &node : dag_.nodes) {
            const size_t id = static_cast<size_t>(node.id);
            const bool chosen = graph_.inlined[id] && !always_inlined(node) && node.func_index >= 0 &&
                                std::find(flipped_.begin(), flipped_.end(), node.id) == flipped_.end();
            const double again = chosen ? evaluations[id] - node.stages[0].iterations() : 0;
            if (again > 0) {
                order.push_back({-again * (node.stages[0].ops.total() + 4 * node.stages[0].ops.loads), node.id});
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<int> nodes;
        for (size_t i = 0; i < order.size() && i < kMostFlips; i++) {
            nodes.push_back(order[i].second);
        }
        return nodes;
    }

    /// Inlined Funcs that read along another dimension in memory than their own first, and so make neighbours of their
    /// readers read what is far apart; largest first.
    std::vector<int> transposes() const {
        std::vector<std::pair<double, int>> order;
        for (const Node &node : dag_.nodes) {
            const bool chosen = graph_.inlined[static_cast<size_t>(node.id)] && node.func_index >= 0 &&
                                std::find(flipped_.begin(), flipped_.end(), node.id) == flipped_.end();
            if (chosen && transposes(node)) {
                order.push_back({-node.stages[0].iterations(), node.id});
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<int> nodes;
        for (size_t i = 0; i < order.size() && i < kMostFlips; i++) {
            nodes.push_back(order[i].second);
        }
        return nodes;
    }

    bool transposes(const Node &node) const {
        const std::vector<ExpandedLoad> loads = expand(dag_, node.id, 0, graph_.inlined).loads;
        return std::any_of(loads.begin(), loads.end(), [](const ExpandedLoad &load) { return load.walks_across(0); });
    }

    /// The output of the dearest group that may be inlined and was not tried; -1: none.
    int dearest_to_flip(const Fusion &fusion, const std::vector<int> &tried) {
        int dearest = -1;
        double most = 0;
        for (const GroupSpec &group : fusion.groups) {
            const double cost = remembered_cost(group.output, group.members);
            if (cost > most && can_inline(dag_, group.output) &&
                std::find(tried.begin(), tried.end(), group.output) == tried.end() &&
                fits_inlined(dag_, group.output, graph_.inlined)) {
                most = cost;
                dearest = group.output;
            }
        }
        return dearest;
    }

    FusionBounds bounds() const {
        FusionBounds b;
        // Large pipelines pay for their size with fewer alternatives.
        b.states = options_.space.beam ? std::clamp<size_t>(1200 / std::max<size_t>(1, graph_.nodes.size()), 2, 12) : 1;
        return b;
    }

    double cost(int output, const std::vector<int> &members) const {
        const RootForm form = graph_.form[static_cast<size_t>(output)];
        if (form == RootForm::Host) {
            return 0;
        }
        // By itself, at no price: what its kernels cost is what could not be found out.
        const bool left = options_.plain(output);
        if (left || std::any_of(members.begin(), members.end(), [&](int m) { return options_.plain(m); })) {
            return left && members.empty() ? 0 : INFINITY;
        }
        if (options_.begin_group) {
            options_.begin_group(output);
        }
        const std::vector<PricedKernel> kernels =
            priced_kernels(graph_, model_, options_.space, output, members, Effort::Coarse);
        double least = kernels.empty() ? INFINITY : kernels.front().cost.total;
        if (kernels.empty() && members.empty()) {
            least = plain_kernel(graph_, model_, output).cost.total;
        }
        if (form == RootForm::Stages) {
            double updates = INFINITY;
            for (const Additions additions : {Additions::Atomic, Additions::Serial}) {
                double all = 0;
                for (const PricedKernel &update : priced_updates(graph_, model_, output, kMostSteps, additions)) {
                    all += update.cost.total;
                }
                updates = std::min(updates, all);
            }
            least = std::min(least + updates, cost_in_parts(graph_, machine_, model_, output));
        }
        return std::min(least, cost_over_grid(graph_, machine_, model_, output, members));
    }
};

}  // namespace

Groups find_groups(const FunctionDag &dag, const Machine &machine, const CostModel &model,
                   const SearchOptions &options) {
    return GroupSearch(dag, machine, model, options).run();
}

}  // namespace warptile
