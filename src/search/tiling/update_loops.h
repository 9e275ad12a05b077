#pragma once

// Which loops of an update at root are dealt to threads and blocks, and in what tiles: those whose steps are apart, be
// they dimensions or reductions, and where it adds atomically all of them. With outer loops taken in turn, each step a
// launch of its own, there are more of them.

#include <vector>

#include "dag/function_dag.h"
#include "schedule/plan.h"

namespace warptile {

/// How an update that can run atomically adds.
enum class Additions {
    Atomic,  ///< many threads at once: what becomes of an addition only the trial shows
    Serial,  ///< what may meet one after the other, in one thread
};

/// Whether threads share all loops of the update.
bool is_atomic(const Stage &update, Additions additions);

/// A loop that may be dealt to threads and blocks.
struct DealtLoop {
    int number = 0;         ///< as AxisTile::dim: dimensions of the Func, then its reductions
    int64_t extent = 1;     ///< at the estimates
    int dimension = 0;      ///< of the Func, whose place it leads to
    bool in_place = false;  ///< Halide does not let it change places with others like it (`Loop::promised`)
    bool channel = false;   ///< what its steps cost together is less (`Stage::channel`)
};

/// The one along which neighbours are adjacent in memory comes first. `turns` is 0 or the stage's.
std::vector<DealtLoop> dealt_loops(const FunctionDag &dag, int node, int stage, bool atomic, int turns = 0);

/// The reduction loops that each thread takes step by step, by their numbers among the reductions, innermost first.
std::vector<int> serial_loops(const Stage &update, bool atomic, int turns = 0);

/// The tiles that are tried; the first has one point a thread, the last ones all steps of a channel. Reductions that
/// are dealt out are named in all, also those that are left to blocks alone.
std::vector<KernelTile> update_tiles(const std::vector<DealtLoop> &dealt);

}  // namespace warptile
