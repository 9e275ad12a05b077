#pragma once

// Histograms in several parts. Additions to a line of the L2 cache wait for each other, and a histogram of few cells
// has few lines: rows of its domain are dealt out, every P-th to the same of P partial results (`rfactor`), which a
// last kernel adds up, a thread a cell. They lie in global memory as a kernel's output, filled by atomic additions; or,
// where the cells are as many at every size, each is a block's, which counts in shared memory and copies what it
// counted.

#include <vector>

#include "model/cost_model.h"
#include "search/emit.h"

namespace warptile {

/// The candidates for a Func at root whose only update scatters; none where the update cannot run atomically, is short,
/// or has lines enough.
std::vector<Candidate> histogram_in_parts(const RefMap &refs, const Machine &machine, const CostModel &model,
                                          int output);

/// The predicted microseconds of the best, of all its kernels; infinite where there is none.
double cost_in_parts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output);

}  // namespace warptile
