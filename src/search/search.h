#pragma once

// The search: from a FunctionDag to ranked candidates for every kernel of a plan. Nothing here knows Halide; what it
// proposes is judged by verify/, which asks for other candidates by number.

#include <optional>
#include <string>
#include <vector>

#include "dag/function_dag.h"
#include "machine/machine.h"
#include "schedule/notice.h"
#include "schedule/plan.h"
#include "search/candidate.h"
#include "search/options.h"

namespace warptile {

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

SearchResult search(const FunctionDag &dag, const Machine &machine, const SearchOptions &options);

/// The plan with candidate `choice[g]` of each group g; the number after the last one stands for `on_host`.
Plan assemble(const SearchResult &result, const std::vector<int> &choice);

/// Groups, ranked candidates, costs term by term.
std::string to_string(const SearchResult &result);

}  // namespace warptile
