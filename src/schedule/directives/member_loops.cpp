#include "schedule/directives/member_loops.h"

#include <algorithm>

#include "machine/error.h"
#include "schedule/directives/lane_loops.h"
#include "schedule/directives/stage_loops.h"

namespace warptile {

namespace {

bool names_loop(const std::vector<AxisTile> &axes, size_t loop) {
    return std::any_of(axes.begin(), axes.end(), [&](const AxisTile &a) { return static_cast<size_t>(a.dim) == loop; });
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

/// The loops of a stage of a member in shared memory: those that `axes` name are dealt to the block's threads, which
/// take what is beyond their number in turn.
StageParts deal_to_threads(const StageName &stage, const std::vector<AxisTile> &axes, const Member &member,
                           const NamedFunc &func, Names &names, std::vector<Directive> &calls) {
    StageParts parts;
    // A dimension whose size is left to Halide may have any.
    const auto serial_of = [&](size_t loop) -> std::vector<std::string> & {
        return loop < member.storage.size() && member.storage[loop] == 0 ? parts.rolled : parts.serial;
    };
    std::vector<std::string> turns;  // of reductions that are dealt out: outside those that each thread has whole
    const std::vector<NamedLoop> loops = numbered_loops(func, stage.stage);
    for (const AxisTile &axis : axes) {
        const size_t at = static_cast<size_t>(axis.dim);
        if (at >= loops.size() || loops[at].local.empty()) {
            throw Error("the plan deals dimension " + std::to_string(axis.dim) + " of '" + func.local + "', stage " +
                        std::to_string(stage.stage) + ", to threads, but it has no such loop");
        }
        const NamedLoop &loop = loops[at];
        std::vector<std::string> &serial = loop.reduction ? turns : serial_of(at);
        if (axis.threads == 1) {
            // Cut into parts of one point, the loop would hide from Halide where it ends: what the stage reads
            // would be taken for whole tiles.
            serial.push_back(loop.local);
            continue;
        }
        const std::string more = names.loop(loop.base, "turn", loop.reduction);
        const std::string thread = names.loop(loop.base, "thread", loop.reduction);
        const std::string whole = free_to_cut(stage, loop, names, parts.points, calls);
        calls.push_back(split(stage, whole, more, thread, axis.threads, SplitTail::GuardWithIf));
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
            serial_of(i).push_back(loops[i].local);
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
    if (member.row_multiple > 1) {
        calls.push_back(
            on({func.local, 0, ""}, Op::AlignStorage, {func.args.at(0).local}, {int64_t{member.row_multiple}}));
    }
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

/// The innermost reduction loop of the only update, whose steps are taken one by one; empty: there is none.
std::string step_loop(const Member &member, const NamedFunc &func) {
    if (func.stages() != 2 || member.steps.together() > 1 || !member.atomic.empty()) {
        return "";
    }
    const std::vector<NamedLoop> loops = numbered_loops(func, 1);
    const auto innermost = std::find_if(loops.begin(), loops.end(), [](const NamedLoop &l) { return l.reduction; });
    return innermost == loops.end() ? "" : innermost->local;
}

/// The loop of `at` at which the member is computed.
const std::string &level_of(const Member &member, const KernelLoops &at) {
    switch (member.placement) {
    case Placement::Block:
        return at.block;
    case Placement::Warp:
        return at.stream.empty() ? at.warp : at.stream;
    case Placement::Thread:
        break;
    }
    return member.each_step ? at.step : at.thread;
}

}  // namespace

KernelLoops place_member(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                         const KernelTile &tile, Names &names, std::vector<Directive> &calls) {
    const std::string &level = level_of(member, loops);
    if (level.empty()) {
        throw Error("the plan computes '" + func.local + "' inside '" + at.local + "', which has no loop for it");
    }
    calls.push_back(on({func.local, 0, ""}, Op::ComputeAt, {at.local, level}));
    KernelLoops own = loops;
    own.step = step_loop(member, func);
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
