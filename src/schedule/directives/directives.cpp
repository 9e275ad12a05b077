#include "schedule/directives/directives.h"

#include <algorithm>
#include <map>

#include "machine/error.h"
#include "schedule/directives/kernel_loops.h"
#include "schedule/directives/member_loops.h"
#include "schedule/directives/names.h"
#include "schedule/directives/stage_loops.h"

namespace warptile {

namespace {

SplitTail split_tail(Tail tail) { return tail == Tail::RoundUp ? SplitTail::RoundUp : SplitTail::GuardWithIf; }

/// The output's pure stage. With Tail::Both the specialization has the same loops by the same names, so that members
/// find them in both.
KernelLoops schedule_output(const Group &group, const NamedFunc &output, Names &names, std::vector<Directive> &calls) {
    const StageName pure{output.local, 0, ""};
    const bool one_thread = std::any_of(group.members.begin(), group.members.end(), [&](const Member &m) {
        return m.placement == Placement::Thread && m.at == group.output;
    });
    std::vector<SizeTest> whole_tiles;
    if (group.tail == Tail::Both && !group.conditions.empty()) {
        std::vector<SizeTest> tests;
        for (const SizeCondition &c : group.conditions) {
            tests.push_back({names.output(c.output), c.dim, c.extent, "", false});
        }
        whole_tiles = tests;
        const StageName large = specialize(pure, tests, "large", names, calls);
        tile_kernel(large, output.args, group.tile, SplitTail::ShiftInwards, kGridDimensions, one_thread, names, calls);
    }
    KernelTile tile = group.tile;
    if (tile.stream >= 0 && !whole_tiles.empty()) {
        // Tiles that hang over are not to be high: the first rows of each are computed twice.
        tile.axes[static_cast<size_t>(tile.stream)].width = 1;
    }
    KernelLoops loops =
        tile_kernel(pure, output.args, tile, split_tail(group.tail), kGridDimensions, one_thread, names, calls);
    loops.whole_tiles = whole_tiles;
    return loops;
}

/// Whether the tile deals out a reduction of which Halide cannot tell that its steps are apart.
bool has_to_be_promised(const KernelTile &tile, const std::vector<NamedLoop> &loops) {
    return std::any_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &axis) {
        const size_t loop = static_cast<size_t>(axis.dim);
        return loop < loops.size() && loops[loop].reduction && !loops[loop].apart;
    });
}

void schedule_updates(const Group &group, const NamedFunc &output, Names &names, std::vector<Directive> &calls) {
    const KernelTile plain;
    for (int s = 1; s < output.stages(); s++) {
        const size_t u = static_cast<size_t>(s - 1);
        const StageName stage{output.local, s, ""};
        const bool atomic = u < group.atomic.size() && group.atomic[u];
        if (atomic) {
            calls.push_back(on(stage, Op::Atomic));
        }
        const KernelTile &tile = u < group.updates.size() ? group.updates[u] : plain;
        const std::vector<NamedLoop> loops = numbered_loops(output, s);
        if (has_to_be_promised(tile, loops) && !atomic) {
            calls.push_back(on(stage, Op::AllowRaces));
        }
        // Of two loops over blocks in which points are tested Halide's partition fails, and then all blocks test them.
        tile_kernel(stage, loops, tile, SplitTail::GuardWithIf, 1, false, names, calls);
        if (s == 1 && group.full) {
            specialize_full(stage, output, names, calls);
        }
    }
}

void schedule_group(const Group &group, Names &names, std::vector<Directive> &calls) {
    const NamedFunc &output = names.func(group.output);
    calls.push_back(on({output.local, 0, ""}, Op::ComputeRoot));
    if (group.on_host) {
        return;
    }
    std::map<FuncRef, KernelLoops> loops;
    loops[group.output] = schedule_output(group, output, names, calls);
    schedule_updates(group, output, names, calls);
    for (const Member &m : group.members) {
        const auto at = loops.find(m.at);
        if (at == loops.end()) {
            throw Error("the plan computes '" + names.func(m.func).local + "' inside '" + names.func(m.at).local +
                        "', which is not before it in the same group");
        }
        loops[m.func] = place_member(m, names.func(m.func), names.func(m.at), at->second, group.tile, names, calls);
    }
}

/// One for each Func with a guard, in the order in which `calls` schedules them.
std::vector<Directive> names_of_guards(const std::vector<Directive> &calls) {
    std::vector<Directive> taken;
    for (const Directive &d : calls) {
        const bool guard = d.op == Op::Split && d.tail == SplitTail::GuardWithIf;
        const bool before =
            std::any_of(taken.begin(), taken.end(), [&](const Directive &t) { return t.func == d.func; });
        if (guard && !before) {
            taken.push_back(on({d.func, 0, ""}, Op::TakeBoundNames));
        }
    }
    return taken;
}

}  // namespace

std::vector<Directive> make_directives(const Plan &plan, const std::vector<Halide::Func> &outputs) {
    std::vector<Directive> calls;
    Names names(plan, outputs, calls);
    for (size_t k = 0; k < plan.derived.size(); k++) {
        const FuncRef ref = plan.funcs + static_cast<FuncRef>(k);
        const Derived &d = plan.derived[k];
        d.kind == Derived::Kind::Staged ? names.add_staged(ref, d) : names.add_partial(ref, d);
    }
    for (const Group &group : plan.groups) {
        schedule_group(group, names, calls);
    }
    calls.insert(calls.end(), names.last().begin(), names.last().end());
    const std::vector<Directive> taken = names_of_guards(calls);
    calls.insert(calls.end(), taken.begin(), taken.end());
    std::vector<Directive> all = names.declarations();
    all.insert(all.end(), calls.begin(), calls.end());
    return all;
}

}  // namespace warptile
