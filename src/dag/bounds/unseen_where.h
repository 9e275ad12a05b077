// Updates whose `where` Halide does not see. What the value of an update reads twice, Halide's bounds inference takes
// out of it, and so out of the `where`: of a Func that is stored it asks for all that the RDom could reach. Of
// sum(x) += f(r) * f(r), where r <= x, that is f(0) to f(9) at an output of one point, if r has ten steps. Where f may
// be inlined, that is met already (`overreads.h`). Where f has updates itself, no schedule avoids it but one that
// computes f anew for each step, as the unscheduled pipeline does; so that the user is told
// (`schedule/tell_unseen_where.h`).
#pragma once

#include "dag/bounds/root_regions.h"

namespace warptile {

/// Sets `Node::unseen_where`. Regions and flags of the nodes are known.
void set_unseen_where(FunctionDag &dag, const RegionSources &sources);

}  // namespace warptile
