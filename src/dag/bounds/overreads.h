// Funcs that cannot be stored without reading more of an input than the unscheduled pipeline does. Halide computes a
// box of what it stores. Where readers need points of it that do not fill the box, such as (x, 0), (x, 1) and
// (x + 1, 0), the corner that nobody needs may lie further out in an input: of in(2 * x + c) it does. The unscheduled
// pipeline inlines such a Func and never asks for the corner, and a caller's buffer need not have it. Nor does it ask
// for what only looks as if it were read: Halide asks for an input what the simplified code reads, but makes boxes from
// the code as it is inlined, so that also a copy of an input may be larger than what is needed of it; and some values
// are seen to be constants only where several Funcs are inlined (`inlined_stages.h`). Whether there is such a corner
// depends on the sizes that the outputs are asked for, so that others than their estimates are tried.
#pragma once

#include "dag/bounds/root_regions.h"

namespace warptile {

/// Sets `Node::overreads`. Regions and flags of the nodes are known.
void set_overreads(FunctionDag &dag, const RegionSources &sources);

}  // namespace warptile
