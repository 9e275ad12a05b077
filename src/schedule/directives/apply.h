// Makes the scheduling calls of a list of directives on the real Funcs.
#pragma once

#include <string>
#include <vector>

#include "Halide.h"
#include "schedule/directives/directive.h"

namespace warptile {

enum class ApplyTo {
    Gpu,
    HostMirror,  ///< lanes, threads and blocks stay serial loops; compute and store levels, splits and tails are the
                 ///< same
};

/// Returns Halide's names of the Funcs that the directives make (by `in` and `rfactor`), in that order.
/// Throws Halide's own errors where a directive is illegal. Advances Halide's counters of unique names exactly as the
/// printed text does when it is replayed.
std::vector<std::string> apply_directives(const std::vector<Directive> &directives,
                                          const std::vector<Halide::Func> &outputs, ApplyTo to = ApplyTo::Gpu);

}  // namespace warptile
