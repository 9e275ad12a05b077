#include "verify/verify.h"

#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/user_words.h"
#include "verify/isolate.h"
#include "verify/judge.h"
#include "verify/processes/child.h"
#include "verify/same_updates.h"
#include "verify/trial.h"

#include <algorithm>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

namespace warptile {

namespace {

using Choice = std::vector<int>;

/// Parts that are looked for one after the other where the whole is not lowered though each is by itself.
constexpr int kBlamed = 3;

/// What a trial showed.
struct Outcome {
    bool lowered = false;
    bool cut_off = true;                ///< false: the part cannot be tried by itself
    std::vector<size_t> wrong;          ///< parts that are not as planned, ascending; meaningless unless `lowered`
    std::vector<std::string> problems;  ///< the first of each of them; of what was not lowered, the only one, of all
    std::vector<size_t> unusable;       ///< of `wrong`, those that are more than slow
    std::vector<size_t> in_updates;     ///< of `wrong`, those whose last group alone is, and of that the updates alone

    bool ok() const { return lowered && wrong.empty(); }

    bool usable() const { return lowered && unusable.empty(); }
};

/// Problems by group and what was learnt of the kernels cross the pipe, not the whole trial: PTX and IR are large.
std::string to_bytes(const std::vector<GroupVerdict> &verdicts, const Trial &trial) {
    nlohmann::json problems = nlohmann::json::array(), unusable = nlohmann::json::array();
    nlohmann::json in_updates = nlohmann::json::array();
    for (const GroupVerdict &v : verdicts) {
        problems.push_back(v.problems);
        unusable.push_back(v.unusable);
        in_updates.push_back(v.in_updates);
    }
    return nlohmann::json{{"problems", problems},
                          {"unusable", unusable},
                          {"in_updates", in_updates},
                          {"description", describe(trial)},
                          {"kernels", to_json_text(kernels_of(trial))}}
        .dump();
}

class Verifier {
public:
    Verifier(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
             const Machine &machine, const VerifyOptions &options)
        : candidates_(candidates), outputs_(outputs), target_(target), machine_(machine), options_(options) {}

    Verified run() {
        Choice choice(parts(), 0);
        Outcome whole = try_whole(choice);
        if (!whole.ok()) {
            choice = first_that_hold(choice, whole.lowered ? whole.wrong : all_parts(), !whole.lowered);
            whole = try_whole(choice);
        }
        // What is still not as planned, in company only, moves on once more, then to the last that was wanted, which
        // asks for least, and then becomes plain. So does one part where the whole is not even lowered.
        for (int steps = 0; !whole.ok(); steps++) {
            const std::vector<size_t> wrong = whole.lowered ? whole.wrong : all_parts();
            const Choice next = !whole.lowered ? that_may_lower(choice, steps < kBlamed)
                                : steps == 0   ? advanced(choice, wrong)
                                : steps == 1   ? last_wanted(choice, wrong)
                                               : plainer(choice, wrong);
            if (next == choice) {
                // Only plain parts are left to blame: slow or not, a plan that is right is returned.
                return whole.usable() ? finish(choice, whole) : left_to_host(choice, whole);
            }
            choice = next;
            whole = try_whole(choice);
        }
        return finish(choice, whole);
    }

private:
    int plain_of(size_t p) const { return candidates_.plain.empty() ? count(p) - 1 : candidates_.plain[p]; }

    bool plain(const Choice &choice, size_t p) const { return choice[p] >= plain_of(p); }

    size_t parts() const { return candidates_.groups.size(); }

    int count(size_t p) const { return static_cast<int>(candidates_.groups[p].size()); }

    std::vector<size_t> all_parts() const {
        std::vector<size_t> all(parts());
        for (size_t p = 0; p < all.size(); p++) {
            all[p] = p;
        }
        return all;
    }

    /// The part that each group of the assembled plan belongs to.
    std::vector<size_t> part_of_group(const Choice &choice) const {
        std::vector<size_t> part;
        for (size_t p = 0; p < parts(); p++) {
            part.insert(part.end(), static_cast<size_t>(candidates_.groups[p][static_cast<size_t>(choice[p])]), p);
        }
        return part;
    }

    /// The group that is the kernel of part `p`: its last.
    size_t kernel_of(size_t p, const Choice &choice) const {
        const std::vector<size_t> part = part_of_group(choice);
        return static_cast<size_t>(std::upper_bound(part.begin(), part.end(), p) - part.begin()) - 1;
    }

    /// The next candidate of part `p` that need not have the fault of one that was tried.
    int next_of(size_t p, int candidate) {
        do {
            candidate = std::min(candidate + 1, plain_of(p));
        } while (candidate < plain_of(p) && is_faulty(p, candidate));
        return candidate;
    }

    bool is_faulty(size_t p, int candidate) {
        Choice next(parts(), 0), tried(parts(), 0);
        next[p] = candidate;
        for (const int other : wrong_in_updates_[p]) {
            tried[p] = other;
            if (has_same_updates(candidates_.assemble(tried), kernel_of(p, tried), candidates_.assemble(next),
                                 kernel_of(p, next))) {
                log_ += "part " + std::to_string(p) + ", candidate " + std::to_string(candidate) +
                        " has the updates of candidate " + std::to_string(other) + "\n";
                return true;
            }
        }
        return false;
    }

    void remember(const Outcome &outcome, const Choice &choice) {
        for (const size_t p : outcome.in_updates) {
            wrong_in_updates_[p].push_back(choice[p]);
        }
    }

    /// Of a whole that is not lowered: the part to blame moves on, or else all become plain.
    Choice that_may_lower(const Choice &choice, bool blame) {
        const Choice all_plain = plainer(choice, all_parts());
        const Choice moved = blame && all_plain != choice ? advanced(choice, {to_blame(choice)}) : choice;
        return moved == choice ? all_plain : moved;
    }

    /// The part in whose company the whole is not lowered: the last of those that have to be plain for it, by halves.
    size_t to_blame(const Choice &choice) {
        size_t too_few = 0, enough = parts();
        while (enough - too_few > 1) {
            const size_t first = (too_few + enough) / 2;
            std::vector<size_t> which = all_parts();
            which.resize(first);
            (try_whole(plainer(choice, which)).lowered ? enough : too_few) = first;
        }
        return enough - 1;
    }

    Choice advanced(Choice choice, const std::vector<size_t> &which) {
        for (const size_t p : which) {
            choice[p] = next_of(p, choice[p]);
        }
        return choice;
    }

    Choice last_wanted(Choice choice, const std::vector<size_t> &which) const {
        for (const size_t p : which) {
            const int last = p < candidates_.wanted.size() ? candidates_.wanted[p] - 1 : plain_of(p);
            choice[p] = choice[p] < last ? last : plain_of(p);
        }
        return choice;
    }

    Choice plainer(Choice choice, const std::vector<size_t> &which) const {
        for (const size_t p : which) {
            choice[p] = plain_of(p);
        }
        return choice;
    }

    /// No kernel of some parts can be used, in plain form either, and the host computes these: those that the whole
    /// blames or, where it does not lower, that fail by themselves; and where that blames none, all.
    Verified left_to_host(Choice choice, Outcome whole) {
        const auto on_host = [this](Choice c, const std::vector<size_t> &which) {
            for (const size_t p : which) {
                c[p] = count(p) - 1;
            }
            return c;
        };
        while (!whole.usable()) {
            const std::vector<size_t> blamed = whole.lowered ? whole.unusable : failing_alone(choice);
            Choice next = on_host(choice, blamed);
            next = next == choice ? on_host(choice, all_parts()) : next;
            if (next == choice) {
                return with_log(nothing(choice, whole, blamed));
            }
            choice = next;
            whole = try_whole(choice);
        }
        return finish(choice, whole);
    }

    std::vector<size_t> failing_alone(const Choice &choice) {
        const std::vector<Outcome> outcomes = try_alone(choice, all_parts());
        std::vector<size_t> failing;
        for (size_t p = 0; p < outcomes.size(); p++) {
            if (outcomes[p].cut_off && !outcomes[p].usable()) {
                failing.push_back(p);
            }
        }
        return failing;
    }

    /// Moves each part of `open` to its first candidate that holds when it is tried by itself, or to the plain one,
    /// which is judged with the whole. `again`: the present candidates may hold.
    Choice first_that_hold(Choice choice, std::vector<size_t> open, bool again) {
        for (bool first = true; !open.empty(); first = false) {
            std::vector<size_t> to_try;
            for (const size_t p : open) {
                choice[p] = first && again ? choice[p] : next_of(p, choice[p]);
                if (!plain(choice, p)) {
                    to_try.push_back(p);
                }
            }
            const std::vector<Outcome> outcomes = try_alone(choice, to_try);
            open.clear();
            for (size_t i = 0; i < to_try.size(); i++) {
                if (!outcomes[i].ok() && outcomes[i].cut_off) {
                    open.push_back(to_try[i]);
                } else if (!outcomes[i].cut_off && first && again) {
                    choice[to_try[i]]++;  // it may be what failed, and the next is no more doubtful
                }
            }
        }
        return choice;
    }

    Outcome try_whole(const Choice &choice) {
        const Plan plan = candidates_.assemble(choice);
        const auto work = [&] {
            std::vector<std::string> names = plan.names;
            const std::vector<std::string> derived = apply_directives(make_directives(plan, outputs_), outputs_);
            names.insert(names.end(), derived.begin(), derived.end());
            return trial_of(Halide::Pipeline(outputs_), plan, names, options_.at_once);
        };
        std::string what = "the whole, candidates";
        for (const int c : choice) {
            what += " " + std::to_string(c);
        }
        trials_++;
        const Outcome outcome = read(run_in_child(work, options_.time_limit_s), what, plan, part_of_group(choice));
        remember(outcome, choice);
        return outcome;
    }

    /// The kernel of each of `which` by itself, side by side.
    std::vector<Outcome> try_alone(const Choice &choice, const std::vector<size_t> &which) {
        const Plan plan = candidates_.assemble(choice);
        std::vector<std::function<std::string()>> works;
        for (const size_t p : which) {
            const size_t kernel = kernel_of(p, choice);
            works.emplace_back([&plan, kernel, this]() -> std::string {
                const std::optional<Isolated> alone = isolate(plan, kernel, outputs_);
                return alone ? trial_of(alone->pipeline, alone->plan, alone->names, 1) : "";
            });
        }
        const std::vector<ChildResult> results = run_in_children(works, options_.time_limit_s, options_.at_once);
        std::vector<Outcome> outcomes;
        for (size_t i = 0; i < which.size(); i++) {
            const std::string what =
                "part " + std::to_string(which[i]) + " alone, candidate " + std::to_string(choice[which[i]]);
            outcomes.push_back(read(results[i], what, plan, {which[i]}));
            remember(outcomes.back(), choice);
        }
        trials_ += static_cast<int>(works.size());
        return outcomes;
    }

    /// In a child: the Funcs have their schedule, which nobody else will see.
    std::string trial_of(const Halide::Pipeline &pipeline, const Plan &plan, const std::vector<std::string> &names,
                         int at_once) const {
        LowerOptions options;
        options.sm = machine_.gpu.capability;
        options.max_registers = options_.max_registers;
        options.at_once = at_once;
        options.time_limit_s = options_.time_limit_s;
        options.known = known_;
        const auto verdicts = [&](const Trial &trial) { return judge(trial, plan, names, machine_.gpu); };
        options.worth_code = [&](const Trial &trial) {
            const std::vector<GroupVerdict> all = verdicts(trial);
            return !std::all_of(all.begin(), all.end(), [](const GroupVerdict &v) { return v.unusable; });
        };
        const Trial trial = lower(pipeline, target_, options);
        return to_bytes(verdicts(trial), trial);
    }

    /// `part`: of each group that was tried.
    Outcome read(const ChildResult &result, const std::string &what, const Plan &plan,
                 const std::vector<size_t> &part) {
        Outcome outcome;
        log_ += "trial of " + what;
        if (result.attempts > 1) {
            log_ += " (a child hung and was tried again)";
        }
        if (!result.ok()) {
            const std::string problem = to_string(result.end) + ": " + result.message;
            log_ += ": " + problem + "\n";
            outcome.problems = {UserWords(plan, candidates_.names).in(problem)};
            if (part.size() == 1) {
                note(part[0], outcome.problems[0]);
            }
            return outcome;
        }
        if (result.bytes.empty()) {
            log_ += ": it cannot be tried by itself\n";
            outcome.cut_off = false;
            return outcome;
        }
        const nlohmann::json json = nlohmann::json::parse(result.bytes);
        outcome.lowered = true;
        log_ += ":\n" + json.at("description").get<std::string>();
        known_.merge(kernels_from_json_text(json.at("kernels").get<std::string>()));
        const auto problems = json.at("problems").get<std::vector<std::vector<std::string>>>();
        for (size_t g = 0; g < problems.size(); g++) {
            for (const std::string &text : problems[g]) {
                log_ += "  part " + std::to_string(part[g]) + ": " + text + "\n";
            }
            const bool unusable = json.at("unusable").at(g).get<bool>();
            if (unusable && (outcome.unusable.empty() || outcome.unusable.back() != part[g])) {
                outcome.unusable.push_back(part[g]);
            }
            if (!problems[g].empty() && (outcome.wrong.empty() || outcome.wrong.back() != part[g])) {
                if ((g + 1 == part.size() || part[g + 1] != part[g]) && json.at("in_updates").at(g).get<bool>()) {
                    outcome.in_updates.push_back(part[g]);
                }
                outcome.wrong.push_back(part[g]);
                outcome.problems.push_back(UserWords(plan, candidates_.names).in(problems[g][0]));
                note(part[g], outcome.problems.back());
            }
        }
        return outcome;
    }

    Verified finish(const Choice &choice, const Outcome &outcome) {
        Verified v;
        v.plan = candidates_.assemble(choice);
        v.choice = choice;
        for (size_t p = 0; p < choice.size(); p++) {
            v.fallbacks += choice[p] > 0 && plain(choice, p);
        }
        v.ok = outcome.ok();
        for (size_t p = 0; p < choice.size(); p++) {
            v.ok = v.ok && choice[p] <= plain_of(p);
        }
        for (size_t p = 0; p < choice.size(); p++) {
            const bool wrong = std::count(outcome.wrong.begin(), outcome.wrong.end(), p) > 0;
            if (!wrong && p < candidates_.wanted.size() && choice[p] >= candidates_.wanted[p]) {
                v.notices.push_back({name_of(p, choice), fallen_back(p, choice)});
            }
        }
        for (size_t i = 0; i < outcome.wrong.size(); i++) {
            v.wrong.push_back({name_of(outcome.wrong[i], choice), outcome.problems[i]});
            v.notices.push_back(
                {v.wrong[i].func, "even its plain kernel is not as it should be: " + v.wrong[i].reason});
        }
        return with_log(v);
    }

    /// No plan: the whole cannot be used, on the host either. `blamed`: the parts to blame, if known.
    Verified nothing(const Choice &choice, const Outcome &outcome, const std::vector<size_t> &blamed) const {
        Verified v;
        if (parts() > 0) {
            const size_t p = blamed.empty() ? parts() - 1 : blamed.front();
            const auto problem = first_problem_.find(p);
            const bool own = !blamed.empty() && problem != first_problem_.end();
            v.wrong.push_back({name_of(p, choice), own ? problem->second : outcome.problems.front()});
        }
        return v;
    }

    /// The user's name of what a part is for.
    std::string name_of(size_t p, const Choice &choice) const {
        const Plan plan = candidates_.assemble(choice);
        return UserWords(plan, candidates_.names).name(plan.groups[kernel_of(p, choice)].output);
    }

    std::string fallen_back(size_t p, const Choice &choice) const {
        const auto problem = first_problem_.find(p);
        const std::string why = problem != first_problem_.end() ? problem->second
                                : candidates_.wanted[p] == 0    ? candidates_.why_none[p]
                                                                : "it can be lowered neither alone nor with the others";
        if (choice[p] > plain_of(p)) {
            return "computed on the host, since no kernel of it can be used: " + why;
        }
        const bool apart = candidates_.groups[p][static_cast<size_t>(choice[p])] > 1;
        return std::string(apart ? "what would be fused is computed by kernels of their own"
                                 : "its kernel is a plain one") +
               ", since none that does better could be used: " + why;
    }

    /// The first thing that was wrong with a part is what a user is told: what came after it was no longer wanted.
    void note(size_t p, const std::string &problem) { first_problem_.emplace(p, problem); }

    Verified with_log(Verified v) {
        v.trials = trials_;
        v.log = log_ + std::to_string(trials_) + " trials, " + std::to_string(v.fallbacks) + " of " +
                std::to_string(parts()) + " parts fell back to plain\n";
        return v;
    }

    const Candidates &candidates_;
    const std::vector<Halide::Func> &outputs_;
    const Halide::Target &target_;
    const Machine &machine_;
    const VerifyOptions &options_;
    int trials_ = 0;
    KnownKernels known_;                                   ///< of all trials so far
    std::map<size_t, std::vector<int>> wrong_in_updates_;  ///< candidates that are so, by part
    std::map<size_t, std::string> first_problem_;          ///< by part
    std::string log_;
};

}  // namespace

Verified verify(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                const Machine &machine, const VerifyOptions &options) {
    return Verifier(candidates, outputs, target, machine, options).run();
}

}  // namespace warptile
