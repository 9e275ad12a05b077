#pragma once

// A group of the cut: what one kernel computes.

#include <vector>

namespace warptile {

struct GroupSpec {
    int output = 0;
    std::vector<int> members;  ///< ascending
    /// The cheapest cut of it into several groups, producers first, for where Halide or the registers do not take it
    /// whole. Empty where there is none.
    std::vector<GroupSpec> cut = {};
};

}  // namespace warptile
