#include "schedule/directives/kernel_loops.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dag/saturating.h"
#include "machine/error.h"

namespace warptile {

namespace {

/// The parts that a stage's loops are cut into, each list innermost first.
struct Parts {
    std::vector<std::string> points;      ///< of one step each (`free_to_cut`)
    std::vector<std::string> serial;      ///< inside a thread, of loops whose steps are apart
    std::vector<std::string> reductions;  ///< inside a thread
    std::vector<std::string> steps;       ///< of reductions: those that are taken together
    std::string lane;
    std::string stream;  ///< the points that a warp takes one after the other
    std::vector<std::string> threads;
    std::vector<std::string> blocks;
    std::vector<std::string> turns;  ///< reductions around the launches
};

class Cutter {
public:
    Cutter(const StageName &stage, const KernelTile &tile, SplitTail tail, Names &names, std::vector<Directive> &calls)
        : stage_(stage), tile_(tile), tail_(tail), names_(names), calls_(calls) {}

    /// Cuts one loop into its parts. Its block part is returned, since those of loops with an axis come first.
    std::string cut(const NamedLoop &loop, const AxisTile &axis, bool lanes, bool stream) {
        const int64_t points = static_cast<int64_t>(axis.width) * axis.threads;
        const bool thread_loop = axis.threads > 1 || (lanes && !has_warps());
        const bool inner_loop = axis.width > 1 || lanes || stream;  // also of one point: members are computed at it
        if (!thread_loop && !inner_loop) {
            return loop.local;
        }
        const std::string whole = free_to_cut(stage_, loop, names_, parts_.points, calls_);
        const std::string block = name(loop, "block");
        const char *thread_role = tile_.lane_axis >= 0 ? "warp" : "thread";
        const std::string thread = thread_loop ? name(loop, thread_role) : "";
        const std::string inner = name(loop, lanes ? "row" : stream ? "stream" : "in");
        const SplitTail tail = loop.reduction ? SplitTail::GuardWithIf : tail_;
        if (!thread_loop) {
            calls_.push_back(split(stage_, whole, block, inner, points, tail));
        } else if (!inner_loop) {
            calls_.push_back(split(stage_, whole, block, thread, points, tail));
            parts_.threads.push_back(thread);
            return block;
        } else {
            const std::string rest = name(loop, "tile");
            // The tile is a multiple of the width, but Halide takes no other tail for an update.
            const SplitTail exact = stage_.stage > 0 ? SplitTail::GuardWithIf : SplitTail::RoundUp;
            if (axis.width == 1) {
                // Cut off last, the one point would hide from Halide where the loop ends, if that is a constant: what
                // the stage reads would be taken for whole tiles.
                calls_.push_back(split(stage_, whole, rest, inner, 1, exact));
                calls_.push_back(split(stage_, rest, block, thread, axis.threads, tail));
            } else {
                calls_.push_back(split(stage_, whole, block, rest, points, tail));
                calls_.push_back(taken_in_turn(axis) ? split(stage_, rest, inner, thread, axis.threads, exact)
                                                     : split(stage_, rest, thread, inner, axis.width, exact));
            }
            parts_.threads.push_back(thread);
        }
        if (lanes) {
            cut_row(loop, inner, axis.width);
        } else if (stream) {
            parts_.stream = inner;
        } else {
            (loop.reduction && !loop.apart ? parts_.reductions : parts_.serial).push_back(inner);
        }
        return block;
    }

    /// A reduction loop, the `number`-th of them, that no axis names.
    void keep_reduction(const NamedLoop &loop, int number) {
        const StepLoops cut =
            take_steps(stage_, loop, tile_.steps.of(static_cast<size_t>(number)), names_, parts_.points, calls_);
        if (!cut.step.empty()) {
            parts_.steps.push_back(cut.step);
        }
        if (!cut.turn.empty()) {
            parts_.reductions.push_back(cut.turn);
        }
    }

    bool has_warps() const {
        for (const AxisTile &a : tile_.axes) {
            if (a.threads > 1) {
                return true;
            }
        }
        return false;
    }

    Parts &parts() { return parts_; }

private:
    std::string name(const NamedLoop &loop, const char *role) { return names_.loop(loop.base, role, loop.reduction); }

    /// Whether the block's threads take the points along the axis in turn, so that those of a warp are side by side: of
    /// updates, along what is adjacent in memory. A thread of a pure stage has its points side by side, since what its
    /// members compute for one is for the next too.
    bool taken_in_turn(const AxisTile &axis) const { return stage_.stage > 0 && &axis == &tile_.axes.front(); }

    /// Deals a warp's part of a row to its lanes.
    void cut_row(const NamedLoop &loop, const std::string &row, int width) {
        const std::string lane = name(loop, "lane");
        // A row cut into columns of one point would hide from Halide where it ends: what the stage reads would be taken
        // for whole rows.
        if (tile_.layout == LaneLayout::Adjacent && tile_.adjacent > 1) {
            const std::string column = name(loop, "column");
            calls_.push_back(split(stage_, row, lane, column, tile_.adjacent,
                                   width % tile_.adjacent ? SplitTail::GuardWithIf : SplitTail::RoundUp));
            parts_.serial.insert(parts_.serial.begin(), column);
            parts_.lane = lane;
        } else if (width > kLanes) {
            const std::string chunk = name(loop, "chunk");
            calls_.push_back(
                split(stage_, row, chunk, lane, kLanes, width % kLanes ? SplitTail::GuardWithIf : SplitTail::RoundUp));
            parts_.serial.push_back(chunk);
            parts_.lane = lane;
        } else {
            parts_.lane = row;
        }
    }

    const StageName &stage_;
    const KernelTile &tile_;
    SplitTail tail_;
    Names &names_;
    std::vector<Directive> &calls_;
    Parts parts_;
};

void append(std::vector<std::string> &to, const std::vector<std::string> &from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Brings the grid to at most `most` dimensions. Loops are fused from the inside out: taken apart again as (g / a)
/// % b, a loop's value is the one that Halide sees through; as (g % (a * b)) / a it is taken for its whole range, and a
/// member of the kernel would be allocated as large. A fused loop is added to `reductions` where one of its loops is
/// there.
void limit_grid(const StageName &stage, size_t most, std::set<std::string> &reductions, Names &names,
                std::vector<std::string> &blocks, std::vector<Directive> &calls) {
    for (int i = 0; blocks.size() > most; i++) {
        std::string &inner = blocks[most - 1];
        const std::string outer = blocks[most];
        const bool reduction = reductions.count(inner) || reductions.count(outer);
        const std::string fused = names.loop(reduction ? "reduced_grid" : "grid", std::to_string(i).c_str(), reduction);
        if (reduction) {
            reductions.insert(fused);
        }
        calls.push_back(on(stage, Op::Fuse, {inner, outer, fused}));
        inner = fused;
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(most));
    }
}

/// Of a stage with a `where` (`free_to_cut`). A fused loop comes apart by a division by the extent of its inner loop,
/// of which Halide cannot always prove that it is above zero where that was cut twice: it then takes the outer one for
/// any number up to the product, either way, and asks inputs for as much. Loops that were not cut go innermost of what
/// is fused.
void divide_by_whole_loops(const std::vector<NamedLoop> &loops, size_t most, std::vector<std::string> &blocks) {
    const auto whole = [&](const std::string &block) {
        return std::any_of(loops.begin(), loops.end(), [&](const NamedLoop &loop) { return loop.local == block; });
    };
    if (blocks.size() > most) {
        std::stable_partition(blocks.begin() + static_cast<std::ptrdiff_t>(most) - 1, blocks.end(), whole);
    }
}

/// The loop that `axis.dim` stands for: a pure loop, or, counted after the Func's dimensions, a reduction.
int axis_of(const KernelTile &tile, int dim) {
    for (size_t i = 0; i < tile.axes.size(); i++) {
        if (tile.axes[i].dim == dim) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace

Directive on(const StageName &stage, Op op, std::vector<std::string> names, std::vector<int64_t> numbers) {
    Directive d;
    d.op = op;
    d.func = stage.func;
    d.stage = stage.stage;
    d.specialized = stage.specialized;
    d.names = std::move(names);
    d.numbers = std::move(numbers);
    return d;
}

Directive split(const StageName &stage, const std::string &old, const std::string &outer, const std::string &inner,
                int64_t factor, SplitTail tail) {
    Directive d = on(stage, Op::Split, {old, outer, inner}, {factor});
    d.tail = tail;
    return d;
}

StageName specialize(const StageName &stage, std::vector<SizeTest> tests, const char *what, Names &names,
                     std::vector<Directive> &calls) {
    Directive d = on(stage, Op::Specialize);
    d.tests = std::move(tests);
    d.local = names.func_local(stage.func + "_" + what);
    calls.push_back(d);
    return {stage.func, stage.stage, d.local};
}

void unroll_all(const StageName &stage, const std::vector<std::string> &loops, std::vector<Directive> &calls) {
    for (const std::string &loop : loops) {
        calls.push_back(on(stage, Op::Unroll, {loop}));
    }
}

std::string free_to_cut(const StageName &stage, const NamedLoop &loop, Names &names, std::vector<std::string> &points,
                        std::vector<Directive> &calls) {
    if (!loop.where) {
        return loop.local;
    }
    const std::string whole = names.loop(loop.base, "whole", loop.reduction);
    points.push_back(names.loop(loop.base, "point", loop.reduction));
    calls.push_back(split(stage, loop.local, whole, points.back(), 1, SplitTail::GuardWithIf));
    return whole;
}

StepLoops take_steps(const StageName &stage, const NamedLoop &loop, int count, Names &names,
                     std::vector<std::string> &points, std::vector<Directive> &calls) {
    StepLoops cut;
    if (count <= 1) {
        cut.turn = loop.local;
    } else if (loop.extent == count) {
        cut.step = loop.local;
    } else {
        const std::string whole = free_to_cut(stage, loop, names, points, calls);
        cut.turn = names.loop(loop.base, "turn", true);
        cut.step = names.loop(loop.base, "step", true);
        calls.push_back(split(stage, whole, cut.turn, cut.step, count, SplitTail::GuardWithIf));
    }
    return cut;
}

std::vector<NamedLoop> numbered_loops(const NamedFunc &func, int stage) {
    if (stage == 0) {
        return func.args;
    }
    std::vector<NamedLoop> result(func.args.size());
    for (const NamedLoop &loop : func.loops(stage)) {
        if (loop.reduction) {
            result.push_back(loop);
            continue;
        }
        for (size_t i = 0; i < func.args.size(); i++) {
            if (func.args[i].local == loop.local) {
                result[i] = loop;
            }
        }
    }
    return result;
}

KernelLoops tile_kernel(const StageName &stage, const std::vector<NamedLoop> &loops, const KernelTile &tile,
                        SplitTail tail, size_t grid_dimensions, bool one_thread, Names &names,
                        std::vector<Directive> &calls) {
    Cutter cutter(stage, tile, tail, names, calls);
    Parts &parts = cutter.parts();
    // Loops with an axis in the order of the axes, which is that of the thread dimensions; then the others.
    int64_t reduction_points = 1;
    std::set<std::string> reduction_blocks;
    for (size_t a = 0; a < tile.axes.size(); a++) {
        const size_t loop = static_cast<size_t>(tile.axes[a].dim);
        if (loop >= loops.size() || loops[loop].local.empty()) {
            throw Error("the plan tiles dimension " + std::to_string(loop) + " of '" + stage.func + "', stage " +
                        std::to_string(stage.stage) + ", which has no such loop; make the plan anew");
        }
        const int axis = static_cast<int>(a);
        parts.blocks.push_back(cutter.cut(loops[loop], tile.axes[a], axis == tile.lane_axis, axis == tile.stream));
        if (loops[loop].reduction) {
            reduction_blocks.insert(parts.blocks.back());
        }
    }
    const auto is_reduction = [](const NamedLoop &loop) { return loop.reduction; };
    const auto in_thread = std::count_if(loops.begin(), loops.end(), is_reduction) - tile.turns;
    int reductions = 0;
    for (size_t i = 0; i < loops.size(); i++) {
        const int number = loops[i].reduction ? reductions++ : 0;
        if (axis_of(tile, static_cast<int>(i)) >= 0 || loops[i].local.empty()) {
            continue;
        }
        if (loops[i].reduction && number >= in_thread) {
            parts.turns.push_back(loops[i].local);
        } else if (loops[i].reduction) {
            cutter.keep_reduction(loops[i], number);
            reduction_points =
                loops[i].extent ? saturating_multiply(reduction_points, loops[i].extent) : kUnrolledReduction + 1;
        } else {
            parts.blocks.push_back(loops[i].local);
        }
    }

    std::vector<std::string> order = parts.points;
    append(order, parts.serial);
    append(order, parts.steps);
    append(order, parts.reductions);
    if (!parts.lane.empty()) {
        order.push_back(parts.lane);
    }
    if (!parts.stream.empty()) {
        order.push_back(parts.stream);
    }
    append(order, parts.threads);
    append(order, parts.blocks);
    append(order, parts.turns);
    if (order.size() > 1) {
        calls.push_back(on(stage, Op::Reorder, order));
    }
    unroll_all(stage, parts.steps, calls);
    if (!parts.stream.empty()) {
        calls.push_back(on(stage, Op::Unroll, {parts.stream}));
    }
    if (tile.unroll) {
        unroll_all(stage, parts.serial, calls);
        if (reduction_points <= kUnrolledReduction) {
            unroll_all(stage, parts.reductions, calls);
        }
    }
    if (parts.blocks.empty()) {  // and no turns, within which something is dealt to blocks
        const std::string block = names.loop("one", "block");
        calls.push_back(on(stage, Op::SplitOutermost, {block}));
        parts.blocks.push_back(block);
    }
    parts.blocks.resize(parts.blocks.size() - std::min(parts.blocks.size() - 1, static_cast<size_t>(tile.host_loops)));
    if (!parts.points.empty()) {
        grid_dimensions = kGridDimensions;
        divide_by_whole_loops(loops, grid_dimensions, parts.blocks);
    }
    limit_grid(stage, grid_dimensions, reduction_blocks, names, parts.blocks, calls);
    if (one_thread && parts.threads.empty() && parts.lane.empty()) {
        const std::string &block = parts.blocks.front();
        parts.threads.push_back(names.loop("one", "thread"));
        calls.push_back(split(stage, block, block, parts.threads.front(), 1, tail));
    }
    calls.push_back(on(stage, Op::GpuBlocks, parts.blocks));
    if (!parts.threads.empty()) {
        calls.push_back(on(stage, Op::GpuThreads, parts.threads));
    }
    if (!parts.lane.empty()) {
        calls.push_back(on(stage, Op::GpuLanes, {parts.lane}));
    }

    KernelLoops result;
    result.block = parts.blocks.front();
    if (!parts.lane.empty()) {
        result.warp = parts.threads.front();
    }
    result.stream = parts.stream;
    result.thread = !parts.lane.empty() ? parts.lane : !parts.threads.empty() ? parts.threads.front() : result.block;
    return result;
}

}  // namespace warptile
