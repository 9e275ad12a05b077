// A schedule as plain data: which Funcs make up each GPU kernel, how the kernel's output is tiled, and where every
// other Func of it is computed and kept. Nothing here knows Halide or costs; `directives.h` turns a Plan into calls on
// Funcs. A Plan can be written to JSON and read back (`plan_json.h`), so that a person can edit one, a test can fix one
// and a tuner can try many.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "dag/saturating.h"

namespace warptile {

/// A Func by number: i < Plan::funcs is `pipeline.get_func(i)`; Plan::funcs + k is the Func that Plan::derived[k]
/// makes.
using FuncRef = int;

/// Lanes of a warp.
constexpr int kLanes = 32;

/// Reduction loops whose constant extents multiply to at most this are unrolled.
constexpr int64_t kUnrolledReduction = 32;

/// Where a member of a group is computed and kept. A Func that no group names is inline.
enum class Placement {
    Thread,  ///< inside the thread's loops, or inside a reduction's there (`Member::each_step`): its registers
    Warp,    ///< once a warp: striped over the registers of its lanes, read by shuffles
    Block,   ///< once a block: shared memory, a barrier before it is read
};

/// How a warp's lanes share a row.
enum class LaneLayout {
    Chunked,   ///< lane l has columns l, l + 32, …: coalesced
    Adjacent,  ///< lane l has columns k*l .. k*l + k-1: fewer shuffles for each output
};

/// How the loop over one dimension is cut, from the grid down to a thread. A block covers `threads * width` points.
struct AxisTile {
    int dim = 0;      ///< dimension of the Func (index of its pure variable)
    int width = 1;    ///< points along it of one thread; on the lane axis, of one warp
    int threads = 1;  ///< threads along it in a block; on the lane axis and in kernels with lanes, warps
};

/// Steps of a serial reduction that a thread takes together: a box of its loops, unrolled inside all that is left of
/// them. The loads of a box are under way at the same time, and what several of its steps and points read is loaded
/// once: of a convolution over channels, the window of a channel. A loop is cut by its count, or lies in the box whole
/// where that is its extent. That is so at every length; `Member::full` and `Derived::usual_extent` each add code for
/// some lengths.
struct Steps {
    /// For each reduction loop of the update (of a member: of its first), innermost first; of loops beyond the end, 1.
    std::vector<int> counts;
    /// Of a member in a kernel with Tail::Both: only where tiles are whole. Where every point is tested, a body of many
    /// steps would not fit the registers.
    bool whole_tiles = false;

    int of(size_t loop) const { return loop < counts.size() ? counts[loop] : 1; }

    /// Steps of a box; 1: one after the other.
    int64_t together() const { return std::accumulate(counts.begin(), counts.end(), int64_t{1}, saturating_multiply); }
};

inline Steps steps_along(int loop, int count) {
    Steps steps;
    if (count > 1) {
        steps.counts.assign(static_cast<size_t>(loop) + 1, 1);
        steps.counts.back() = count;
    }
    return steps;
}

/// The loops of one kernel's output. Dimensions that no axis names are one point a block. Threads are numbered in the
/// order of `axes`, which therefore starts with the dimension that is adjacent in memory.
struct KernelTile {
    std::vector<AxisTile> axes;
    int lane_axis = -1;  ///< index in `axes` of the axis that runs over the lanes of a warp; -1: a kernel without lanes
    LaneLayout layout = LaneLayout::Chunked;
    int adjacent = 1;  ///< columns of a lane under LaneLayout::Adjacent
    /// Index in `axes` of the axis whose points a warp takes one after the other, with all its members on their way: of
    /// each only the rows that are still to be read are in the lanes' registers, so that the tile may be high; -1:
    /// none. Not the lane axis. All members are Placement::Warp then. Where tiles do not fit (Tail::Both) its width
    /// is 1.
    int stream = -1;
    bool unroll = true;  ///< unroll the loops inside a thread
    /// So many of the outermost block loops are loops of the host, with a launch for each step: those of one step at
    /// the usual sizes, where more loops than the grid has dimensions would be fused.
    int host_loops = 0;
    Steps steps;  ///< of an update: of the reduction loops that no axis names
    /// So many of an update's outermost reduction loops are loops of the host, with a launch for each step: all that
    /// `Stage::turns` says, so that axes may name loops that are apart within a turn, or none.
    int turns = 0;
};

/// How the last tile of a dimension is cut when a tile does not divide it.
enum class Tail {
    RoundUp,  ///< compute a whole tile: only where nothing the pipeline can see grows
    Guard,    ///< test every point
    Both,     ///< where the sizes of `conditions` hold, shift the last tile inwards; otherwise test every point
};

/// `outputs[output].dim(dim).extent() >= extent`, for the pipeline's output buffers.
struct SizeCondition {
    int output = 0;
    int dim = 0;
    int64_t extent = 0;
};

/// A Func computed inside a group's kernel.
struct Member {
    FuncRef func = 0;
    Placement placement = Placement::Block;
    /// Thread: the Func in whose thread loops it is computed (the group's output, or a member with such loops).
    /// Warp and Block: the group's output.
    FuncRef at = 0;
    /// Thread, `at` a member with one update: computed anew at each step of the innermost reduction loop of that
    /// update, and as large as one step needs it. What varies from step to step then never lies there as a whole: a sum
    /// inside the loop of the sum that reads it.
    bool each_step = false;
    /// Block: how its dimensions are dealt to the block's threads, in the order of the kernel's thread dimensions; the
    /// points beyond `threads` along it are taken in turn, and `width` is not used. Warp: one axis, the one that runs
    /// over the lanes. Thread: none.
    std::vector<AxisTile> axes;
    /// Block: loops of its only update that the block's threads share, each adding atomically to the places in shared
    /// memory that its data choose; numbered as a kernel's axes are, reductions after the Func's dimensions, `width`
    /// not used. None: the update is dealt as `axes` say.
    std::vector<AxisTile> atomic;
    /// Per dimension the most points it needs in any tile (0: leave it to Halide). Needed wherever the output's tiles
    /// are guarded, since their extents are then symbols. Of a streamed kernel: 0 along the dimension that the stream
    /// walks, of which Halide keeps what is read again.
    std::vector<int64_t> storage;
    /// Block: what a row, along dimension 0, is rounded up to a multiple of, so that those of several rows that lanes
    /// touch together lie in different banks. For rows that `storage` leaves to Halide; others are as long as it says.
    int row_multiple = 1;
    bool unroll = true;
    Steps steps;
    /// Of a reduction that is split into partial results, or of such results: where it is so long that all of them have
    /// values, its first update is another piece of code, in which none is tested. It is the code for every length from
    /// there on and after any number of splits, and so has the loops it would have anyhow; `Derived::usual_extent` is
    /// for one length of one split, where loops are constant and can be unrolled. Not in lane registers.
    bool full = false;
};

/// One Func computed from global memory to global memory: one kernel a stage.
struct Group {
    FuncRef output = 0;
    KernelTile tile;
    Tail tail = Tail::Guard;
    std::vector<SizeCondition> conditions;  ///< of Tail::Both
    std::vector<Member> members;            ///< consumers before producers
    /// Tiles of the output's update stages, which are kernels of their own, right at every size by guards. An entry
    /// without axes runs on one thread a point of the pure loops that the update keeps.
    std::vector<KernelTile> updates;
    /// Updates that add to places that data choose run in parallel over the reduction, by atomic additions. Those of
    /// partial results are the output of a group of their own.
    std::vector<bool> atomic;
    bool full = false;     ///< as Member::full, of the output's first update
    bool on_host = false;  ///< computed at root by the host: extern stages, and what no GPU can do
};

/// A Func that the schedule itself makes.
struct Derived {
    enum class Kind {
        Staged,   ///< `source.in(consumers)`: a copy of what the consumers read of it, to be kept in the kernel
        Partial,  ///< `source.update(update)` split over lanes or threads by `rfactor`: one partial result each
    };
    Kind kind = Kind::Staged;
    FuncRef source = 0;
    std::vector<FuncRef> consumers;  ///< Staged: who reads the copy; none: everyone
    int update = 0;                  ///< Partial
    int rvar = 0;                    ///< Partial: which of the update's reduction variables is split …
    int factor = 32;  ///< … by this; the inner part becomes the new last dimension of the partial result
    /// Partial: where the variable's extent, no constant, is this one, the steps of a partial result are unrolled, so
    /// that their loads wait together; 0: nowhere. Unlike `Steps` it may stand where the steps read members of the same
    /// kernel, as in a softmax: where the length is a constant, Halide sees how much of them they need. Without effect
    /// where the extent is more than one size of a buffer and a constant, which Halide would not see through.
    int64_t usual_extent = 0;
};

struct Plan {
    std::string fingerprint;         ///< of the pipeline it was made for
    std::string gpu;                 ///< the card, by the name of its weights file
    int funcs = 0;                   ///< Funcs of the pipeline
    std::vector<std::string> names;  ///< of those Funcs, to be read by people
    std::vector<Derived> derived;    ///< in the order in which they are made
    std::vector<Group> groups;       ///< in the order of computation, producers first
};

}  // namespace warptile
