#include "plugin/find_plan.h"

#include <algorithm>

#include "dag/halide/user_name.h"
#include "schedule/plain_plan.h"

namespace warptile {

namespace {

Candidates candidates_of(const SearchResult &found, const FunctionDag &dag) {
    Candidates candidates;
    candidates.names = user_names(dag);
    candidates.may_ask_for_more =
        std::any_of(dag.nodes.begin(), dag.nodes.end(), [](const Node &n) { return n.reads_raw_input; });
    for (const GroupChoices &part : found.groups) {
        candidates.groups.emplace_back();
        candidates.wanted.push_back(0);
        candidates.costs.emplace_back();
        for (const Candidate &c : part.candidates) {
            candidates.groups.back().push_back(static_cast<int>(c.before.size()) + 1);
            candidates.wanted.back() += c.last_resort ? 0 : 1;
            candidates.costs.back().push_back(c.cost);
        }
        candidates.plain.push_back(static_cast<int>(part.candidates.size()) - 1);
        if (part.on_host) {
            candidates.groups.back().push_back(static_cast<int>(part.on_host->before.size()) + 1);
        }
        candidates.why_none.push_back(part.refused.empty() ? "the search found none" : part.refused.front().problem);
    }
    candidates.assemble = [&found](const std::vector<int> &choice) { return assemble(found, choice); };
    return candidates;
}

}  // namespace

FoundPlan find_plan(const FunctionDag &dag, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                    const Machine &machine, const SearchOptions &search_options, const VerifyOptions &verify_options,
                    const TellPhase &tell) {
    const auto attempt = [&](Inlining inlining) {
        SearchOptions options = search_options;
        options.inlining = inlining;
        const SearchResult found = search(dag, machine, options);
        tell("search", [&] { return to_string(found); });
        FoundPlan result;
        result.verified = verify(candidates_of(found, dag), outputs, target, machine, verify_options);
        result.groups = static_cast<int>(found.groups.size());
        result.notices = found.notices;
        for (const Notice &n : result.verified.notices) {
            result.notices.push_back(n);
        }
        tell("verify", [&] { return result.verified.log; });
        return result;
    };
    const FoundPlan first = attempt(Inlining::Worthwhile);
    if (first.verified.ok) {
        return first;
    }
    FoundPlan second = attempt(Inlining::Wrappers);
    if (!second.verified.ok && !first.verified.choice.empty()) {
        return first;
    }
    std::vector<Notice> &notices = second.notices;
    for (const Notice &n : first.verified.wrong) {
        notices.insert(notices.begin(),
                       {n.func, "nothing is inlined into it or into the rest of the pipeline, since with "
                                "what was worth inlining it could not be used: " +
                                    n.reason});
    }
    return second;
}

Verified find_plain_plan(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
                         const VerifyOptions &verify_options) {
    const Plan plain = plain_plan(outputs);
    Candidates candidates;
    for (const Group &group : plain.groups) {
        candidates.groups.push_back(group.on_host ? std::vector<int>{1} : std::vector<int>{1, 1});
        candidates.plain.push_back(0);
        candidates.wanted.push_back(1);
        candidates.why_none.emplace_back();
    }
    candidates.assemble = [&](const std::vector<int> &choice) {
        Plan plan = plain;
        for (size_t g = 0; g < choice.size(); g++) {
            if (choice[g] > 0) {
                plan.groups[g] = Group();
                plan.groups[g].output = plain.groups[g].output;
                plan.groups[g].on_host = true;
            }
        }
        return plan;
    };
    return verify(candidates, outputs, target, machine, verify_options);
}

}  // namespace warptile
