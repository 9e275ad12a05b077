#pragma once

// How a histogram is cut so that its additions do not wait for each other, and what that costs: into parts that lie in
// global memory, where those to one line of the L2 cache wait, or one for each block in shared memory.
// `histograms.h` makes the kernels.

#include <vector>

#include "machine/machine.h"
#include "model/cost_model.h"
#include "search/candidates.h"

namespace warptile {

struct HistogramCut {
    enum class Where {
        Lines,   ///< parts in global memory, a block's threads side by side along a row
        Lanes,   ///< the same of a histogram of one row: neighboring threads add to different parts
        Blocks,  ///< a part a block, in shared memory
    };
    Where where = Where::Lines;
    int rvar = 0;                ///< the reduction variable that is split …
    int parts = 1;               ///< … into so many
    int row = 0;                 ///< Blocks: the reduction variable that a block's threads share
    int threads = 1;             ///< Blocks
    std::vector<int64_t> cells;  ///< Blocks: along each dimension of the histogram, at every size
    Draft begin;                 ///< of the Func itself
    Draft update;                ///< as if it was of the Func itself, but to so many parts
    double us = 0;               ///< of all kernels
};

/// Parts that a thread of the last kernel adds up unrolled, so that their loads wait together.
constexpr int kUnrolledHistograms = 32;

/// The ways to cut the Func's only update, which scatters; none where it cannot run atomically, is short, or has lines
/// enough.
std::vector<HistogramCut> histogram_cuts(const KeptGraph &graph, const Machine &machine, const CostModel &model,
                                         int output);

}  // namespace warptile
