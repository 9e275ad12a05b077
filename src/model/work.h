#pragma once

// The work of a kernel, stage by stage: how often a block's warps run the unrolled body of each stage, how large that
// body is, and which loop adjacent lanes walk. Instructions, traffic and registers are all counted from this.

#include <memory>
#include <vector>

#include "model/kernel.h"
#include "model/warp_access.h"

namespace warptile {

struct Work {
    int part = -1;                 ///< index in Kernel::parts; -1: the kernel's output
    int stage = 0;                 ///< of that Func
    double repeats = 0;            ///< times that the warps of a block, together, run the body
    std::vector<double> unrolled;  ///< points of the body per loop of the stage, side by side in one thread
    double chunks = 1;             ///< bodies that a lane runs side by side, 32 columns apart
    double columns = 1;            ///< of these, those that differ in the column alone
    double steps = 1;              ///< of a reduction that are unrolled, so that their loads wait together
    double serial = 1;             ///< dependent steps of a reduction that is not unrolled, already in `repeats`
    double around = 1;             ///< steps of a reduction it is computed inside of, one after the other, in `repeats`
    bool chained = false;          ///< each step reads what the one before has stored in global memory
    bool in_steps = false;         ///< such steps are counted in `unrolled`
    std::vector<double> of_a_step;  ///< where they are: `unrolled` of one of them
    int turn_loops = 0;             ///< reduction loops of which something is left around them
    double turns = 1;               ///< of loops of a part that stay loops: bodies one after the other, in `repeats`
    int stream_loop = -1;           ///< of a streamed kernel: the loop of its rows, counted in `unrolled`; else -1
    std::vector<LaneWalk> lanes;    ///< of a warp, innermost first
    double points() const;          ///< of the body, over all chunks

    int lane_loop() const { return lanes.empty() ? -1 : lanes.front().loop; }  ///< that adjacent lanes walk; -1: none

    /// Of a streamed kernel the body of one row: what is in registers together.
    Work row() const;

    /// Loads that the body makes together. What is the same in all columns is loaded once.
    double distinct(const ExpandedLoad &load) const;

    /// The same of one of the steps, where they are counted so.
    double distinct_of_a_step(const ExpandedLoad &load) const;

    /// Those of them whose addresses are computed: what lies beside another in memory is at a constant distance from
    /// it, and rows are if their strides are numbers.
    double addresses(const GroupView &view, const ExpandedLoad &load) const;

    /// An update that sums up products for several points in registers, in a loop over its reduction. (Of a smaller
    /// body the assembler takes several turns together.)
    bool sums_in_registers(const Kernel &kernel) const;

    /// What a point costs: the group's own, or (a copy, a total) made for this work.
    const Expansion &expansion() const;

    const Expansion *of_group = nullptr;
    std::shared_ptr<const Expansion> made;
};

/// An update each step of which adds no more than a product.
bool sums_products(const Expansion &update);

/// Whether the steps of a reduction, though few, have so much to do for indices (each a value behind two boundary
/// conditions, say) that all of them unrolled fit no registers, since the compiler makes up all indices first, and take
/// seconds to compile. They stay a loop where a thread has one point.
bool too_large_to_unroll(const Stage &stage, const Expansion &expansion);

/// An update that goes from place to place, none of them chosen by data, and reads what it stored before.
bool is_scan(const Stage &stage);

/// An update that reads and stores at places that data choose, so that a step's value is in no register of the next.
bool updates_by_data(const Stage &stage);

/// Loads of its own Func that an update makes at each step.
double reads_of_itself(const Stage &update);

/// The output first, then the parts in their order.
std::vector<Work> work_of(const GroupView &view, const Kernel &kernel, const Geometry &g);

}  // namespace warptile
