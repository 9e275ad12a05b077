#pragma once

// What the search is asked for.

#include <functional>
#include <string>
#include <vector>

#include "model/cost_model.h"
#include "search/space.h"

namespace warptile {

enum class Inlining {
    Worthwhile,  ///< all that is cheaper to evaluate again
    Wrappers,    ///< of inputs and tables alone: the least that a thread can have to evaluate
};

/// A Func whose kernels are not to be searched for: the search came to an end in them.
struct LeftPlain {
    int node = 0;
    std::string reason;  ///< as a Notice's
};

struct SearchOptions {
    int max_registers = 64;   ///< that the runtime lets a thread have
    bool reassociate = true;  ///< floating-point reductions may be summed in another order
    Inlining inlining = Inlining::Worthwhile;
    ModelName cost_model = ModelName::Roofline;
    Space space;
    int keep = 6;  ///< candidates a group, the plain one not counted
    std::vector<LeftPlain> left_plain;
    /// Told before the kernels of each group are sought, by its output's node id: whoever watches then knows where a
    /// search that does not come back is. May be empty.
    std::function<void(int)> begin_group;

    const LeftPlain *plain(int node) const;
};

}  // namespace warptile
