#pragma once

// A kernel as the cost models see it: the tile of a group's output and where each other Func of the group is computed,
// by node ids of the FunctionDag. The search makes these, costs them, and turns the best into the Groups of a Plan.

#include <cstdint>
#include <vector>

#include "model/group_view.h"
#include "schedule/plan.h"

namespace warptile {

/// What a part of a kernel is.
enum class Role {
    Func,     ///< a member of the group
    Copy,     ///< a copy of what the kernel reads of an input of the group
    Partial,  ///< a member's reduction by `factor` lanes or threads, one partial result each
    Total,    ///< that member itself, which adds the `factor` partial results up
};

/// Where an update that adds atomically does.
enum class Counters {
    Lines,   ///< in global memory, by the lines of the L2 cache
    Shared,  ///< in the shared memory of each SM
};

struct Part {
    int node = 0;
    Role role = Role::Func;
    Placement placement = Placement::Block;
    int at = -1;                 ///< Thread: the part (index in Kernel::parts) whose thread it sits in; -1: the output
    bool each_step = false;      ///< Thread: as Member::each_step
    std::vector<AxisTile> axes;  ///< as Member::axes; for a Partial, dimension `dims()` of the node is the new last one
    int factor = 0;              ///< of Partial and Total
    int split_loop = -1;         ///< of Partial: the loop of the node's update 0 that is split
    int split_rvar = 0;          ///< the same, counted among its reduction loops
    int64_t usual_extent = 0;    ///< of Partial: as Derived::usual_extent
    Steps steps;                 ///< of a Func, in whole tiles: as Member::steps
    int stream_dim = -1;         ///< of a streamed kernel: the dimension that the stream walks
    bool across = false;         ///< neighbours among its readers read what is rows apart
};

struct Kernel {
    int stage = 0;         ///< of the output; updates at root are kernels of their own, without parts
    bool wrapped = false;  ///< the output is a copy (`f.in()`) of the group's output, which itself is parts[0]
    KernelTile tile;
    std::vector<Part> parts;              ///< consumers before producers
    bool guarded = false;                 ///< every point of the output is tested
    bool atomic = false;                  ///< of an update: all its loops are shared by threads, which add atomically
    int partials = 1;                     ///< of an update: its reduction is divided into so many partial results …
    Counters counters = Counters::Lines;  ///< … which, where it adds atomically, lie there
};

/// Sizes of a kernel's tiles, per dimension of the output (for an update: of the dimensions that it keeps), in points.
struct Geometry {
    std::vector<int64_t> thread;  ///< bounding box of a thread's points
    std::vector<int64_t> warp;    ///< of a warp's; without lanes the same as `thread`
    std::vector<int64_t> block;
    int64_t points = 1;         ///< of one thread
    int64_t threads = 1;        ///< a block
    int64_t warps = 1;          ///< a block, rounded up
    double blocks = 1;          ///< at the estimates
    std::vector<int64_t> grid;  ///< blocks per dimension
};

Geometry geometry(const GroupView &view, const Kernel &kernel);

/// Whether the kernel's reduction is divided into partial results that have blocks of their own. Those that are added
/// atomically share the blocks there are.
bool divides_blocks(const Kernel &kernel);

/// Whether every point of an update is tested. Halide takes the one loop of a grid in two, and tests in its last block
/// alone; it does not where the loop was fused from several.
bool tests_points(const Node &node, int stage, const KernelTile &tile);

/// The extent, at the estimates, of reduction loop `number` of a stage, counted among the reductions.
int64_t reduction_extent(const Node &node, int stage, int number);

/// How often the kernel is launched: once, or where outer loops are the host's (`KernelTile::turns`) for each of their
/// steps.
double launches(const Node &output, const Kernel &kernel);

/// The part that computes `node` for its readers (a Func, a Copy or a Total); -1: read from global memory.
int part_of(const Kernel &kernel, int node);

/// Points of a part as it is stored: rows of shared memory that are read across are padded (`padded_row`), and those
/// that may have any length (`spread_row`).
std::vector<int64_t> stored_extents(const GroupView &view, const Part &part, std::vector<int64_t> extents);

/// Points of a part, per dimension, where it is computed once: in a thread's, a warp's or the block's tile. A Partial
/// has its new dimension last.
std::vector<int64_t> part_extents(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part);

/// Whether these hold at every size of the pipeline.
bool fixed_part_extents(const GroupView &view, const Kernel &kernel, const Part &part);

}  // namespace warptile
