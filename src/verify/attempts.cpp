#include "verify/attempts.h"

#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/user_words.h"
#include "verify/isolate.h"
#include "verify/judge.h"
#include "verify/processes/child.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

namespace warptile {
namespace {

/// Problems by group and what was learnt of the kernels cross the pipe.
std::string to_bytes(const std::vector<GroupVerdict> &verdicts, const Trial &trial) {
    nlohmann::json groups = nlohmann::json::array();
    for (const GroupVerdict &v : verdicts) {
        groups.push_back({{"problems", v.problems},
                          {"unusable", v.unusable},
                          {"in_updates", v.in_updates},
                          {"spilled", v.only_spills() ? v.spilled : 0}});
    }
    return nlohmann::json{{"groups", groups},
                          {"failed_check", trial.failed_check},
                          {"description", describe(trial)},
                          {"kernels", to_json_text(kernels_of(trial))}}
        .dump();
}

/// What one trial showed, added up group by group.
class Findings {
public:
    explicit Findings(const std::vector<size_t> &part) : part_(part) {}

    void add(size_t g, const nlohmann::json &verdict, const std::string &problem) {
        const size_t p = part_[g];
        if (verdict.at("unusable").get<bool>() && (found.unusable.empty() || found.unusable.back() != p)) {
            found.unusable.push_back(p);
        }
        if (problem.empty()) {
            return;
        }
        const int64_t spilled = verdict.at("spilled").get<int64_t>();
        const bool first = found.wrong.empty() || found.wrong.back() != p;
        if (first) {
            found.wrong.push_back(p);
            found.problems.push_back(problem);
            if ((g + 1 == part_.size() || part_[g + 1] != p) && verdict.at("in_updates").get<bool>()) {
                found.in_updates.push_back(p);
            }
        }
        if (spilled > 0 && (first || found.spilled.count(p))) {
            found.spilled[p] = std::max(found.spilled[p], spilled);
        } else {
            found.spilled.erase(p);
        }
    }

    Outcome found;

private:
    const std::vector<size_t> &part_;
};

}  // namespace

std::vector<size_t> Attempts::part_of_group(const Choice &choice) const {
    std::vector<size_t> part;
    for (size_t p = 0; p < candidates_.groups.size(); p++) {
        part.insert(part.end(), static_cast<size_t>(candidates_.groups[p][static_cast<size_t>(choice[p])]), p);
    }
    return part;
}

size_t Attempts::kernel_of(size_t p, const Choice &choice) const {
    const std::vector<size_t> part = part_of_group(choice);
    return static_cast<size_t>(std::upper_bound(part.begin(), part.end(), p) - part.begin()) - 1;
}

const std::vector<PipelineCall> &Attempts::calls_of_whole() {
    if (!calls_) {
        calls_.emplace();
        const auto work = [&] {
            Choice plain;
            for (size_t p = 0; p < candidates_.groups.size(); p++) {
                plain.push_back(candidates_.plain_of(p));
            }
            const Plan plan = candidates_.assemble(plain);
            return to_json_text(calls_to_stand(outputs_, target_,
                                               [&] { apply_directives(make_directives(plan, outputs_), outputs_); }));
        };
        const ChildResult result =
            candidates_.may_ask_for_more ? run_in_child(work, options_.time_limit_s) : ChildResult();
        if (result.ok()) {
            calls_ = calls_from_json_text(result.bytes);
        }
        log += std::to_string(calls_->size()) + " calls to stand" +
               (result.message.empty() ? "" : ", since the plain plan is not lowered: " + result.message) + "\n";
    }
    return *calls_;
}

Outcome Attempts::whole(const Choice &choice) {
    if (const auto before = wholes_.find(choice); before != wholes_.end()) {
        return before->second;
    }
    const Plan plan = candidates_.assemble(choice);
    const std::vector<PipelineCall> calls = calls_of_whole();
    const auto work = [&] {
        std::vector<std::string> names = plan.names;
        const std::vector<std::string> derived = apply_directives(make_directives(plan, outputs_), outputs_);
        names.insert(names.end(), derived.begin(), derived.end());
        return trial_of(Halide::Pipeline(outputs_), plan, names, options_.at_once, calls);
    };
    std::string what = "the whole, candidates";
    for (const int c : choice) {
        what += " " + std::to_string(c);
    }
    count_++;
    return wholes_[choice] = read(run_in_child(work, options_.time_limit_s), what, plan, part_of_group(choice));
}

std::vector<Outcome> Attempts::alone(const Choice &choice, const std::vector<size_t> &which) {
    const Plan plan = candidates_.assemble(choice);
    std::vector<std::function<std::string()>> works;
    for (const size_t p : which) {
        const size_t kernel = kernel_of(p, choice);
        works.emplace_back([&plan, kernel, this]() -> std::string {
            const std::optional<Isolated> alone = isolate(plan, kernel, outputs_);
            return alone ? trial_of(alone->pipeline, alone->plan, alone->names, 1, {}) : "";
        });
    }
    const std::vector<ChildResult> results = run_in_children(works, options_.time_limit_s, options_.at_once);
    std::vector<Outcome> outcomes;
    for (size_t i = 0; i < which.size(); i++) {
        const std::string what =
            "part " + std::to_string(which[i]) + " alone, candidate " + std::to_string(choice[which[i]]);
        outcomes.push_back(read(results[i], what, plan, {which[i]}));
    }
    count_ += static_cast<int>(works.size());
    return outcomes;
}

/// In a child: the Funcs have their schedule, which nobody else will see.
std::string Attempts::trial_of(const Halide::Pipeline &pipeline, const Plan &plan,
                               const std::vector<std::string> &names, int at_once,
                               const std::vector<PipelineCall> &calls) const {
    LowerOptions options;
    options.calls = calls;
    options.sm = machine_.gpu.capability;
    options.max_registers = options_.max_registers;
    options.at_once = at_once;
    options.time_limit_s = options_.time_limit_s;
    options.known = known_;
    const auto verdicts = [&](const Trial &trial) { return judge(trial, plan, names, machine_.gpu); };
    options.worth_code = [&](const Trial &trial) {
        const std::vector<GroupVerdict> all = verdicts(trial);
        return trial.failed_check.empty() &&
               !std::all_of(all.begin(), all.end(), [](const GroupVerdict &v) { return v.unusable; });
    };
    const Trial trial = lower(pipeline, target_, options);
    return to_bytes(verdicts(trial), trial);
}

/// `part`: of each group that was tried.
Outcome Attempts::read(const ChildResult &result, const std::string &what, const Plan &plan,
                       const std::vector<size_t> &part) {
    Findings findings(part);
    Outcome &outcome = findings.found;
    log += "trial of " + what;
    if (result.attempts > 1) {
        log += " (a child hung and was tried again)";
    }
    if (!result.ok()) {
        const std::string problem = to_string(result.end) + ": " + result.message;
        log += ": " + problem + "\n";
        outcome.problems = {UserWords(plan, candidates_.names).in(problem)};
        return outcome;
    }
    if (result.bytes.empty()) {
        log += ": it cannot be tried by itself\n";
        outcome.cut_off = false;
        return outcome;
    }
    const nlohmann::json json = nlohmann::json::parse(result.bytes);
    if (const auto failed = json.at("failed_check").get<std::string>(); !failed.empty()) {
        log += ": " + failed + "\n";
        outcome.problems = {UserWords(plan, candidates_.names).in(failed)};
        return outcome;
    }
    outcome.lowered = true;
    log += ":\n" + json.at("description").get<std::string>();
    known_.merge(kernels_from_json_text(json.at("kernels").get<std::string>()));
    const nlohmann::json &groups = json.at("groups");
    for (size_t g = 0; g < groups.size(); g++) {
        const auto problems = groups[g].at("problems").get<std::vector<std::string>>();
        for (const std::string &text : problems) {
            log += "  part " + std::to_string(part[g]) + ": " + text + "\n";
        }
        findings.add(g, groups[g], problems.empty() ? "" : UserWords(plan, candidates_.names).in(problems[0]));
    }
    return outcome;
}

}  // namespace warptile
