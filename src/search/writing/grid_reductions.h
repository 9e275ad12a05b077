#pragma once

// Reductions of a large domain to few points. The blocks of one kernel fill the card, each reducing a part: its threads
// what they can in registers, then a warp what the threads found, then one thread. Where several blocks share a point a
// second kernel reduces what they found, and computes what reads the result where that is a Func of the same points.
// Partial results of blocks are stored by copies (`in()`), so that their initialisation is no kernel of its own.

#include <vector>

#include "model/cost_model.h"
#include "search/writing/emit.h"

namespace warptile {

/// The candidates for a group whose only reduction is `output` itself, alone, or its only member: the best, and one
/// that needs fewer registers. None where it cannot be split, or its points fill the card.
std::vector<Candidate> reduce_over_grid(const RefMap &refs, const Machine &machine, const CostModel &model, int output,
                                        const std::vector<int> &members);

/// The cost of the best; infinite where there is none.
double cost_over_grid(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output,
                      const std::vector<int> &members);

}  // namespace warptile
