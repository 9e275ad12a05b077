#include "search/search.h"

#include <algorithm>

#include "dag/dependences.h"
#include "dag/halide/user_name.h"
#include "model/cost_model.h"
#include "schedule/empty_plan.h"
#include "schedule/rules/check_group.h"
#include "schedule/rules/check_plan.h"
#include "search/cutting/group_search.h"
#include "search/writing/candidates.h"

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

    GroupChoices choices(const RefMap &refs, const GroupSpec &spec) const {
        GroupChoices result;
        result.output = spec.output;
        result.members = spec.members;
        if (graph_.form[static_cast<size_t>(spec.output)] == RootForm::Host) {
            result.candidates.push_back(emit_on_host(refs, spec.output, spec.members));
            return result;
        }
        if (options_.begin_group) {
            options_.begin_group(spec.output);
        }
        result.candidates = candidates_of(refs, machine_, model_, options_, spec);
        result.on_host = emit_on_host(refs, spec.output, spec.members);
        return result;
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
