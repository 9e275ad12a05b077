#pragma once

// Updates at root, which are kernels of their own without members. Steps of a sum or a scan wait for each other; the
// loads of several can at least be under way together.

#include "search/pricing/kernels.h"
#include "search/tiling/update_loops.h"

namespace warptile {

/// The kernel of an update stage, with up to `most_steps` steps of its innermost serial loop together; 1 asks for the
/// plainest tile as well. Where its reduction is divided into several `partials`, each has blocks of its own.
PricedKernel priced_update(const KeptGraph &graph, const CostModel &model, int output, int stage, int most_steps,
                           Additions additions, int partials = 1);

/// Those of all updates of a Func.
std::vector<PricedKernel> priced_updates(const KeptGraph &graph, const CostModel &model, int output, int most_steps,
                                         Additions additions);

}  // namespace warptile
