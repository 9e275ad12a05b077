#include "verify/verify.h"

#include "schedule/user_words.h"
#include "verify/attempts.h"
#include "verify/same_updates.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

namespace warptile {

namespace {

/// Parts that are looked for one after the other where the whole is not lowered though each is by itself.
constexpr int kBlamed = 3;

class Verifier {
public:
    Verifier(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
             const Machine &machine, const VerifyOptions &options)
        : candidates_(candidates), spill_price_(machine.weights.roofline.spill_price),
          attempts_(candidates, outputs, target, machine, options) {}

    Verified run() {
        Choice choice(parts(), 0);
        Outcome whole = try_whole(choice);
        if (!whole.ok()) {
            choice = first_that_hold(choice, whole.lowered ? whole.wrong : all_parts(), !whole.lowered);
            whole = try_whole(choice);
        }
        // What is still not as planned, in company only, moves on once more, then to the last that was wanted, which
        // asks for least, and then becomes plain. So does one part where the whole is not even lowered. What only
        // spills moves on by its price.
        for (int steps = 0; !whole.ok();) {
            const Choice next =
                !whole.lowered ? that_may_lower(choice, steps < kBlamed)
                               : advanced(moved_on(choice, worse_than_spilling(whole), steps), only_spilling(whole));
            steps += !whole.lowered || !worse_than_spilling(whole).empty() ? 1 : 0;
            if (next == choice) {
                // Only plain parts are left to blame, or some that are taken now though they spill: slow or not, a plan
                // that is right is returned.
                whole = try_whole(choice);
                return whole.usable() ? finish(choice, whole) : left_to_host(choice, whole);
            }
            choice = next;
            whole = try_whole(choice);
        }
        return finish(choice, whole);
    }

private:
    bool plain(const Choice &choice, size_t p) const { return choice[p] >= candidates_.plain_of(p); }

    size_t parts() const { return candidates_.groups.size(); }

    int count(size_t p) const { return static_cast<int>(candidates_.groups[p].size()); }

    std::vector<size_t> all_parts() const {
        std::vector<size_t> all(parts());
        for (size_t p = 0; p < all.size(); p++) {
            all[p] = p;
        }
        return all;
    }

    /// Of one that leaves the part to the host no cost is known: it is the last to be taken.
    double cost_of(size_t p, int candidate) const {
        if (candidates_.costs.empty()) {
            return 0;
        }
        const std::vector<double> &costs = candidates_.costs[p];
        const size_t c = static_cast<size_t>(candidate);
        return c < costs.size() ? costs[c] : std::numeric_limits<double>::infinity();
    }

    /// The next candidate of part `p` that need not have the fault of one that was tried; or that one itself, where it
    /// only spills, and with what that costs is still cheaper.
    int next_of(size_t p, int candidate) {
        if (taken(p, candidate)) {
            taken_.erase(p);  // in company something else is wrong with it
            spilled_.erase(p);
        }
        do {
            candidate = std::min(candidate + 1, candidates_.plain_of(p));
        } while (candidate < candidates_.plain_of(p) && is_faulty(p, candidate));
        const auto least = spilled_.find(p);
        if (least != spilled_.end() && least->second.cost <= cost_of(p, candidate)) {
            taken_[p] = least->second.candidate;
            attempts_.log += "part " + std::to_string(p) + ", candidate " + std::to_string(taken_[p]) +
                             ": with what it spills it costs " + std::to_string(least->second.cost) +
                             " us, and the next one " + std::to_string(cost_of(p, candidate)) + " us\n";
            return taken_[p];
        }
        return candidate;
    }

    /// Whether the candidate is taken though it spills.
    bool taken(size_t p, int candidate) const {
        const auto it = taken_.find(p);
        return it != taken_.end() && it->second == candidate;
    }

    bool is_faulty(size_t p, int candidate) {
        Choice next(parts(), 0), tried(parts(), 0);
        next[p] = candidate;
        for (const int other : wrong_in_updates_[p]) {
            tried[p] = other;
            if (has_same_updates(candidates_.assemble(tried), attempts_.kernel_of(p, tried), candidates_.assemble(next),
                                 attempts_.kernel_of(p, next))) {
                attempts_.log += "part " + std::to_string(p) + ", candidate " + std::to_string(candidate) +
                                 " has the updates of candidate " + std::to_string(other) + "\n";
                return true;
            }
        }
        return false;
    }

    /// What a trial showed of the candidates of `choice`. `tried`: the parts that it was of.
    Outcome learn(Outcome outcome, const Choice &choice, const std::vector<size_t> &tried) {
        if (!outcome.lowered && !outcome.problems.empty() && tried.size() == 1) {
            note(tried[0], outcome.problems[0]);
        }
        for (const size_t p : outcome.in_updates) {
            wrong_in_updates_[p].push_back(choice[p]);
        }
        for (const auto &[p, bytes] : outcome.spilled) {
            const double cost = cost_of(p, choice[p]) * (1 + spill_price_ * static_cast<double>(bytes));
            const auto least = spilled_.find(p);
            if (!candidates_.costs.empty() && (least == spilled_.end() || cost < least->second.cost)) {
                spilled_[p] = {choice[p], cost};
            }
        }
        Outcome accepted = outcome;
        accepted.wrong.clear();
        accepted.problems.clear();
        for (size_t i = 0; i < outcome.wrong.size(); i++) {
            const size_t p = outcome.wrong[i];
            if (outcome.spilled.count(p) == 0 || !taken(p, choice[p])) {
                note(p, outcome.problems[i]);
                accepted.wrong.push_back(p);
                accepted.problems.push_back(outcome.problems[i]);
            }
        }
        return outcome.lowered ? accepted : outcome;
    }

    Outcome try_whole(const Choice &choice) { return learn(attempts_.whole(choice), choice, all_parts()); }

    std::vector<Outcome> try_alone(const Choice &choice, const std::vector<size_t> &which) {
        std::vector<Outcome> outcomes = attempts_.alone(choice, which);
        for (size_t i = 0; i < which.size(); i++) {
            outcomes[i] = learn(outcomes[i], choice, {which[i]});
        }
        return outcomes;
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

    /// Parts of which something is worse than that they spill, or of whose candidates no price is known.
    std::vector<size_t> worse_than_spilling(const Outcome &whole) const {
        std::vector<size_t> worse;
        std::copy_if(whole.wrong.begin(), whole.wrong.end(), std::back_inserter(worse),
                     [&](size_t p) { return candidates_.costs.empty() || whole.spilled.count(p) == 0; });
        return worse;
    }

    std::vector<size_t> only_spilling(const Outcome &whole) const {
        std::vector<size_t> spilling;
        const std::vector<size_t> worse = worse_than_spilling(whole);
        std::set_difference(whole.wrong.begin(), whole.wrong.end(), worse.begin(), worse.end(),
                            std::back_inserter(spilling));
        return spilling;
    }

    Choice moved_on(const Choice &choice, const std::vector<size_t> &which, int steps) {
        return steps == 0 ? advanced(choice, which) : steps == 1 ? last_wanted(choice, which) : plainer(choice, which);
    }

    Choice last_wanted(Choice choice, const std::vector<size_t> &which) const {
        for (const size_t p : which) {
            const int last = p < candidates_.wanted.size() ? candidates_.wanted[p] - 1 : candidates_.plain_of(p);
            choice[p] = choice[p] < last ? last : candidates_.plain_of(p);
        }
        return choice;
    }

    Choice plainer(Choice choice, const std::vector<size_t> &which) const {
        for (const size_t p : which) {
            choice[p] = candidates_.plain_of(p);
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
                if (!plain(choice, p) && !taken(p, choice[p])) {
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

    Verified finish(const Choice &choice, const Outcome &outcome) {
        Verified v;
        v.plan = candidates_.assemble(choice);
        v.choice = choice;
        for (size_t p = 0; p < choice.size(); p++) {
            v.fallbacks += choice[p] > 0 && plain(choice, p);
        }
        v.ok = outcome.ok();
        for (size_t p = 0; p < choice.size(); p++) {
            v.ok = v.ok && choice[p] <= candidates_.plain_of(p);
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
        return UserWords(plan, candidates_.names).name(plan.groups[attempts_.kernel_of(p, choice)].output);
    }

    std::string fallen_back(size_t p, const Choice &choice) const {
        const auto problem = first_problem_.find(p);
        const std::string why = problem != first_problem_.end() ? problem->second
                                : candidates_.wanted[p] == 0    ? candidates_.why_none[p]
                                                                : "it can be lowered neither alone nor with the others";
        if (choice[p] > candidates_.plain_of(p)) {
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
        v.trials = attempts_.count();
        v.log = attempts_.log + std::to_string(attempts_.count()) + " trials, " + std::to_string(v.fallbacks) + " of " +
                std::to_string(parts()) + " parts fell back to plain\n";
        return v;
    }

    struct Spilled {
        int candidate = 0;
        double cost = 0;  ///< with what the spill costs
    };

    const Candidates &candidates_;
    const double spill_price_;
    Attempts attempts_;
    std::map<size_t, std::vector<int>> wrong_in_updates_;  ///< candidates that are so, by part
    std::map<size_t, std::string> first_problem_;          ///< by part
    std::map<size_t, Spilled> spilled_;                    ///< by part, the cheapest that does nothing worse
    std::map<size_t, int> taken_;                          ///< by part, one of them that is taken
};

}  // namespace

Verified verify(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                const Machine &machine, const VerifyOptions &options) {
    return Verifier(candidates, outputs, target, machine, options).run();
}

}  // namespace warptile
