// Everything that has to think, from the outputs to a plan that was seen to compile: dag, search, verify. It runs in a
// forked child, so that no crash, no overflow and no leak of it reaches the user's process, and so that Halide's
// counters of unique names stay where a replay of the schedule finds them.
#pragma once

#include "machine/machine.h"
#include "plugin/debug.h"
#include "plugin/parameters.h"
#include "schedule/notice.h"
#include "schedule/plan.h"

#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

struct Analysis {
    Plan plan;
    int groups = 0;
    int fallbacks = 0;    ///< parts of the pipeline that became plain
    bool failed = false;  ///< the analysis crashed or hung: `plan` is the plain plan
    std::string why_failed;
    std::vector<Notice> notices;  ///< what a user should be told of the plan
    std::string log;              ///< what `debug` asked for
};

/// Throws Error for what is the user's mistake: no estimates, Funcs that are scheduled already, a plan file that does
/// not fit, or a pipeline that Halide cannot lower, on the host either. A crash in the search for one kernel makes that
/// one plain, whatever else goes wrong the whole plan, which is then seen to compile too.
Analysis analyse(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
                 const Parameters &parameters, const Debug &debug);

}  // namespace warptile
