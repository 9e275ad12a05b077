// Updates whose `where` keeps them from reading an input further than there is, as r <= x does where a caller asks for
// few x. Halide's bounds inference sees that of the RDom's own variables. Cut by `rfactor`, or into steps that are
// taken together, each is made of two, and of a test of both it does not know how far either goes: what is read would
// grow to whole parts.
#pragma once

#include "dag/bounds/root_regions.h"

namespace warptile {

/// Sets `Stage::where_bounds`. Regions and flags of the nodes are known. True where some are new, so that flags change.
bool set_where_bounds(FunctionDag &dag, const RegionSources &sources);

}  // namespace warptile
