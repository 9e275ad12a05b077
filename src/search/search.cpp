#include "search/search.h"

#include <algorithm>

#include "dag/dependences.h"
#include "dag/halide/user_name.h"
#include "model/cost_model.h"
#include "schedule/empty_plan.h"
#include "schedule/rules/check_group.h"
#include "schedule/rules/check_plan.h"
#include "search/cutting/group_search.h"
#include "search/pricing/kernels.h"
#include "search/pricing/selection.h"
#include "search/pricing/update_kernels.h"
#include "search/writing/emit.h"
#include "search/writing/grid_reductions.h"
#include "search/writing/update_parts.h"

namespace warptile {
namespace {

class Searcher {
public:
    Searcher(const FunctionDag &dag, const Machine &machine, const SearchOptions &options)
        : dag_(dag), machine_(machine), options_(options),
          owned_model_(make_cost_model(options.cost_model, machine, options.max_registers)), model_(*owned_model_),
          found_(find_groups(dag, machine, model_, options)), graph_(found_.graph) {}

    SearchResult run() {
        const std::vector<GroupSpec> &groups = found_.groups;
        SearchResult result;
        result.base = empty_plan(dag_);
        result.base.gpu = machine_.gpu.name;
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
        for (size_t g = 0; g < result.groups.size(); g++) {
            keep_legal(result, g);
        }
        for (const int node : graph_.nodes) {
            add_notice(dag_.node(node), result.notices);
        }
        return result;
    }

private:
    const FunctionDag &dag_;
    const Machine &machine_;
    SearchOptions options_;
    std::unique_ptr<const CostModel> owned_model_;
    const CostModel &model_;
    Groups found_;
    const KeptGraph &graph_;

    void add_notice(const Node &node, std::vector<Notice> &notices) const {
        if (node.on_host()) {
            notices.push_back({user_name(dag_, node), "computed on the host, since it " + node.only_on_host});
        } else if (const LeftPlain *left = options_.plain(node.id)) {
            notices.push_back({user_name(dag_, node), left->reason});
        }
    }

    /// Drops the candidates of group `g` that break a rule of plans, all others being plain: the rules say what
    /// Halide's lowering gets wrong without a word, and what plan_out writes, plan_in must take.
    void keep_legal(SearchResult &result, size_t g) const {
        const auto groups_of = [](const Candidate &candidate) { return candidate.before.size() + 1; };
        std::vector<int> choice;
        size_t first = 0;
        for (size_t other = 0; other < result.groups.size(); other++) {
            const std::vector<Candidate> &candidates = result.groups[other].candidates;
            choice.push_back(static_cast<int>(candidates.size()) - 1);
            first += other < g ? groups_of(candidates.back()) : 0;
        }
        GroupChoices &group = result.groups[g];
        std::vector<Candidate> legal;
        for (choice[g] = 0; choice[g] < static_cast<int>(group.candidates.size()); choice[g]++) {
            const Candidate &candidate = group.candidates[static_cast<size_t>(choice[g])];
            const bool plain = choice[g] + 1 == static_cast<int>(group.candidates.size());
            const std::string problem =
                plain ? "" : check_groups(assemble(result, choice), dag_, first, groups_of(candidate));
            if (problem.empty()) {
                legal.push_back(candidate);
            } else {
                group.refused.push_back({candidate.why, problem});
            }
        }
        group.candidates = legal;
    }

    static void add_by_cost(const Candidate &candidate, std::vector<Candidate> &candidates) {
        const auto dearer = std::find_if(candidates.begin(), candidates.end(),
                                         [&](const Candidate &c) { return c.cost > candidate.cost; });
        candidates.insert(dearer, candidate);
    }

    /// Every member at root, each by its own best kernel: for groups that cannot be lowered as planned.
    Candidate unfused(const RefMap &refs, const GroupSpec &spec) const {
        std::vector<int> all = spec.members;
        std::sort(all.begin(), all.end());
        all.push_back(spec.output);
        Candidate result;
        result.why = "unfused:";
        for (const int id : all) {
            // Those with updates are left to the plain form: a copy of theirs would have to be shared by all
            // candidates.
            Candidate c;
            const bool wrapped = graph_.form[static_cast<size_t>(id)] == RootForm::Wrapped;
            if (wrapped) {
                c = emit_plain(refs, model_, id, {}, Additions::Atomic);
            } else {
                c = best_alone(refs, id);
            }
            result.cost += c.cost;
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
        for (const PricedKernel &priced : priced_kernels(graph_, model_, options_.space, id, {}, Effort::Coarse)) {
            Candidate c = emit(refs, priced);
            if (c.derived.empty() && priced.cost.registers <= options_.max_registers) {
                return graph_.form[static_cast<size_t>(id)] == RootForm::Stages
                           ? emit_stages(refs, priced,
                                         priced_updates(graph_, model_, id, kMostSteps, Additions::Atomic))
                           : c;
            }
        }
        return emit_plain(refs, model_, id, {}, Additions::Atomic);
    }

    /// The second and third candidates take fewer steps of scans together, and the last one point and step of every
    /// update: how many registers the addresses of their loads need only the assembler knows. Tiles of a pure stage
    /// that has no loop are all one.
    void add_stages(const RefMap &refs, int output, const std::vector<PricedKernel> &kernels, Additions additions,
                    std::vector<Candidate> &candidates) const {
        std::vector<PricedKernel> updates = priced_updates(graph_, model_, output, kMostSteps, additions);
        for (size_t i = 0; i < kernels.size(); i++) {
            candidates.push_back(emit_stages(refs, kernels[i], updates));
            if (dag_.node(output).stages[0].undefined) {
                break;
            }
        }
        if (kernels.empty()) {
            return;
        }
        int most = 1;
        for (const PricedKernel &update : updates) {
            most = std::max(most, update.kernel.tile.steps.count);
        }
        for (size_t place = 1; place < 3 && most >= 4; place++) {
            most /= 2;
            candidates.insert(
                candidates.begin() + static_cast<std::ptrdiff_t>(std::min(place, candidates.size())),
                emit_stages(refs, kernels.front(), priced_updates(graph_, model_, output, most, additions)));
        }
        const auto takes_several = [](const PricedKernel &update) {
            const std::vector<AxisTile> &axes = update.kernel.tile.axes;
            return update.kernel.tile.steps.count > 1 ||
                   std::any_of(axes.begin(), axes.end(), [](const AxisTile &axis) { return axis.width > 1; });
        };
        if (std::any_of(updates.begin(), updates.end(), takes_several)) {
            // What one update's points or steps spill is no reason to make all stages plain.
            candidates.push_back(
                emit_stages(refs, kernels.front(), priced_updates(graph_, model_, output, 1, additions)));
        }
    }

    GroupChoices choices(const RefMap &refs, const GroupSpec &spec) const {
        GroupChoices result;
        result.output = spec.output;
        result.members = spec.members;
        const RootForm form = graph_.form[static_cast<size_t>(spec.output)];
        if (form == RootForm::Host) {
            result.candidates.push_back(emit_on_host(refs, spec.output, spec.members));
            return result;
        }
        if (options_.begin_group) {
            options_.begin_group(spec.output);
        }
        add_kernels(refs, spec, result);
        for (const Additions additions : {Additions::Atomic, Additions::Serial}) {
            if (additions == Additions::Atomic || adds_atomically(dag_, spec.output, spec.members)) {
                result.candidates.push_back(emit_plain(refs, model_, spec.output, spec.members, additions));
                result.candidates.back().last_resort = true;
            }
        }
        result.on_host = emit_on_host(refs, spec.output, spec.members);
        return result;
    }

    void add_kernels(const RefMap &refs, const GroupSpec &spec, GroupChoices &result) const {
        if (options_.plain(spec.output)) {
            return;
        }
        const RootForm form = graph_.form[static_cast<size_t>(spec.output)];
        const std::vector<PricedKernel> kernels =
            select_kernels(priced_kernels(graph_, model_, options_.space, spec.output, spec.members, Effort::Full),
                           options_.max_registers, options_.keep);
        if (form == RootForm::Stages) {
            add_stages(refs, spec.output, kernels, Additions::Atomic, result.candidates);
            if (adds_atomically(dag_, spec.output, {}) && !kernels.empty()) {
                std::vector<Candidate> serial;
                add_stages(refs, spec.output, {kernels.front()}, Additions::Serial, serial);
                add_by_cost(serial.front(), result.candidates);
            }
        } else {
            for (const PricedKernel &priced : kernels) {
                result.candidates.push_back(emit(refs, priced));
            }
        }
        for (const Candidate &c : reduce_over_grid(refs, machine_, model_, spec.output, spec.members)) {
            add_by_cost(c, result.candidates);
        }
        for (const Candidate &c : updates_in_parts(refs, machine_, model_, spec.output)) {
            add_by_cost(c, result.candidates);
        }
        if (!spec.members.empty()) {
            result.candidates.push_back(unfused(refs, spec));
            result.candidates.back().last_resort = true;
        }
    }
};

}  // namespace

const LeftPlain *SearchOptions::plain(int node) const {
    const auto found =
        std::find_if(left_plain.begin(), left_plain.end(), [&](const LeftPlain &l) { return l.node == node; });
    return found == left_plain.end() ? nullptr : &*found;
}

SearchResult search(const FunctionDag &dag, const Machine &machine, const SearchOptions &options) {
    if (options.reassociate) {
        return Searcher(dag, machine, options).run();
    }
    FunctionDag as_given = dag;
    keep_given_order(as_given);
    return Searcher(as_given, machine, options).run();
}

Plan assemble(const SearchResult &result, const std::vector<int> &choice) {
    Plan plan = result.base;
    const FuncRef shared = plan.funcs + static_cast<FuncRef>(plan.derived.size());
    for (size_t g = 0; g < result.groups.size(); g++) {
        const GroupChoices &choices = result.groups[g];
        const size_t chosen = static_cast<size_t>(choice[g]);
        const Candidate &candidate = chosen < choices.candidates.size() ? choices.candidates[chosen] : *choices.on_host;
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
        total += group.candidates.front().cost;
        text += "group " + name(group.candidates.front().group.output) + " (node " + std::to_string(group.output) +
                ", members";
        for (const int m : group.members) {
            text += " " + std::to_string(m);
        }
        text += ")\n";
        for (size_t c = 0; c < group.candidates.size(); c++) {
            text += "  " + std::to_string(c) + ": " + group.candidates[c].why + "\n";
        }
        for (const Refused &refused : group.refused) {
            text += "  refused: " + refused.why + ": " + refused.problem + "\n";
        }
    }
    return text + "in all, by the first candidates: " + std::to_string(total) + "\n";
}

}  // namespace warptile
