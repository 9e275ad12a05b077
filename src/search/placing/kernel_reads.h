#pragma once

// What in a kernel reads a Func, and how adjacent lanes or threads walk what they read: it decides where the Func may
// be kept. Parts are added to the kernel from consumers to producers, so that all readers of the next one are there.

#include <vector>

#include "model/kernel.h"

namespace warptile {

/// No loop (or dimension) walks with the lanes; several do, or it is not to be told.
constexpr int kNoLoop = -1, kConflict = -2;

struct KernelRead {
    const ExpandedLoad *load;
    const Stage *stage;
    int reader_part;  ///< index in Kernel::parts; -1: the output
    int lane_loop;    ///< of the stage: the loop that adjacent lanes walk; kNoLoop or kConflict
    bool serial;      ///< its reductions stay loops
};

class KernelReads {
public:
    /// Both are kept by reference; parts may be added.
    KernelReads(const GroupView &view, const Kernel &kernel) : view_(view), kernel_(kernel) {}

    /// Of the part that was added last, and what reads it: the dimension that walks with the lanes; kNoLoop or
    /// kConflict.
    void note(int lane_dim, const std::vector<KernelRead> &reads);

    /// Everything in the kernel that reads `node`.
    std::vector<KernelRead> of(int node) const;

    /// Whether neighbours read what is rows apart.
    bool across(const std::vector<KernelRead> &reads) const;

    /// Where the part that reads is computed.
    Placement level_of(int part) const;

    /// The parts at whose steps all of the reads are made, innermost first: where it can be computed at each step.
    std::vector<int> steps_of_all(const std::vector<KernelRead> &reads) const;

    /// Whether registers of a part could be named by constants: no index from data, none from a loop that stays a loop
    /// and is not around it. `step_of`: the part at each of whose steps it is computed; -1: once a thread or warp.
    bool constant_places(const std::vector<KernelRead> &reads, int step_of) const;

private:
    const GroupView &view_;
    const Kernel &kernel_;
    std::vector<int> lane_dims_;                // per part
    std::vector<std::vector<bool>> step_dims_;  // per part and dimension: moved by steps that stay a loop around it

    bool lanes() const { return kernel_.tile.lane_axis >= 0; }

    int lane_loop(const Stage &stage, int part) const;
    bool serial_steps(const Stage &stage, const Expansion &expansion, int part) const;
    int adjacent_loop(const KernelRead &read) const;
    std::vector<int> steps_of(const KernelRead &read) const;
    bool moved_by_steps(const KernelRead &read, const LoadAxis &axis, int step_of) const;

    const Part &part(int i) const { return kernel_.parts[static_cast<size_t>(i)]; }
};

/// The one dimension of what is read that walks with the lanes; kNoLoop or kConflict.
int lane_dim_of(const std::vector<KernelRead> &reads);

}  // namespace warptile
