#include "schedule/member_loops.h"

#include <algorithm>

#include "machine/error.h"

namespace warptile {

namespace {

int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

bool names_loop(const std::vector<AxisTile> &axes, size_t loop) {
    return std::any_of(axes.begin(), axes.end(), [&](const AxisTile &a) { return static_cast<size_t>(a.dim) == loop; });
}

int64_t storage_of(const Member &member, size_t dim) { return dim < member.storage.size() ? member.storage[dim] : 0; }

/// What one stage of a member is cut into, each list innermost first.
struct StageParts {
    std::vector<std::string> serial, reductions, threads;
    std::string lane;
    std::string step;  // of a reduction: the steps that are taken together
    int64_t reduction_points = 1;
    int whole_reductions = 0;  ///< of `reductions`, those that are not dealt to threads
    bool total = false;        ///< its reduction runs over partial results
    NamedLoop usual;           ///< a reduction that has a Stage of its own for its usual extent; else without a name
};

/// A Stage of its own for the usual extent: how many steps there are is a constant then, so that those of partial
/// results can be unrolled, and none has to be tested.
void unroll_usual(const StageName &stage, const NamedLoop &loop, Names &names, std::vector<Directive> &calls) {
    SizeTest test;
    test.local = loop.whole_extent;
    test.extent = loop.usual_extent;
    test.exact = true;
    const StageName usual = specialize(stage, {test}, "usual", names, calls);
    if (loop.part) {
        return;  // unrolled already, or long
    }
    if (loop.usual_steps <= loop.steps_together) {
        unroll_all(usual, {loop.local}, calls);
        return;
    }
    const std::string turn = names.loop(loop.base, "turn", true), step = names.loop(loop.base, "step", true);
    calls.push_back(split(usual, loop.local, turn, step, loop.steps_together, SplitTail::GuardWithIf));
    unroll_all(usual, {step}, calls);
}

/// Reductions go outside the pure loops of a thread, so that a tile of accumulators stays in registers while one
/// reduction step serves all of them.
void finish_stage(const StageName &stage, const StageParts &parts, bool unroll, Names &names,
                  std::vector<Directive> &calls) {
    std::vector<std::string> order = parts.serial;
    if (!parts.step.empty()) {
        order.push_back(parts.step);
    }
    order.insert(order.end(), parts.reductions.begin(), parts.reductions.end());
    if (!parts.lane.empty()) {
        order.push_back(parts.lane);
    }
    order.insert(order.end(), parts.threads.begin(), parts.threads.end());
    if (order.size() > 1) {
        calls.push_back(on(stage, Op::Reorder, order));
    }
    if (!parts.step.empty()) {
        calls.push_back(on(stage, Op::Unroll, {parts.step}));
    }
    if (unroll) {
        unroll_all(stage, parts.serial, calls);
    }
    if ((unroll || parts.total) && parts.reduction_points <= kUnrolledReduction) {
        unroll_all(stage, parts.reductions, calls);
    }
    if (!parts.threads.empty()) {
        calls.push_back(on(stage, Op::GpuThreads, parts.threads));
    }
    if (!parts.lane.empty()) {
        calls.push_back(on(stage, Op::GpuLanes, {parts.lane}));
    }
    if (!parts.usual.local.empty() && parts.usual.local == parts.reductions.front() && parts.whole_reductions == 1) {
        unroll_usual(stage, parts.usual, names, calls);
    }
}

/// Adds the next reduction loop of the stage, the `number`-th. Steps taken together are cut off theirs: where they do
/// not divide it Halide tests each, but in the last turn only, since its lowering takes the loop in two.
void add_reduction(const Steps &steps, const StageName &stage, const NamedLoop &loop, int number, Names &names,
                   StageParts &parts, std::vector<Directive> &calls) {
    if (stage.stage == 1 && steps.count > 1 && steps.loop == number) {
        const std::string turn = names.loop(loop.base, "turn", true);
        parts.step = names.loop(loop.base, "step", true);
        calls.push_back(split(stage, loop.local, turn, parts.step, steps.count, SplitTail::GuardWithIf));
        parts.reductions.push_back(turn);
        parts.whole_reductions++;
    } else {
        parts.reductions.push_back(loop.local);
        parts.whole_reductions++;
        parts.total = loop.part && parts.reductions.size() == 1;
        if (loop.usual_extent > 0) {
            parts.usual = loop;
        }
    }
    parts.reduction_points =
        loop.extent ? parts.reduction_points * loop.extent : parts.reduction_points * (kUnrolledReduction + 1);
}

void bound(const Member &member, const NamedFunc &func, size_t dim, int64_t bytes_unit, std::vector<Directive> &calls) {
    const int64_t points = storage_of(member, dim);
    if (points > 0) {
        calls.push_back(
            on({func.local, 0, ""}, Op::BoundStorage, {func.args[dim].local}, {round_up(points, bytes_unit)}));
    }
}

/// A stage all of whose loops are inside a thread.
void schedule_in_thread(const StageName &stage, const Steps &steps, bool unroll, const NamedFunc &func, Names &names,
                        std::vector<Directive> &calls) {
    StageParts parts;
    int reductions = 0;
    for (const NamedLoop &loop : numbered_loops(func, stage.stage)) {
        if (loop.reduction) {
            add_reduction(steps, stage, loop, reductions++, names, parts, calls);
        } else if (!loop.local.empty()) {
            parts.serial.push_back(loop.local);
        }
    }
    finish_stage(stage, parts, unroll, names, calls);
}

/// `schedule` for each stage of a member inside a warp or a thread. Steps that are taken together in whole tiles only
/// have a specialization of their own, on the test that the output's tiles have.
template<typename Schedule>
void schedule_stages(const Member &member, const NamedFunc &func, const std::vector<SizeTest> &whole_tiles,
                     const Schedule &schedule, Names &names, std::vector<Directive> &calls) {
    const bool apart = member.steps.whole_tiles && !whole_tiles.empty();
    for (int s = 0; s < func.stages(); s++) {
        const StageName stage{func.local, s, ""};
        if (s == 1 && apart) {
            schedule(specialize(stage, whole_tiles, "large", names, calls), member.steps);
        }
        schedule(stage, apart ? Steps() : member.steps);
        if (s == 1 && member.full) {
            specialize_full(stage, func, names, calls);
        }
    }
}

/// Everything inside the thread that reads it.
void place_at_thread(const Member &member, const NamedFunc &func, const std::vector<SizeTest> &whole_tiles,
                     Names &names, std::vector<Directive> &calls) {
    for (size_t i = 0; i < func.args.size(); i++) {
        bound(member, func, i, 1, calls);
    }
    const auto schedule = [&](const StageName &stage, const Steps &steps) {
        schedule_in_thread(stage, steps, member.unroll, func, names, calls);
    };
    schedule_stages(member, func, whole_tiles, schedule, names, calls);
}

/// A stage of a member in lane registers, `lane` its loop over the lanes, with `columns` adjacent ones each.
void schedule_over_lanes(const StageName &stage, const Steps &steps, const Member &member, const NamedFunc &func,
                         int64_t columns, const std::string &lane, Names &names, std::vector<Directive> &calls) {
    const size_t lane_dim = static_cast<size_t>(member.axes[0].dim);
    StageParts parts;
    int reductions = 0;
    const std::vector<NamedLoop> loops = numbered_loops(func, stage.stage);
    for (size_t i = 0; i < loops.size(); i++) {
        if (loops[i].reduction) {
            add_reduction(steps, stage, loops[i], reductions++, names, parts, calls);
        } else if (i == lane_dim && !loops[i].local.empty()) {
            // A chunk is 32 lanes wide whatever the extent, which may be a symbol; a lane loop's may not.
            const std::string chunk = names.loop(loops[i].base, "chunk");
            const std::string row = columns > 1 ? names.loop(loops[i].base, "row") : lane;
            calls.push_back(split(stage, loops[i].local, chunk, row, kLanes * columns, SplitTail::GuardWithIf));
            if (columns > 1) {
                const std::string column = names.loop(loops[i].base, "column");
                calls.push_back(split(stage, row, lane, column, columns,
                                      stage.stage > 0 ? SplitTail::GuardWithIf : SplitTail::RoundUp));
                parts.serial.push_back(column);
            }
            parts.serial.push_back(chunk);
            parts.lane = lane;
        } else if (!loops[i].local.empty()) {
            parts.serial.push_back(loops[i].local);
        }
    }
    if (parts.lane.empty()) {
        throw Error("the plan keeps '" + func.local + "' in lane registers, but its stage " +
                    std::to_string(stage.stage) + " does not run over the lanes' dimension");
    }
    finish_stage(stage, parts, member.unroll, names, calls);
}

/// The dimension of a member that is dealt to the lanes, innermost in storage. Every row starts at a multiple of 32
/// (times the columns of a lane), so that a store is affine in the lane with one stride.
size_t stripe_over_lanes(const Member &member, const NamedFunc &func, int64_t columns, std::vector<Directive> &calls) {
    if (member.axes.size() != 1 || static_cast<size_t>(member.axes[0].dim) >= func.args.size()) {
        throw Error("the plan keeps '" + func.local + "' in lane registers without one dimension for the lanes");
    }
    const size_t lane_dim = static_cast<size_t>(member.axes[0].dim);
    const StageName pure{func.local, 0, ""};
    if (lane_dim != 0) {
        std::vector<std::string> order = {func.args[lane_dim].local};
        for (size_t i = 0; i < func.args.size(); i++) {
            if (i != lane_dim) {
                order.push_back(func.args[i].local);
            }
        }
        calls.push_back(on(pure, Op::ReorderStorage, order));
    }
    if (func.args.size() > 1) {
        calls.push_back(on(pure, Op::AlignStorage, {func.args[lane_dim].local}, {kLanes * columns}));
    }
    return lane_dim;
}

int64_t columns_of(const KernelTile &tile) { return tile.layout == LaneLayout::Adjacent ? tile.adjacent : 1; }

/// All of a warp's tile, in the registers of its lanes.
std::string place_at_warp(const Member &member, const NamedFunc &func, const KernelTile &tile,
                          const std::vector<SizeTest> &whole_tiles, Names &names, std::vector<Directive> &calls) {
    const int64_t columns = columns_of(tile);
    const size_t lane_dim = stripe_over_lanes(member, func, columns, calls);
    for (size_t i = 0; i < func.args.size(); i++) {
        bound(member, func, i, i == lane_dim ? kLanes * columns : 1, calls);
    }
    const std::string lane = names.loop(func.args[lane_dim].base, "lane");
    const auto schedule = [&](const StageName &stage, const Steps &steps) {
        schedule_over_lanes(stage, steps, member, func, columns, lane, names, calls);
    };
    schedule_stages(member, func, whole_tiles, schedule, names, calls);
    return lane;
}

/// What one step of the stream needs and does not have from the step before, in the same registers. It is stored
/// further out than it is computed, so that the bounds are ones on the storage alone. Halide reckons the columns of the
/// last lanes in full: the row's bound is twice what the lanes hold, and what is never written takes no register.
std::string place_in_stream(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                            const KernelTile &tile, Names &names, std::vector<Directive> &calls) {
    const StageName pure{func.local, 0, ""};
    const int64_t columns = columns_of(tile);
    calls.push_back(on(pure, Op::StoreAt, {at.local, loops.warp}));
    calls.push_back(on(pure, Op::StoreInRegisters));
    const size_t lane_dim = stripe_over_lanes(member, func, columns, calls);
    for (size_t i = 0; i < func.args.size(); i++) {
        const int64_t points = i == lane_dim ? 2 * kLanes * columns : storage_of(member, i);
        if (points > 0) {
            calls.push_back(on(pure, Op::BoundExtent, {func.args[i].local}, {points}));
        }
    }
    const std::string lane = names.loop(func.args[lane_dim].base, "lane");
    schedule_over_lanes(pure, Steps(), member, func, columns, lane, names, calls);
    return lane;
}

/// The loops of a stage of a member in shared memory: those that `axes` name are dealt to the block's threads, which
/// take what is beyond their number in turn.
StageParts deal_to_threads(const StageName &stage, const std::vector<AxisTile> &axes, const Member &member,
                           const NamedFunc &func, Names &names, std::vector<Directive> &calls) {
    StageParts parts;
    std::vector<std::string> turns;  // of reductions that are dealt out: outside those that each thread has whole
    const std::vector<NamedLoop> loops = numbered_loops(func, stage.stage);
    for (const AxisTile &axis : axes) {
        const size_t at = static_cast<size_t>(axis.dim);
        if (at >= loops.size() || loops[at].local.empty()) {
            throw Error("the plan deals dimension " + std::to_string(axis.dim) + " of '" + func.local + "', stage " +
                        std::to_string(stage.stage) + ", to threads, but it has no such loop");
        }
        const NamedLoop &loop = loops[at];
        std::vector<std::string> &serial = loop.reduction ? turns : parts.serial;
        if (axis.threads == 1) {
            // Cut into parts of one point, the loop would hide from Halide where it ends: what the stage reads
            // would be taken for whole tiles.
            serial.push_back(loop.local);
            continue;
        }
        const std::string more = names.loop(loop.base, "turn", loop.reduction);
        const std::string thread = names.loop(loop.base, "thread", loop.reduction);
        calls.push_back(split(stage, loop.local, more, thread, axis.threads, SplitTail::GuardWithIf));
        serial.push_back(more);
        parts.threads.push_back(thread);
    }
    int reductions = 0;
    for (size_t i = 0; i < loops.size(); i++) {
        const int number = loops[i].reduction ? reductions++ : 0;
        if (loops[i].local.empty() || names_loop(axes, i)) {
            continue;
        }
        if (loops[i].reduction) {
            add_reduction(member.steps, stage, loops[i], number, names, parts, calls);
        } else {
            parts.serial.push_back(loops[i].local);
        }
    }
    if (!turns.empty()) {
        parts.reductions.insert(parts.reductions.end(), turns.begin(), turns.end());
        parts.reduction_points = kUnrolledReduction + 1;  // not known
    }
    return parts;
}

/// Kept in shared memory. Updates are dealt to the threads as the pure stage is, but for an atomic one.
std::string place_at_block(const Member &member, const NamedFunc &func, Names &names, std::vector<Directive> &calls) {
    for (size_t i = 0; i < func.args.size(); i++) {
        bound(member, func, i, 1, calls);
    }
    std::string innermost;
    for (int s = 0; s < func.stages(); s++) {
        const StageName stage{func.local, s, ""};
        const bool atomic = s > 0 && !member.atomic.empty();
        if (atomic) {
            calls.push_back(on(stage, Op::Atomic));
        }
        const StageParts parts =
            deal_to_threads(stage, atomic ? member.atomic : member.axes, member, func, names, calls);
        finish_stage(stage, parts, member.unroll, names, calls);
        if (s == 1 && member.full) {
            specialize_full(stage, func, names, calls);
        }
        if (s == 0 && !parts.threads.empty()) {
            innermost = parts.threads.front();
        }
    }
    return innermost;
}

}  // namespace

void specialize_full(const StageName &stage, const NamedFunc &func, Names &names, std::vector<Directive> &calls) {
    const std::vector<SizeTest> tests = names.sizes_of_full(func);
    if (!tests.empty()) {
        specialize(stage, tests, "full", names, calls);
    }
}

KernelLoops place_member(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                         const KernelTile &tile, Names &names, std::vector<Directive> &calls) {
    const std::string &level = member.placement == Placement::Thread  ? loops.thread
                               : member.placement == Placement::Block ? loops.block
                               : loops.stream.empty()                 ? loops.warp
                                                                      : loops.stream;
    if (level.empty()) {
        throw Error("the plan computes '" + func.local + "' inside '" + at.local + "', which has no loop for it");
    }
    calls.push_back(on({func.local, 0, ""}, Op::ComputeAt, {at.local, level}));
    KernelLoops own = loops;
    switch (member.placement) {
    case Placement::Thread:
        place_at_thread(member, func, loops.whole_tiles, names, calls);
        own.thread.clear();
        break;
    case Placement::Warp:
        own.thread = loops.stream.empty() ? place_at_warp(member, func, tile, loops.whole_tiles, names, calls)
                                          : place_in_stream(member, func, at, loops, tile, names, calls);
        break;
    case Placement::Block:
        own.thread = place_at_block(member, func, names, calls);
        break;
    }
    return own;
}

}  // namespace warptile
