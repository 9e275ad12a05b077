#pragma once

// Updates at root whose reduction is cut into parts (`update_cut.h`): the steps of its domain are dealt out, every P-th
// to the same of P partial results (`rfactor`), which a last kernel adds up, a thread a cell. Where each of these is
// split once more, a kernel in between adds up what they were split into. They lie in global memory as a kernel's
// output; or, where the cells are as many at every size, each is a block's, which counts in shared memory and copies
// what it counted.

#include <vector>

#include "model/cost_model.h"
#include "search/writing/emit.h"

namespace warptile {

/// The candidates for a Func at root with one of its updates cut.
std::vector<Candidate> updates_in_parts(const RefMap &refs, const Machine &machine, const CostModel &model, int output);

/// The predicted microseconds of the best, of all its kernels; infinite where there is none.
double cost_in_parts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output);

}  // namespace warptile
