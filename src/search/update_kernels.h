#pragma once

// Updates at root, which are kernels of their own without members. The steps of a scan wait for each other; the loads
// of several can at least be under way together.

#include "search/candidates.h"

namespace warptile {

/// The kernel of an update stage: one point a thread, and of a long scan up to `most_steps` steps together.
Draft draft_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps);

}  // namespace warptile
