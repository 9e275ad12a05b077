#pragma once

// Updates at root, which are kernels of their own without members. What limits them is that steps wait for each other:
// a scan's for what the one before stored, a histogram's for what it adds to. Loads of several steps can at least be
// under way together.

#include "search/candidates.h"

namespace warptile {

/// The kernel of an update stage: one point a thread; of a long scan, and of a thread that scatters, with up to
/// `most_steps` steps together.
Draft draft_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps);

}  // namespace warptile
