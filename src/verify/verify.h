// Makes sure that a plan keeps the promise: lowers it for trial, and falls back kernel by kernel until everything is as
// planned. Which candidates there are is the caller's business; here they are numbers, so that verify/ does not know
// how plans are found.
#pragma once

#include "machine/machine.h"
#include "schedule/plan.h"

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// For each group of the plan a ranked list of candidates, the last of them plain.
struct Candidates {
    std::vector<int> count;                                  ///< of each group, 1 or more
    std::function<Plan(const std::vector<int> &)> assemble;  ///< the plan in which group g takes candidate choice[g]
};

struct VerifyOptions {
    int max_registers = 64;
    int rounds = 3;             ///< whole-pipeline trials before groups that still fail become plain; each tries two
    double time_limit_s = 120;  ///< of one trial: generous, only there for a child that hangs
    int at_once = 2;            ///< trials side by side; the result does not depend on it
};

struct Verified {
    Plan plan;
    std::vector<int> choice;     ///< by group; empty where no plan could be lowered
    std::vector<int> registers;  ///< by group, the most of its kernels
    int fallbacks = 0;           ///< groups that became plain although another candidate was ranked before
    int trials = 0;
    bool ok = false;  ///< the plan lowers as planned; else even the plain candidates do not
    std::string log;  ///< what happened, for HL_DEBUG_WARPTILE=verify
};

/// Leaves the Funcs untouched: every trial is lowered in a forked child. Deterministic.
Verified verify(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                const Machine &machine, const VerifyOptions &options);

}  // namespace warptile
