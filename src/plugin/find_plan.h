// From a pipeline to the plan that is returned: search, then verify, and where nothing that was proposed for some
// kernel can be verified, once more with as little inlined as can be. A kernel too large for the registers even in its
// plain form owes that to what was inlined into it, and that is decided before there are candidates to choose from.
#pragma once

#include "search/search.h"
#include "verify/verify.h"

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// Tells what a phase ("search", "verify") found, as text made only if it is wanted.
using TellPhase = std::function<void(const char *phase, const std::function<std::string()> &text)>;

/// `groups` of the result is how many parts the pipeline was cut into, each with candidates of its own.
struct FoundPlan {
    Verified verified;
    int groups = 0;
    std::vector<Notice> notices;  ///< of the search and of `verified`
};

FoundPlan find_plan(const FunctionDag &dag, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                    const Machine &machine, const SearchOptions &search_options, const VerifyOptions &verify_options,
                    const TellPhase &tell);

/// The plan that needs no analysis (schedule/plain_plan.h), verified: what has no kernel that compiles is on the host.
Verified find_plain_plan(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
                         const VerifyOptions &verify_options);

}  // namespace warptile
