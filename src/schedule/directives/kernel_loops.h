// The loops of a kernel's output stage: grid, block, warp, lanes, and what is left inside a thread.
#pragma once

#include <string>
#include <vector>

#include "schedule/directives/directive.h"
#include "schedule/directives/names.h"
#include "schedule/plan.h"

namespace warptile {

/// A stage of a Func, or a specialization of it, as directives name it.
struct StageName {
    std::string func;
    int stage = 0;
    std::string specialized;
};

Directive on(const StageName &stage, Op op, std::vector<std::string> names = {}, std::vector<int64_t> numbers = {});
Directive split(const StageName &stage, const std::string &old, const std::string &outer, const std::string &inner,
                int64_t factor, SplitTail tail);

/// Another piece of code of the stage, for where the tests hold. It has the loops that the stage has by now, and what
/// it is given beyond them is its own. Its name tells what it is for.
StageName specialize(const StageName &stage, std::vector<SizeTest> tests, const char *what, Names &names,
                     std::vector<Directive> &calls);

void unroll_all(const StageName &stage, const std::vector<std::string> &loops, std::vector<Directive> &calls);

/// The loop by the name under which it may be cut by tails that are guarded. Of an update with a `where` it is first
/// cut into points, whose loop goes to the end of `points` and has to be the innermost: Halide puts the test of the
/// `where` where all of its loops are known, and that of a tail as far outside as it can, so that now the tail's is
/// made first. Otherwise the `where` would be evaluated, and read, for steps that there are not.
std::string free_to_cut(const StageName &stage, const NamedLoop &loop, Names &names, std::vector<std::string> &points,
                        std::vector<Directive> &calls);

/// A reduction loop cut for steps that are taken together: those, and the turns around them; empty where there are
/// none.
struct StepLoops {
    std::string step, turn;
};

/// `count` steps at once. Where they do not divide the loop Halide tests each, but in the last turn only, since its
/// lowering takes the loop in two.
StepLoops take_steps(const StageName &stage, const NamedLoop &loop, int count, Names &names,
                     std::vector<std::string> &points, std::vector<Directive> &calls);

/// The loops at which members are computed.
struct KernelLoops {
    std::string block;   ///< the innermost loop over blocks: Placement::Block
    std::string warp;    ///< the innermost loop over warps: Placement::Warp; empty in a kernel without lanes
    std::string thread;  ///< the innermost loop over threads or lanes: Placement::Thread
    std::string step;    ///< of a member with one update, its innermost reduction loop: Member::each_step; else empty
    std::string stream;  ///< the points that a warp of a streamed kernel takes one after the other; else empty
    std::vector<SizeTest> whole_tiles;  ///< of a kernel with Tail::Both: where no tile is cut
};

/// The loops of a stage by number: one a dimension of the Func (without a name where an update does not keep it), then
/// the reductions, innermost first.
std::vector<NamedLoop> numbered_loops(const NamedFunc &func, int stage);

/// The dimensions that a grid may have.
constexpr size_t kGridDimensions = 3;

/// Tiles a stage whose loops are `loops`, numbered as above; the axes of `tile` name them by number. Loops over blocks
/// are fused to at most `grid_dimensions`, or, of a stage with a `where`, to as many as a grid may have. Where the tile
/// has neither threads nor lanes and `one_thread` is set, a loop over one thread is made for members to be computed in:
/// at the block, each of their statements would be behind a test and a barrier.
KernelLoops tile_kernel(const StageName &stage, const std::vector<NamedLoop> &loops, const KernelTile &tile,
                        SplitTail tail, size_t grid_dimensions, bool one_thread, Names &names,
                        std::vector<Directive> &calls);

}  // namespace warptile
