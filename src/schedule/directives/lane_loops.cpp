#include "schedule/directives/lane_loops.h"

#include "machine/error.h"
#include "schedule/directives/stage_loops.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

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
            const std::string whole = free_to_cut(stage, loops[i], names, parts.points, calls);
            calls.push_back(split(stage, whole, chunk, row, kLanes * columns, SplitTail::GuardWithIf));
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

}  // namespace

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

// It is stored further out than it is computed, in the same registers from step to step, so that the storage is what
// has to be bounded by name. Halide reckons the columns of the last lanes in full: the row's bound is twice what the
// lanes hold, and what is never written takes no register.
std::string place_in_stream(const Member &member, const NamedFunc &func, const NamedFunc &at, const KernelLoops &loops,
                            const KernelTile &tile, Names &names, std::vector<Directive> &calls) {
    const StageName pure{func.local, 0, ""};
    const int64_t columns = columns_of(tile);
    calls.push_back(on(pure, Op::StoreAt, {at.local, loops.warp}));
    calls.push_back(on(pure, Op::StoreInRegisters));
    const size_t lane_dim = stripe_over_lanes(member, func, columns, calls);
    for (size_t i = 0; i < func.args.size(); i++) {
        const int64_t points = i == lane_dim ? int64_t{2} * kLanes * columns : storage_of(member, i);
        if (points > 0) {
            calls.push_back(on(pure, Op::BoundExtent, {func.args[i].local}, {points}));
        }
    }
    const std::string lane = names.loop(func.args[lane_dim].base, "lane");
    schedule_over_lanes(pure, Steps(), member, func, columns, lane, names, calls);
    return lane;
}

}  // namespace warptile
