#pragma once

// The search: from a FunctionDag to ranked candidates for every kernel of a plan. Nothing here knows Halide; what it
// proposes is judged by verify/, which asks for other candidates by number.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dag/function_dag.h"
#include "machine/machine.h"
#include "model/cost_model.h"
#include "schedule/notice.h"
#include "schedule/plan.h"
#include "search/inline.h"
#include "search/space.h"

namespace warptile {

/// One way to make one group's kernel. A FuncRef i < plan.funcs is a Func; funcs + k is base.derived[k]; those beyond
/// (funcs + base.derived.size() + k) are this candidate's own derived[k].
struct Candidate {
    Group group;
    std::vector<Group> before;     ///< members that this candidate computes at root instead, producers first
    std::vector<Derived> derived;  ///< made by this candidate alone: staged inputs, partial reductions
    double cost = 0;               ///< the model's
    bool last_resort = false;      ///< taken only where none of those that were ranked by cost holds
    std::string why;               ///< form, tile and cost terms, to be read by people
};

struct Refused {
    std::string why;      ///< the candidate's
    std::string problem;  ///< the rule that it breaks: see schedule/rules/check_plan.h
};

struct GroupChoices {
    int output = 0;            ///< node id
    std::vector<int> members;  ///< node ids, ascending
    /// Ranked, never empty. The last is the plain one: every Func of the group at root, one point a thread, guarded.
    std::vector<Candidate> candidates;
    std::vector<Refused> refused;  ///< candidates that no plan file could hold
    /// What is left where no kernel of it compiles: the same Funcs at root, on the host. None of it where that is where
    /// they are anyhow.
    std::optional<Candidate> on_host;
};

struct SearchResult {
    /// Without groups. Its derived Funcs, wrappers that are outputs of groups, are shared by all candidates.
    Plan base;
    std::vector<GroupChoices> groups;  ///< in the order of computation, producers first
    std::vector<Notice> notices;       ///< of Funcs that are plain, or on the host, whatever candidates are taken
};

/// A Func whose kernels are not to be searched for: the search came to an end in them.
struct LeftPlain {
    int node = 0;
    std::string reason;  ///< as a Notice's
};

struct SearchOptions {
    int max_registers = 64;   ///< that the runtime lets a thread have
    bool reassociate = true;  ///< floating-point reductions may be summed in another order
    Inlining inlining = Inlining::Worthwhile;
    ModelName cost_model = ModelName::Roofline;
    Space space;
    int keep = 6;  ///< candidates a group, the plain one not counted
    std::vector<LeftPlain> left_plain;
    /// Told before the kernels of each group are sought, by its output's node id: whoever watches then knows where a
    /// search that does not come back is. May be empty.
    std::function<void(int)> begin_group;

    const LeftPlain *plain(int node) const;
};

SearchResult search(const FunctionDag &dag, const Machine &machine, const SearchOptions &options);

/// The plan with candidate `choice[g]` of each group g; the number after the last one stands for `on_host`.
Plan assemble(const SearchResult &result, const std::vector<int> &choice);

/// Groups, ranked candidates, costs term by term.
std::string to_string(const SearchResult &result);

}  // namespace warptile
