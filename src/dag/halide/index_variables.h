// What an index expression is made of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/region.h"

namespace warptile {

/// A loop of the stage that an index belongs to.
struct IndexLoop {
    int loop = 0;                   ///< its number
    std::optional<Interval> range;  ///< of a reduction of constant length
};

using IndexLoops = std::map<std::string, IndexLoop>;  ///< by name

struct IndexVariables {
    bool loads = false;              ///< values of Funcs and images
    bool parameters = false;         ///< parameters, and sizes of buffers
    std::vector<std::string> loops;  ///< each once, in the order in which they occur first
};

IndexVariables index_variables(const Halide::Expr &index, const IndexLoops &loops);

}  // namespace warptile
