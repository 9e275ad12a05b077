#pragma once

// Copies of inputs in the registers of each thread. Points of one thread that read a place in common load it once each,
// since the compiler cannot tell (`ExpandedLoad::repeated`); from a copy of the thread's window they take it by a
// constant index. Of a 5 x 5 stencil with 8 rows a thread, 60 loads instead of 200.

#include "model/group_view.h"
#include "model/kernel.h"
#include "search/graph/kept_graph.h"

namespace warptile {

/// Adds to `kernel` a copy of each input of which a thread's points share places, where only stages in the thread's
/// loops read it. False: there is none.
bool add_own_copies(const KeptGraph &graph, const GroupView &view, Kernel &kernel);

}  // namespace warptile
