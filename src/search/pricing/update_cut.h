#pragma once

// How the reduction of an update at root is cut into parts, each with results of its own that a last kernel adds up,
// and what that costs. An update that adds atomically is cut so that its additions do not wait for each other: into
// parts in global memory, where those to one line of the L2 cache wait, or one for each block in shared memory. Any
// other associative and commutative one is cut because its places alone do not fill the card, or because its steps may
// meet and nothing makes one atomic: each thread then has a part for itself, of one reduction variable, or of two,
// since it takes tens of thousands of threads to hide how long each waits. `update_parts.h` makes the kernels.

#include <vector>

#include "machine/machine.h"
#include "model/cost_model.h"
#include "search/pricing/kernels.h"

namespace warptile {

struct UpdateCut {
    enum class Where {
        Lines,   ///< added atomically in global memory, a block's threads side by side along a row
        Lanes,   ///< the same of one row: neighboring threads add to different parts
        Blocks,  ///< added atomically, a part a block, in shared memory
        Places,  ///< in global memory, a block of places a part at a time
        Own,     ///< the same with a part a thread, of an update with few places or none
    };
    Where where = Where::Lines;
    int update = 0;              ///< which update of the Func
    int rvar = 0;                ///< the reduction variable that is split …
    int parts = 1;               ///< … into so many
    int second = 0;              ///< Own: the one, another or what is left of that, by which each of these is split …
    int each = 1;                ///< … into so many, which a kernel of its own adds up; 1: it is not
    int row = 0;                 ///< Blocks: the reduction variable that a block's threads share
    int threads = 1;             ///< Blocks
    std::vector<int64_t> cells;  ///< Blocks: along each dimension of the Func, at every size
    PricedKernel begin;          ///< of the Func itself
    std::vector<PricedKernel>
        updates;      ///< of all its updates; the one that is cut as if it was of so many partial results
    double cost = 0;  ///< of all kernels
};

/// Parts that a thread adds up unrolled, so that their loads wait together. Fewer of those that have a second level,
/// which may be of any type: 32 of 16 bits, each at an address of its own, spilled.
constexpr int kAddedTogether = 32, kOwnAddedTogether = 16;

/// Threads of a block each of which has a part of its own.
constexpr int kOwnThreads = 128;

/// The ways to cut each update of a Func at root; none where it is short, in order, or has lines or places enough.
std::vector<UpdateCut> update_cuts(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output);

}  // namespace warptile
