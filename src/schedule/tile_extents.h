// How large the tiles are at which members of a kernel are computed, and how many points a member can need in one: what
// its storage must hold.
#pragma once

#include <cstdint>
#include <vector>

#include "dag/footprint.h"
#include "dag/function_dag.h"
#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile {

/// The extents of the part of a kernel's output that a block, a warp or a thread computes; one a dimension. A thread
/// whose points are not adjacent (chunks of a row) counts with the whole interval that they lie in.
std::vector<int64_t> block_extents(const KernelTile &tile, int dims);
std::vector<int64_t> warp_extents(const KernelTile &tile, int dims);
std::vector<int64_t> thread_extents(const KernelTile &tile, int dims);

/// The part of a member that one thread computes, of `own` points in all: everything of a Thread member. `axes` are the
/// member's.
std::vector<int64_t> thread_part(Placement placement, const std::vector<AxisTile> &axes, const KernelTile &tile,
                                 std::vector<int64_t> own);

/// Columns side by side that a lane has of a row, or of each chunk of it.
int64_t columns_of(const KernelTile &tile);

/// Threads of the block's thread dimensions, innermost first: of a kernel with lanes 32 and then the warps.
std::vector<int> thread_counts(const KernelTile &tile);
/// The same of a Block member, the most of its stages: an axis of one thread is a loop.
std::vector<int> thread_counts(const Member &member);

/// What a member needs.
struct MemberExtents {
    std::vector<int64_t> points;  ///< per dimension the most points in any tile
    bool fixed = true;            ///< they hold at every size of the pipeline; otherwise only at the estimates
    std::vector<Known> known;     ///< by dimension, how far they hold
};

/// Per member of group `g` of a plan whose placements are well-formed.
std::vector<MemberExtents> member_extents(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag,
                                          const Group &g);

/// Of a reduction of this extent whose partial results have every `factor`-th value each: how many steps of one are
/// unrolled together. Few enough for the registers and enough to keep memory busy, where none of them has to be tested.
int64_t steps_of_a_partial(int64_t extent, int factor);

}  // namespace warptile
