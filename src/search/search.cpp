#include "search/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "model/roofline.h"
#include "search/candidates.h"
#include "search/emit.h"
#include "search/fusion.h"
#include "search/grid_reductions.h"
#include "search/inline.h"
#include "search/staging.h"

namespace warptile {
namespace {

constexpr double kFewerRegisters = 0.85, kTooDear = 3;
// Funcs that are tried inlined, and not: the most of each, and what the whole has to gain.
constexpr size_t kMostFlips = 12;
constexpr double kWorthFlipping = 0.995;

class Searcher {
  public:
    Searcher(const FunctionDag &dag, const Machine &machine, const SearchOptions &options)
        : dag_(dag), machine_(machine), options_(options), model_(machine, options.max_registers),
          graph_(make_kept_graph(dag, choose_inlined(dag))) {}

    SearchResult run() {
        const std::vector<GroupSpec> groups = find_groups();
        SearchResult result;
        result.base = base();
        RefMap refs;
        refs.graph = &graph_;
        refs.base = &result.base;
        refs.wrapper.assign(dag_.nodes.size(), -1);
        for (const GroupSpec &group : groups) {
            if (graph_.form[static_cast<size_t>(group.output)] == RootForm::Wrapped) {
                refs.wrapper[static_cast<size_t>(group.output)] = static_cast<int>(result.base.derived.size());
                Derived copy;
                copy.source = dag_.node(group.output).func_index;
                result.base.derived.push_back(copy);
            }
        }
        for (const GroupSpec &group : groups) {
            result.groups.push_back(choices(refs, group));
        }
        return result;
    }

  private:
    const FunctionDag &dag_;
    const Machine &machine_;
    SearchOptions options_;
    Roofline model_;
    KeptGraph graph_;
    std::vector<int> flipped_;  ///< Funcs inlined, or not, against `choose_inlined`
    std::map<std::vector<int>, double> costs_;  ///< by group, and the flipped Funcs that matter to it

    Fusion fuse_all() {
        return fuse(graph_, [&](int o, const std::vector<int> &m) { return remembered_cost(o, m); }, bounds());
    }

    double remembered_cost(int output, const std::vector<int> &members) {
        std::vector<int> key = members;
        key.push_back(output);
        const size_t group = key.size();
        key.push_back(-1);
        for (const int f : flipped_) {
            const std::vector<int> readers = kept_readers(dag_, graph_.inlined, f);
            if (std::any_of(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(group), [&](int n) {
                    return n == f || std::binary_search(readers.begin(), readers.end(), n);
                })) {
                key.push_back(f);
            }
        }
        const auto found = costs_.find(key);
        return found != costs_.end() ? found->second : costs_.emplace(key, cost(output, members)).first->second;
    }

    /// Groups, and then whether the whole is cheaper where a group's output is inlined into its readers, dearest first, or
    /// where an inlined Func is not: what looks worth storing by its own arithmetic may not be worth a kernel and its
    /// traffic, and the other way round.
    std::vector<GroupSpec> find_groups() {
        Fusion best = fuse_all();
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
        return best.groups;
    }

    void try_flip(int node, Fusion &best) {
        const KeptGraph before = graph_;
        std::vector<bool> inlined = graph_.inlined;
        inlined[static_cast<size_t>(node)] = !inlined[static_cast<size_t>(node)];
        graph_ = make_kept_graph(dag_, inlined);
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
                    evaluations[static_cast<size_t>(e.node)] += e.count * points_of(dag_.node(n).stages[s]);
                }
            }
        }
        std::vector<std::pair<double, int>> order;
        for (const Node &node : dag_.nodes) {
            const size_t id = static_cast<size_t>(node.id);
            const bool chosen = graph_.inlined[id] && !node.wraps_input && node.func_index >= 0 &&
                                std::find(flipped_.begin(), flipped_.end(), node.id) == flipped_.end();
            const double again = chosen ? evaluations[id] - points_of(node.stages[0]) : 0;
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

    static double points_of(const Stage &stage) {
        double n = 1;
        for (const Loop &loop : stage.loops) {
            n *= static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
        }
        return n;
    }

    /// The output of the dearest group that may be inlined and was not tried; -1: none.
    int dearest_to_flip(const Fusion &fusion, const std::vector<int> &tried) {
        int dearest = -1;
        double most = 0;
        for (const GroupSpec &group : fusion.groups) {
            const double us = remembered_cost(group.output, group.members);
            if (us > most && can_inline(dag_, group.output) &&
                std::find(tried.begin(), tried.end(), group.output) == tried.end() &&
                fits_inlined(dag_, group.output, graph_.inlined)) {
                most = us;
                dearest = group.output;
            }
        }
        return dearest;
    }

    FusionBounds bounds() const {
        FusionBounds b;
        // Large pipelines pay for their size with fewer alternatives.
        b.states = std::clamp<size_t>(1200 / std::max<size_t>(1, graph_.nodes.size()), 2, 12);
        return b;
    }

    std::vector<Draft> updates_of(int output) const {
        std::vector<Draft> updates;
        for (size_t s = 1; s < dag_.node(output).stages.size(); s++) {
            updates.push_back(draft_update(graph_, model_, output, static_cast<int>(s)));
        }
        return updates;
    }

    double cost(int output, const std::vector<int> &members) const {
        const RootForm form = graph_.form[static_cast<size_t>(output)];
        if (form == RootForm::Host) {
            return 0;
        }
        const std::vector<Draft> drafts = draft_kernels(graph_, model_, output, members, Effort::Coarse, options_.reassociate);
        double us = drafts.empty() ? INFINITY : drafts.front().cost.us;
        if (drafts.empty() && members.empty()) {
            us = draft_plain(graph_, model_, output).cost.us;
        }
        if (form == RootForm::Stages) {
            for (const Draft &update : updates_of(output)) {
                us += update.cost.us;
            }
        }
        return members.empty() ? std::min(us, cost_over_grid(graph_, machine_, output, options_.reassociate)) : us;
    }

    Plan base() const {
        Plan plan;
        plan.fingerprint = dag_.fingerprint;
        plan.gpu = machine_.gpu.name;
        for (const Node &node : dag_.nodes) {
            plan.funcs = std::max(plan.funcs, node.func_index + 1);
        }
        plan.names.resize(static_cast<size_t>(plan.funcs));
        for (const Node &node : dag_.nodes) {
            if (node.func_index >= 0) {
                plan.names[static_cast<size_t>(node.func_index)] = node.name;
            }
        }
        return plan;
    }

    /// The cheapest, and then what differs from it: another form, or the same with clearly fewer registers or points in a
    /// thread. The model's order between forms is less sure than that within one, and what spills is no candidate at all.
    std::vector<Draft> selection(const std::vector<Draft> &drafts) const {
        struct Least {
            double registers;
            int64_t points;
        };
        std::map<std::string, Least> least;  // by form
        std::vector<Draft> kept;
        for (const Draft &draft : drafts) {
            if (draft.cost.us > kTooDear * drafts.front().cost.us) {
                break;
            }
            const int64_t points = geometry(*draft.view, draft.kernel).points;
            const auto [seen, first] = least.insert({draft.form, {draft.cost.registers, points}});
            if (!first && draft.cost.registers > kFewerRegisters * seen->second.registers && points * 2 > seen->second.points) {
                continue;
            }
            seen->second.registers = std::min(seen->second.registers, draft.cost.registers);
            seen->second.points = std::min(seen->second.points, points);
            kept.push_back(draft);
            if (kept.size() >= static_cast<size_t>(std::max(1, options_.keep))) {
                break;
            }
        }
        return kept;
    }

    static void add_by_cost(const std::optional<Candidate> &candidate, std::vector<Candidate> &candidates) {
        if (candidate) {
            const auto dearer = std::find_if(candidates.begin(), candidates.end(),
                                             [&](const Candidate &c) { return c.cost_us > candidate->cost_us; });
            candidates.insert(dearer, *candidate);
        }
    }

    /// Every member at root, each by its own best kernel: for groups that cannot be lowered as planned.
    Candidate unfused(const RefMap &refs, const GroupSpec &spec) const {
        std::vector<int> all = spec.members;
        std::sort(all.begin(), all.end());
        all.push_back(spec.output);
        Candidate result;
        result.why = "unfused:";
        for (const int id : all) {
            // Those with updates are left to the plain form: a copy of theirs would have to be shared by all candidates.
            Candidate c;
            const bool wrapped = graph_.form[static_cast<size_t>(id)] == RootForm::Wrapped;
            if (wrapped) {
                c = emit_plain(refs, model_, id, {});
            } else {
                c = best_alone(refs, id);
            }
            result.cost_us += c.cost_us;
            result.why += " " + c.why + ";";
            result.before.insert(result.before.end(), c.before.begin(), c.before.end());
            if (id != spec.output) {
                result.before.push_back(c.group);
            } else {
                result.group = c.group;
            }
        }
        return result;
    }

    /// Without staging, which would make Funcs of this candidate's own.
    Candidate best_alone(const RefMap &refs, int id) const {
        for (const Draft &draft : draft_kernels(graph_, model_, id, {}, Effort::Coarse, options_.reassociate)) {
            Candidate c = emit(refs, draft);
            if (c.derived.empty() && draft.cost.registers <= options_.max_registers) {
                return graph_.form[static_cast<size_t>(id)] == RootForm::Stages ? emit_stages(refs, draft, updates_of(id)) : c;
            }
        }
        return emit_plain(refs, model_, id, {});
    }

    GroupChoices choices(const RefMap &refs, const GroupSpec &spec) const {
        GroupChoices result;
        result.output = spec.output;
        result.members = spec.members;
        const RootForm form = graph_.form[static_cast<size_t>(spec.output)];
        if (form == RootForm::Host) {
            Candidate host;
            host.group.output = refs.itself(spec.output);
            host.group.on_host = true;
            host.why = "on the host";
            result.candidates.push_back(host);
            return result;
        }
        for (const Draft &draft : selection(draft_kernels(graph_, model_, spec.output, spec.members, Effort::Full, options_.reassociate))) {
            result.candidates.push_back(form == RootForm::Stages ? emit_stages(refs, draft, updates_of(spec.output))
                                                                 : emit(refs, draft));
        }
        if (spec.members.empty()) {
            add_by_cost(reduce_over_grid(refs, machine_, spec.output, options_.reassociate), result.candidates);
        }
        if (!spec.members.empty()) {
            result.candidates.push_back(unfused(refs, spec));
        }
        result.candidates.push_back(emit_plain(refs, model_, spec.output, spec.members));
        return result;
    }
};

}  // namespace

SearchResult search(const FunctionDag &dag, const Machine &machine, const SearchOptions &options) {
    return Searcher(dag, machine, options).run();
}

Plan assemble(const SearchResult &result, const std::vector<int> &choice) {
    Plan plan = result.base;
    const FuncRef shared = plan.funcs + static_cast<FuncRef>(plan.derived.size());
    for (size_t g = 0; g < result.groups.size(); g++) {
        const Candidate &candidate = result.groups[g].candidates[static_cast<size_t>(choice[g])];
        const FuncRef shift = plan.funcs + static_cast<FuncRef>(plan.derived.size()) - shared;
        const auto moved = [&](FuncRef ref) { return ref < shared ? ref : ref + shift; };
        const auto add = [&](Group group) {
            group.output = moved(group.output);
            for (Member &m : group.members) {
                m.func = moved(m.func);
                m.at = moved(m.at);
            }
            plan.groups.push_back(std::move(group));
        };
        for (Derived derived : candidate.derived) {
            derived.source = moved(derived.source);
            for (FuncRef &c : derived.consumers) {
                c = moved(c);
            }
            plan.derived.push_back(derived);
        }
        for (const Group &before : candidate.before) {
            add(before);
        }
        add(candidate.group);
    }
    return plan;
}

std::string to_string(const SearchResult &result) {
    std::string text;
    double total = 0;
    const auto name = [&](FuncRef ref) {
        return ref < result.base.funcs ? result.base.names[static_cast<size_t>(ref)] : "wrapper of a Func";
    };
    for (const GroupChoices &group : result.groups) {
        total += group.candidates.front().cost_us;
        text += "group " + name(group.candidates.front().group.output) + " (node " + std::to_string(group.output) +
                ", members";
        for (const int m : group.members) {
            text += " " + std::to_string(m);
        }
        text += ")\n";
        for (size_t c = 0; c < group.candidates.size(); c++) {
            text += "  " + std::to_string(c) + ": " + group.candidates[c].why + "\n";
        }
    }
    return text + "in all, by the first candidates: " + std::to_string(total) + " us\n";
}

}  // namespace warptile
