#pragma once

// Runs a pipeline on the host and records the regions that Halide realizes: the truth that the dag's regions are
// compared with. Nothing is inferred from text or from lowered code.

#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/region.h"
#include "dag_examples.h"

namespace warptile::test {

/// By Func, in the order in which its realizations began.
using Realizations = std::map<std::string, std::vector<Region>>;

/// All Funcs of the pipeline by name, wrappers included, outputs excluded.
std::map<std::string, Halide::Func> inner_funcs(const Example &example);

struct Recording {
    Realizations realized;
    std::map<std::string, Region>
        inputs;  ///< what Halide infers that each input must hold; none if the sizes are given
};

/// Realizes the outputs over their estimates, as scheduled.
Recording record(const Example &example);

bool contains(const Region &outer, const Region &inner);

}  // namespace warptile::test
