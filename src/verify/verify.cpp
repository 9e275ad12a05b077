#include "verify/verify.h"

#include "schedule/apply.h"
#include "schedule/directives.h"
#include "verify/child.h"
#include "verify/judge.h"
#include "verify/trial.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

namespace warptile {

namespace {

using Choice = std::vector<int>;

/// A trial of one choice: either what it showed, or why there is nothing to show.
struct Outcome {
    bool lowered = false;
    std::string error;
    Plan plan;
    std::vector<GroupVerdict> verdicts;

    bool all_ok() const {
        return lowered && std::all_of(verdicts.begin(), verdicts.end(), [](const GroupVerdict &v) { return v.ok(); });
    }
};

/// Verdicts cross the pipe, not the whole trial: a pipeline's PTX and IR are large.
std::string to_bytes(const std::vector<GroupVerdict> &verdicts, const std::string &description) {
    nlohmann::json list = nlohmann::json::array();
    for (const GroupVerdict &v : verdicts) {
        list.push_back({{"problems", v.problems}, {"registers", v.registers}});
    }
    return nlohmann::json{{"verdicts", list}, {"description", description}}.dump();
}

std::vector<GroupVerdict> verdicts_from(const nlohmann::json &json) {
    std::vector<GroupVerdict> verdicts;
    for (const auto &v : json.at("verdicts")) {
        verdicts.push_back({v.at("problems").get<std::vector<std::string>>(), v.at("registers").get<int>()});
    }
    return verdicts;
}

class Verifier {
public:
    Verifier(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
             const Machine &machine, const VerifyOptions &options)
        : candidates_(candidates), outputs_(outputs), target_(target), machine_(machine), options_(options) {}

    Verified run() {
        Choice choice(candidates_.count.size(), 0);
        for (int round = 0; round < options_.rounds; round++) {
            const Choice next = advanced(choice, all_groups());
            const std::vector<Outcome> tried = try_all({choice, next});
            if (tried[0].all_ok()) {
                return finish(choice, tried[0]);
            }
            const Choice mixed = best_of(choice, tried[0], next, tried[1]);
            if (mixed == next && tried[1].all_ok()) {
                return finish(next, tried[1]);
            }
            choice = mixed;
        }
        return settle(choice);
    }

private:
    bool plain(const Choice &choice, size_t g) const { return choice[g] + 1 >= candidates_.count[g]; }

    std::vector<size_t> all_groups() const {
        std::vector<size_t> groups(candidates_.count.size());
        for (size_t g = 0; g < groups.size(); g++) {
            groups[g] = g;
        }
        return groups;
    }

    Choice advanced(Choice choice, const std::vector<size_t> &groups) const {
        for (const size_t g : groups) {
            choice[g] = std::min(choice[g] + 1, candidates_.count[g] - 1);
        }
        return choice;
    }

    /// For each group the first of two candidates that was as planned; one further where neither was. Where a whole
    /// trial failed, the groups that make it fail are found and moved on.
    Choice best_of(const Choice &first, const Outcome &a, const Choice &second, const Outcome &b) {
        if (!a.lowered) {
            Choice moved = first;
            for (const size_t g : culprits(first)) {
                moved[g] = std::min(first[g] + 1, candidates_.count[g] - 1);
            }
            return moved;
        }
        Choice mixed = first;
        for (size_t g = 0; g < first.size(); g++) {
            if (a.verdicts[g].ok()) {
                continue;
            }
            mixed[g] = b.lowered && !b.verdicts[g].ok() ? std::min(second[g] + 1, candidates_.count[g] - 1) : second[g];
        }
        return mixed;
    }

    /// Groups whose candidate alone, all other groups plain, makes the trial fail; by halving.
    std::vector<size_t> culprits(const Choice &choice) {
        std::vector<size_t> suspects;
        for (size_t g = 0; g < choice.size(); g++) {
            if (!plain(choice, g)) {
                suspects.push_back(g);
            }
        }
        std::vector<size_t> found = failing(choice, suspects);
        return found.empty() ? suspects : found;  // they fail only together: all move on
    }

    std::vector<size_t> failing(const Choice &choice, const std::vector<size_t> &suspects) {
        if (suspects.empty()) {
            return {};
        }
        Choice alone(choice.size());
        for (size_t g = 0; g < alone.size(); g++) {
            alone[g] = candidates_.count[g] - 1;
        }
        for (const size_t g : suspects) {
            alone[g] = choice[g];
        }
        if (try_all({alone})[0].lowered) {
            return {};
        }
        if (suspects.size() == 1) {
            return suspects;
        }
        const auto middle = suspects.begin() + static_cast<std::ptrdiff_t>(suspects.size() / 2);
        std::vector<size_t> found = failing(choice, {suspects.begin(), middle});
        const std::vector<size_t> rest = failing(choice, {middle, suspects.end()});
        found.insert(found.end(), rest.begin(), rest.end());
        return found;
    }

    /// After the rounds: what is still not as planned becomes plain, until the whole holds.
    Verified settle(Choice choice) {
        for (size_t step = 0; step <= choice.size(); step++) {
            const Outcome outcome = try_all({choice})[0];
            if (outcome.all_ok()) {
                return finish(choice, outcome);
            }
            Choice next = choice;
            const std::vector<size_t> failed = outcome.lowered ? not_ok(outcome) : culprits(choice);
            for (const size_t g : failed) {
                next[g] = candidates_.count[g] - 1;
            }
            if (next == choice) {
                // Only plain groups are left to blame: as planned or not, a plan that lowers is returned.
                return outcome.lowered ? finish(choice, outcome) : nothing();
            }
            choice = next;
        }
        return nothing();
    }

    static std::vector<size_t> not_ok(const Outcome &outcome) {
        std::vector<size_t> groups;
        for (size_t g = 0; g < outcome.verdicts.size(); g++) {
            if (!outcome.verdicts[g].ok()) {
                groups.push_back(g);
            }
        }
        return groups;
    }

    std::vector<Outcome> try_all(const std::vector<Choice> &choices) {
        std::vector<Outcome> outcomes(choices.size());
        std::vector<std::function<std::string()>> works;
        std::vector<size_t> tried;
        for (size_t i = 0; i < choices.size(); i++) {
            if (i > 0 && choices[i] == choices[i - 1]) {
                continue;
            }
            outcomes[i].plan = candidates_.assemble(choices[i]);
            works.push_back([this, plan = outcomes[i].plan] { return trial_of(plan); });
            tried.push_back(i);
        }
        const std::vector<ChildResult> results = run_in_children(works, options_.time_limit_s, options_.at_once);
        for (size_t k = 0; k < results.size(); k++) {
            read(results[k], choices[tried[k]], outcomes[tried[k]]);
        }
        for (size_t i = 1; i < choices.size(); i++) {
            if (choices[i] == choices[i - 1]) {
                outcomes[i] = outcomes[i - 1];
            }
        }
        trials_ += static_cast<int>(works.size());
        return outcomes;
    }

    /// In a child: the schedule is applied to the real Funcs, which nobody else will see.
    std::string trial_of(const Plan &plan) const {
        std::vector<std::string> names = plan.names;
        const std::vector<std::string> derived = apply_directives(make_directives(plan, outputs_), outputs_);
        names.insert(names.end(), derived.begin(), derived.end());
        Trial trial = lower(Halide::Pipeline(outputs_), target_);
        const std::string error = assemble_kernels(trial, machine_.gpu.capability, options_.max_registers);
        if (!error.empty()) {
            throw std::runtime_error("the PTX does not assemble: " + error);
        }
        return to_bytes(judge(trial, plan, names, machine_.gpu), describe(trial));
    }

    void read(const ChildResult &result, const Choice &choice, Outcome &outcome) {
        log_ += "trial of choice";
        for (const int c : choice) {
            log_ += " " + std::to_string(c);
        }
        if (result.attempts > 1) {
            log_ += " (a child hung and was tried again)";
        }
        if (!result.ok()) {
            outcome.error = result.message;
            log_ += ": " + to_string(result.end) + ": " + result.message + "\n";
            return;
        }
        const nlohmann::json json = nlohmann::json::parse(result.bytes);
        outcome.lowered = true;
        outcome.verdicts = verdicts_from(json);
        log_ += ":\n" + json.at("description").get<std::string>();
        for (size_t g = 0; g < outcome.verdicts.size(); g++) {
            for (const std::string &p : outcome.verdicts[g].problems) {
                log_ += "  group " + std::to_string(g) + ": " + p + "\n";
            }
        }
    }

    Verified finish(const Choice &choice, const Outcome &outcome) {
        Verified v;
        v.plan = outcome.plan;
        v.choice = choice;
        for (size_t g = 0; g < choice.size(); g++) {
            v.registers.push_back(outcome.verdicts[g].registers);
            v.fallbacks += choice[g] > 0 && plain(choice, g);
        }
        v.ok = outcome.all_ok();
        return with_log(v);
    }

    Verified nothing() { return with_log({}); }

    Verified with_log(Verified v) {
        v.trials = trials_;
        v.log = log_ + std::to_string(trials_) + " trials, " + std::to_string(v.fallbacks) + " of " +
                std::to_string(candidates_.count.size()) + " groups fell back to plain\n";
        return v;
    }

    const Candidates &candidates_;
    const std::vector<Halide::Func> &outputs_;
    const Halide::Target &target_;
    const Machine &machine_;
    const VerifyOptions &options_;
    int trials_ = 0;
    std::string log_;
};

}  // namespace

Verified verify(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                const Machine &machine, const VerifyOptions &options) {
    return Verifier(candidates, outputs, target, machine, options).run();
}

}  // namespace warptile
