#pragma once

// How a reduction of many values to few points is cut so that it fills the card: into parts for blocks, for a block's
// threads, and into the steps of a thread; and what that costs. `grid_reductions.h` makes the kernels.

#include <optional>
#include <vector>

#include "machine/machine.h"
#include "model/cost_model.h"
#include "schedule/plan.h"
#include "search/graph/kept_graph.h"

namespace warptile {

struct GridCut {
    /// One `rfactor`: which reduction variable, into how many parts.
    struct Split {
        int rvar = 0;
        int factor = 1;
    };

    bool columns = false;           ///< a warp's lanes have neighbouring points, and each walks down its column
    int blocks_rvar = 0;            ///< of each point's reduction over several blocks: which loop …
    int blocks = 1;                 ///< … and how many
    std::vector<Split> threads;     ///< of a block, innermost first
    int steps = 1, steps_loop = 0;  ///< of what a thread is left with, that it takes together, and of which loop
    std::vector<Sweep> kernels;     ///< in their order
    double cost = 0;                ///< of all of them

    bool frugal = false;  ///< of registers: less is unrolled

    int threads_a_point() const;
};

/// Lanes that have neighbouring columns; parts of blocks that a thread of the last kernel adds up, each waiting for the
/// one before; and that it can add up unrolled.
constexpr int kColumns = 32, kWaitingParts = 8, kUnrolledParts = 16;
/// Parts that an update of a Func at root adds up, where nothing can be computed inside its kernel.
constexpr int kPartsAtRoot = 32;

/// The cut for a card whose assembler runs out of registers on the first.
GridCut frugal(GridCut cut);

/// For the reduction `node`, alone or with `reader` in its last kernel (-1: none). None where it cannot be split, is
/// too short, or has so many points that they fill the card.
std::optional<GridCut> choose_cut(const KeptGraph &graph, const Machine &machine, const CostModel &model, int node,
                                  int reader);

/// Whether `reader` is a pure Func of the same points as the reduction `node`, each of which it reads where it is.
bool reads_point_by_point(const KeptGraph &graph, int reader, int node);

}  // namespace warptile
