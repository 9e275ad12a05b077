// Trials of a choice of candidates: of the whole pipeline, or of one part's kernel cut off from the rest. Each is
// lowered in a child and judged there; what comes back is short, since PTX and IR are large.
#pragma once

#include "verify/verify.h"

#include "verify/calls.h"
#include "verify/processes/child.h"
#include "verify/trial.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warptile {

/// By part, the number of its candidate.
using Choice = std::vector<int>;

/// What a trial showed.
struct Outcome {
    bool lowered = false;
    bool cut_off = true;                ///< false: the part cannot be tried by itself
    std::vector<size_t> wrong;          ///< parts that are not as planned, ascending; meaningless unless `lowered`
    std::vector<std::string> problems;  ///< the first of each of them; of what was not lowered, the only one, of all
    std::vector<size_t> unusable;       ///< of `wrong`, those that are more than slow
    std::vector<size_t> in_updates;     ///< of `wrong`, those whose last group alone is, and of that the updates alone
    std::map<size_t, int64_t> spilled;  ///< of `wrong`, those that do nothing worse than spill: bytes a thread

    bool ok() const { return lowered && wrong.empty(); }

    bool usable() const { return lowered && unusable.empty(); }
};

class Attempts {
public:
    Attempts(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
             const Machine &machine, const VerifyOptions &options)
        : candidates_(candidates), outputs_(outputs), target_(target), machine_(machine), options_(options) {}

    /// Tried once: a choice that comes again has the same outcome.
    Outcome whole(const Choice &choice);

    /// The kernel of each of `which` by itself, side by side.
    std::vector<Outcome> alone(const Choice &choice, const std::vector<size_t> &which);

    int count() const { return count_; }

    /// The part that each group of the assembled plan belongs to.
    std::vector<size_t> part_of_group(const Choice &choice) const;

    /// The group that is the kernel of part `p`: its last.
    size_t kernel_of(size_t p, const Choice &choice) const;

    std::string log;  ///< what was tried, and what it showed

private:
    std::string trial_of(const Halide::Pipeline &pipeline, const Plan &plan, const std::vector<std::string> &names,
                         int at_once, const std::vector<PipelineCall> &calls) const;
    /// Found out once, when first asked for.
    const std::vector<PipelineCall> &calls_of_whole();
    Outcome read(const ChildResult &result, const std::string &what, const Plan &plan, const std::vector<size_t> &part);

    const Candidates &candidates_;
    const std::vector<Halide::Func> &outputs_;
    const Halide::Target &target_;
    const Machine &machine_;
    const VerifyOptions &options_;
    int count_ = 0;
    std::map<Choice, Outcome> wholes_;
    KnownKernels known_;  ///< of all trials so far
    std::optional<std::vector<PipelineCall>> calls_;
};

}  // namespace warptile
