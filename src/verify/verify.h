// Makes sure that a plan keeps the promise: lowers it for trial, and falls back kernel by kernel until everything is as
// planned. The whole pipeline is lowered first, since making device code has a price for each module; groups that are
// not as planned then try their next candidates each by itself; and the whole is lowered again. Which candidates there
// are is the caller's business; here they are numbers, so that verify/ does not know how plans are found.
#pragma once

#include "machine/machine.h"
#include "schedule/notice.h"
#include "schedule/plan.h"

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// What there is to choose from: for each part of the pipeline a ranked list of candidates, of which one is plain. A
/// candidate is one group of the plan, or a few where it computes members of the part at root instead.
struct Candidates {
    std::vector<std::vector<int>> groups;  ///< groups[p][c]: how many groups candidate c of part p is, its kernel last
    std::function<Plan(const std::vector<int> &)> assemble;  ///< the plan in which part p takes candidate choice[p]
    /// What each is reckoned to cost, in microseconds: a candidate that spills is taken where, with what that costs, it
    /// is no dearer than the next. Not of those that leave the part to the host. Empty: whatever spills gives way.
    std::vector<std::vector<double>> costs = {};
    /// How many candidates of part p are what the part should be; those behind them are what is left where none of
    /// them holds, and a user is told so. Empty: all are.
    std::vector<int> wanted = {};
    std::vector<std::string> why_none = {};  ///< of a part of which none is wanted: why not
    std::vector<std::string> names = {};     ///< the users' of the pipeline's Funcs: see schedule/user_words.h
    /// Which candidate of part p is the plain one. Those behind it leave the part to the host, and are taken only where
    /// the plain one cannot be used at all. Empty: of each part the last.
    std::vector<int> plain = {};
    /// Whether the pipeline reads an input beyond which there may be nothing, of which a plan may ask for more than the
    /// plain one does.
    bool may_ask_for_more = false;

    int plain_of(size_t part) const { return plain.empty() ? static_cast<int>(groups[part].size()) - 1 : plain[part]; }
};

struct VerifyOptions {
    int max_registers = 64;
    double time_limit_s = 120;  ///< of one trial: generous, only there for a child that hangs
    int at_once = 2;            ///< trials side by side; the result does not depend on it
};

struct Verified {
    Plan plan;
    std::vector<int> choice;     ///< by part; empty where nothing compiles, on the host either: `wrong` says why
    std::vector<int> registers;  ///< by group, the most of its kernels
    int fallbacks = 0;           ///< parts that became plain although another candidate was ranked before
    int trials = 0;
    bool ok = false;              ///< the plan lowers as planned; else it is right, but slow, or partly on the host
    std::vector<Notice> notices;  ///< parts that are not what they should be, with the first thing that was in the way
    std::vector<Notice> wrong;    ///< unless `ok`: what is not as planned in the last trial of the whole
    std::string log;              ///< what happened, for HL_DEBUG_WARPTILE=verify
};

/// Leaves the Funcs untouched: every trial is lowered in a forked child. Deterministic.
Verified verify(const Candidates &candidates, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                const Machine &machine, const VerifyOptions &options);

}  // namespace warptile
