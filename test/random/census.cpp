#include "census.h"

#include <algorithm>
#include <vector>

namespace warptile::fuzz {

PlanCensus census(const Plan &plan) {
    PlanCensus c;
    std::vector<bool> named(static_cast<size_t>(plan.funcs));
    const auto derived = [&](FuncRef ref) {
        return ref >= plan.funcs ? &plan.derived[static_cast<size_t>(ref - plan.funcs)] : nullptr;
    };
    for (const Group &g : plan.groups) {
        g.on_host ? c.host++ : c.kernels++;
        c.chunked += g.tile.lane_axis >= 0 && g.tile.layout == LaneLayout::Chunked;
        c.adjacent += g.tile.lane_axis >= 0 && g.tile.layout == LaneLayout::Adjacent;
        c.streamed += g.tile.stream >= 0;
        c.round_up += g.tail == Tail::RoundUp;
        c.guard += g.tail == Tail::Guard;
        c.both += g.tail == Tail::Both;
        c.atomic += static_cast<int>(std::count(g.atomic.begin(), g.atomic.end(), true));
        if (const Derived *d = derived(g.output)) {
            c.wrapped += d->kind == Derived::Kind::Staged;
            c.rfactor_root += d->kind == Derived::Kind::Partial;
            c.histogram_parts += d->kind == Derived::Kind::Partial && !g.atomic.empty() && g.atomic[0];
        } else {
            named[static_cast<size_t>(g.output)] = true;
        }
        const auto count_steps = [&](const Steps &steps) {
            c.steps += steps.together() > 1;
            c.boxes += std::count_if(steps.counts.begin(), steps.counts.end(), [](int n) { return n > 1; }) > 1;
        };
        for (const KernelTile &update : g.updates) {
            count_steps(update.steps);
        }
        for (const Member &m : g.members) {
            count_steps(m.steps);
            c.thread += m.placement == Placement::Thread;
            c.each_step += m.each_step;
            c.warp += m.placement == Placement::Warp;
            c.block += m.placement == Placement::Block;
            c.histogram_block += !m.atomic.empty();
            c.any_size += m.placement == Placement::Block && g.tail != Tail::RoundUp &&
                          std::count(m.storage.begin(), m.storage.end(), 0) > 0;
            const Derived *d = derived(m.func);
            if (!d) {
                named[static_cast<size_t>(m.func)] = true;
            } else if (d->kind == Derived::Kind::Staged) {
                c.staged_thread += m.placement == Placement::Thread;
                c.staged_warp += m.placement == Placement::Warp;
                c.staged_block += m.placement == Placement::Block;
            } else {
                c.rfactor_warp += m.placement == Placement::Warp;
                c.rfactor_block += m.placement == Placement::Block;
            }
        }
    }
    c.inlined = static_cast<int>(std::count(named.begin(), named.end(), false));
    return c;
}

}  // namespace warptile::fuzz
