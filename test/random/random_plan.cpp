#include "random_plan.h"

#include <algorithm>
#include <optional>

#include "model/kernel.h"
#include "random_member.h"
#include "random_stream.h"
#include "random_tile.h"
#include "schedule/empty_plan.h"
#include "schedule/rules/check_group.h"
#include "schedule/rules/check_plan.h"
#include "schedule/rules/check_steps.h"
#include "schedule/shared_layout.h"
#include "schedule/tile_extents.h"

namespace warptile::fuzz {

namespace {

/// Loads of a point of a Func with everything that is inlined into it, beyond which nothing more is.
constexpr int most_inlined_loads = 50;

/// Steps of a sum inside another's, of both together: as many for each point, which an emulator has to get through.
constexpr int64_t most_nested_steps = 2048;

class Drawer {
public:
    Drawer(const FunctionDag &dag, uint64_t seed, PlanStyle style)
        : dag_(dag), prng_(seed * 2 + 1), steps_(seed * 2 + 2), update_steps_(seed * 2 + 4001),
          wider_steps_(seed * 2 + 6007), whole_tiles_(seed * 2 + 8002), copies_(seed * 2 + 16003),
          streams_(seed * 2 + 32004), turns_(seed * 2 + 64005), inner_(seed * 2 + 128006),
          whole_sums_(inner_.chance(30)), style_(style) {}

    Plan draw() {
        start();
        split_reductions();
        wrap_updated();
        place_at_root();
        for (const FuncRef ref : consumers_first()) {
            const bool reduction = ref >= plan_.funcs || graph().func(ref).stages.size() > 1;
            if (reduction || prng_.chance(75)) {
                move_into_consumers_kernel(ref);
            }
        }
        stage_inputs();
        take_loops_in_turn();
        take_steps_together();
        unroll_full_updates();
        stream_rows();
        return plan_;
    }

private:
    const FunctionDag &dag_;
    Prng prng_;
    Prng steps_;  // of its own, so that what else a seed draws is what it was
    Prng update_steps_;
    Prng wider_steps_;
    Prng whole_tiles_;
    Prng copies_;
    Prng streams_;
    Prng turns_;
    Prng inner_;
    bool whole_sums_;  // for some to be in others' steps: none is split, and all are in the kernels of copies
    PlanStyle style_;
    Plan plan_;

    bool has_sum_of_sums() const {
        return std::any_of(dag_.edges.begin(), dag_.edges.end(), [&](const Edge &e) {
            return e.stage == 1 && e.producer != e.consumer && dag_.node(e.producer).stages.size() > 1;
        });
    }

    PlanGraph graph() const { return make_plan_graph(plan_, dag_); }

    bool legal(const Plan &plan) const { return check_plan(plan, dag_).empty(); }

    void start() {
        plan_ = empty_plan(dag_);
        plan_.gpu = "a100";
    }

    /// Adds the derived Func where it is well-formed.
    bool derive(const Derived &d) {
        plan_.derived.push_back(d);
        if (graph().error.empty()) {
            return true;
        }
        plan_.derived.pop_back();
        return false;
    }

    void split_reductions() {
        for (FuncRef ref = 0; ref < plan_.funcs; ref++) {
            const PlanFunc f = graph().func(ref);
            for (size_t u = 0; u + 1 < f.stages.size(); u++) {
                const PlanStage &update = f.stages[u + 1];
                if (!update.associative || update.reductions.empty() || !prng_.chance(95) || whole_sums_) {
                    continue;
                }
                Derived d;
                d.kind = Derived::Kind::Partial;
                d.source = ref;
                d.update = static_cast<int>(u);
                d.rvar = prng_.below(static_cast<int>(update.reductions.size()));
                d.factor = prng_.chance(80) ? 32 : prng_.pick(std::vector<int>{2, 3, 7, 8, 16, 31, 64});
                // Without a number from the generator, so that earlier seeds still give their plans.
                d.usual_extent = ref % 2 ? reduction_extent(dag_.node(f.node), d.update + 1, d.rvar) : 0;
                const bool added = derive(d);
                if (added && prng_.chance(20)) {  // and the partial result once more
                    d.source = plan_.funcs + static_cast<FuncRef>(plan_.derived.size()) - 1;
                    d.update = d.rvar = 0;
                    d.usual_extent = 0;
                    d.factor = prng_.pick(std::vector<int>{2, 4, 8, 32});
                    derive(d);
                }
            }
        }
    }

    /// Readers of a Func with updates read a copy, so that the Func itself can sit inside the copy's kernel.
    void wrap_updated() {
        for (FuncRef ref = 0; ref < plan_.funcs; ref++) {
            const PlanFunc f = graph().func(ref);
            if (f.stages.size() > 1 && !dag_.node(f.node).is_output && (prng_.chance(40) || whole_sums_)) {
                Derived d;
                d.source = ref;
                derive(d);
            }
        }
        // A part of a histogram can sit inside the kernel of its copy.
        for (FuncRef ref = plan_.funcs; ref < plan_.funcs + static_cast<FuncRef>(plan_.derived.size()); ref++) {
            const PlanFunc f = graph().func(ref);
            if (f.kind == PlanFunc::Kind::Partial && f.stages[1].scatters && copies_.chance(70)) {
                Derived d;
                d.source = ref;
                derive(d);
            }
        }
    }

    int loads_of(const PlanGraph &g, FuncRef ref, const std::vector<bool> &inlined) const {
        int loads = 0;
        for (const Edge &e : dag_.edges) {
            const Node &producer = dag_.node(e.producer);
            if (e.consumer != g.func(ref).node) {
                continue;
            }
            const bool within = producer.func_index >= 0 && inlined[static_cast<size_t>(producer.func_index)];
            loads += e.loads * (within ? loads_of(g, producer.func_index, inlined) : 1);
        }
        return std::max(loads, 1);
    }

    void place_at_root() {
        const PlanGraph g = graph();
        std::vector<bool> inlined(g.funcs.size());
        std::vector<FuncRef> refs;
        for (const Node &n : dag_.nodes) {  // producers first
            if (n.func_index >= 0) {
                refs.push_back(n.func_index);
            }
        }
        for (FuncRef ref = plan_.funcs; ref < static_cast<FuncRef>(g.funcs.size()); ref++) {
            refs.push_back(ref);
        }
        for (const FuncRef ref : refs) {
            const PlanFunc &f = g.func(ref);
            const Node &n = dag_.node(f.node);
            const bool could = f.kind == PlanFunc::Kind::Itself && f.stages.size() == 1 && !n.is_output &&
                               n.kind == NodeKind::Func && !n.loses_cast;
            const bool must = n.wraps_input || n.only_inlined();
            if (could && (must || prng_.chance(30)) && (must || fits_inlined(g, ref, inlined))) {
                inlined[static_cast<size_t>(ref)] = true;
                continue;
            }
            plan_.groups.push_back(root_group(g, ref));
        }
    }

    /// Whether the code of no consumer explodes when the Func is inlined.
    bool fits_inlined(const PlanGraph &g, FuncRef ref, std::vector<bool> inlined) const {
        inlined[static_cast<size_t>(ref)] = true;
        const PlanFunc &f = g.func(ref);
        return std::all_of(f.readers.begin(), f.readers.end(), [&](const std::pair<FuncRef, int> &r) {
            return g.func(r.first).kind != PlanFunc::Kind::Itself ||
                   loads_of(g, r.first, inlined) <= most_inlined_loads;
        });
    }

    Group root_group(const PlanGraph &g, FuncRef ref) {
        const PlanFunc &f = g.func(ref);
        Group group;
        group.output = ref;
        if (f.kind == PlanFunc::Kind::Itself && dag_.node(f.node).kind == NodeKind::Extern) {
            group.on_host = true;
            return group;
        }
        // Kernels that read a reduction have lanes more often, for its partial results to sit in.
        const bool reads_reduction = std::any_of(f.stages[0].reads.begin(), f.stages[0].reads.end(),
                                                 [&](FuncRef r) { return g.func(r).stages.size() > 1; });
        group.tile = random_tile(prng_, f.dims, style_ == PlanStyle::Any && prng_.chance(reads_reduction ? 90 : 65));
        if (reads_reduction && group.tile.lane_axis >= 0 && prng_.chance(60)) {
            narrow_lanes(prng_, group.tile);
        }
        for (size_t u = 0; u + 1 < f.stages.size(); u++) {
            const bool atomic = style_ == PlanStyle::Any && can_be_atomic(f.stages[u + 1]) && prng_.chance(75);
            const KernelTile tile = random_update_tile(prng_, f, static_cast<int>(u), atomic);
            const bool fits = check_tile(f, tile, static_cast<int>(u) + 1, atomic).empty();
            group.updates.push_back(fits ? tile : KernelTile());
            group.atomic.push_back(atomic);
        }
        draw_tail(prng_, f, dag_, group);
        if (!check_tail(f, dag_, group).empty()) {
            group.tail = Tail::Guard;
            group.conditions.clear();
        }
        return group;
    }

    /// Refs from consumers to producers, as the graph with its derived Funcs has them.
    std::vector<FuncRef> consumers_first() const {
        const PlanGraph g = graph();
        std::vector<FuncRef> order;
        std::vector<bool> done(g.funcs.size());
        while (order.size() < g.funcs.size()) {
            for (FuncRef ref = static_cast<FuncRef>(g.funcs.size()) - 1; ref >= 0; ref--) {
                const auto &readers = g.func(ref).readers;
                const bool ready = std::all_of(readers.begin(), readers.end(), [&](const std::pair<FuncRef, int> &r) {
                    return done[static_cast<size_t>(r.first)];
                });
                if (!done[static_cast<size_t>(ref)] && ready) {
                    done[static_cast<size_t>(ref)] = true;
                    order.push_back(ref);
                }
            }
        }
        return order;
    }

    /// The groups in which the Func is read, looked at through inlined readers.
    std::vector<size_t> groups_reading(const PlanGraph &g, FuncRef ref) const {
        std::vector<size_t> result;
        std::vector<FuncRef> through = {ref};
        for (size_t next = 0; next < through.size(); next++) {
            for (const auto &[reader, stage] : g.func(through[next]).readers) {
                const int home = group_of(reader);
                if (home >= 0) {
                    result.push_back(static_cast<size_t>(home));
                } else {
                    through.push_back(reader);
                }
            }
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    int group_of(FuncRef ref) const {
        for (size_t g = 0; g < plan_.groups.size(); g++) {
            const Group &group = plan_.groups[g];
            const bool member =
                std::any_of(group.members.begin(), group.members.end(), [&](const Member &m) { return m.func == ref; });
            if (group.output == ref || member) {
                return static_cast<int>(g);
            }
        }
        return -1;
    }

    void move_into_consumers_kernel(FuncRef ref) {
        const PlanGraph g = graph();
        const std::vector<size_t> readers = groups_reading(g, ref);
        const int home = group_of(ref);
        if (readers.size() != 1 || home < 0 || plan_.groups[static_cast<size_t>(home)].output != ref) {
            return;
        }
        Plan without = plan_;
        without.groups.erase(without.groups.begin() + home);
        const size_t target = readers[0] - (readers[0] > static_cast<size_t>(home) ? 1 : 0);
        if (!whole_sums_ || !try_in_steps(without, ref, target)) {
            try_member(without, ref, target);
        }
    }

    /// Adds the Func to the group in a random legal way; false where none was found.
    bool try_member(const Plan &without, FuncRef ref, size_t group) {
        const PlanGraph g = make_plan_graph(without, dag_);
        // Partial results have more to fit: the lanes, and the Func whose results they are.
        const int tries = g.func(ref).kind == PlanFunc::Kind::Partial ? 40 : 10;
        for (int i = 0; i < tries; i++) {
            Plan plan = without;
            Group &target = plan.groups[group];
            target.members.push_back(random_member(prng_, g.func(ref), ref, target, style_ == PlanStyle::Any));
            const std::optional<std::vector<int64_t>> storage = random_storage(prng_, plan, g, dag_, target);
            if (!storage) {
                continue;
            }
            target.members.back().storage = *storage;
            if (target.members.back().placement == Placement::Block && !storage->empty() && storage->front() == 0) {
                target.members.back().row_multiple = prng_.pick(std::vector<int>{1, 3, 36});
            }
            pad_shared_storage(element_bytes(g, target), target.members);
            if (legal(plan)) {
                plan_ = plan;
                return true;
            }
        }
        return false;
    }

    int64_t steps_of(const PlanGraph &g, FuncRef ref) const {
        const std::vector<Stage> &stages = dag_.node(g.func(ref).node).stages;
        return stages.size() < 2 ? 1 : stages[1].steps();
    }

    /// Adds the Func to the group inside the reduction loop of a member that reads it; false where none may have it.
    bool try_in_steps(const Plan &without, FuncRef ref, size_t group) {
        for (size_t k = without.groups[group].members.size(); k > 0; k--) {
            Plan plan = without;
            Group &target = plan.groups[group];
            Member m;
            m.func = ref;
            m.placement = Placement::Thread;
            m.at = target.members[k - 1].func;
            m.each_step = true;
            m.unroll = target.tile.lane_axis >= 0 || inner_.chance(85);
            target.members.push_back(m);
            const PlanGraph g = make_plan_graph(plan, dag_);
            if (g.func(m.at).stages.size() != 2 || steps_of(g, ref) * steps_of(g, m.at) > most_nested_steps) {
                continue;
            }
            const MemberExtents needed = member_extents(plan, g, dag_, target).back();
            target.members.back().storage = needed.points;
            if (needed.fixed && fits_in_thread(needed.points) && legal(plan)) {
                plan_ = plan;
                return true;
            }
        }
        return false;
    }

    ElementBytes element_bytes(const PlanGraph &g, const Group &group) const {
        ElementBytes bytes;
        for (const Member &m : group.members) {
            bytes.push_back(dag_.node(g.func(m.func).node).type_bytes);
        }
        return bytes;
    }

    /// Deals out all that is apart within a turn of the outer loops, which may change no places.
    void take_loops_in_turn() {
        for (Group &group : plan_.groups) {
            for (size_t u = 0; u < group.updates.size(); u++) {
                const PlanFunc f = graph().func(group.output);
                const PlanStage &stage = f.stages[u + 1];
                if (stage.turns == 0 || !turns_.chance(75)) {
                    continue;
                }
                const KernelTile before = group.updates[u];
                KernelTile &tile = group.updates[u];
                tile.turns = stage.turns;
                bool innermost = true;
                for (size_t r = 0; r < stage.reductions.size(); r++) {
                    if (stage.apart_in_turn[r]) {
                        const int threads = innermost ? turns_.pick(std::vector<int>{1, 8, 32, 64}) : 1;
                        tile.axes.push_back({f.dims + static_cast<int>(r), 1, threads});
                        innermost = false;
                    }
                }
                if (!legal(plan_)) {
                    tile = before;
                }
            }
        }
    }

    /// A box of more loops: of each the whole, or as many as it has by chance.
    void widen(const PlanStage &stage, Steps &steps) {
        for (size_t loop = 0; loop < stage.reductions.size(); loop++) {
            if (!wider_steps_.chance(30)) {
                continue;
            }
            const Steps before = steps;
            steps.counts.resize(std::max(steps.counts.size(), loop + 1), 1);
            const bool whole =
                stage.reductions[loop] > 1 && stage.reductions[loop] <= kMostSteps && wider_steps_.chance(70);
            steps.counts[loop] =
                whole ? static_cast<int>(stage.reductions[loop]) : wider_steps_.pick(std::vector<int>{2, 3});
            if (!legal(plan_)) {
                steps = before;
            }
        }
    }

    void take_steps_of_update(Group &group, size_t u) {
        const PlanStage stage =
            graph().func(group.output).stages[u + 1];  // a copy: each plan that is tried has a graph anew
        Steps &steps = group.updates[u].steps;
        if (!stage.reductions.empty() && update_steps_.chance(60)) {
            const int loop = update_steps_.below(static_cast<int>(stage.reductions.size()));
            steps = steps_along(loop, update_steps_.pick(std::vector<int>{2, 3, 4, 8}));
            if (!legal(plan_)) {
                steps = Steps();
            }
            widen(stage, steps);
        }
    }

    void take_steps_together() {
        for (Group &group : plan_.groups) {
            for (size_t u = 0; u < group.updates.size(); u++) {
                take_steps_of_update(group, u);
            }
            for (Member &m : group.members) {
                const Member before = m;
                const std::vector<PlanStage> stages = graph().func(m.func).stages;
                if (stages.size() < 2 || stages[1].reductions.empty()) {
                    continue;
                }
                m.full = steps_.chance(50);
                if (!legal(plan_)) {
                    m = before;
                }
                const Steps none = m.steps;
                const int loop = steps_.below(static_cast<int>(stages[1].reductions.size()));
                m.steps = steps_along(loop, steps_.chance(60) ? steps_.pick(std::vector<int>{2, 3, 4, 8}) : 1);
                if (!legal(plan_)) {
                    m.steps = none;
                }
                widen(stages[1], m.steps);
                m.steps.whole_tiles = whole_tiles_.chance(50);
                m.steps.whole_tiles = m.steps.whole_tiles && legal(plan_);
            }
        }
    }

    void unroll_full_updates() {
        for (Group &group : plan_.groups) {
            group.full = !group.on_host && graph().func(group.output).stages.size() > 1 && steps_.chance(50);
        }
    }

    void stream_rows() {
        for (size_t g = 0; g < plan_.groups.size(); g++) {
            if (style_ == PlanStyle::Any && streams_.chance(35)) {
                const std::optional<Group> streamed = random_stream(streams_, plan_, g, dag_);
                plan_.groups[g] = streamed ? *streamed : plan_.groups[g];
            }
        }
    }

    void stage_inputs() {
        for (size_t g = 0; g < plan_.groups.size(); g++) {
            for (const FuncRef source : outside_reads(g)) {
                if (prng_.chance(40)) {
                    stage(g, source);
                }
            }
        }
    }

    /// Funcs that the group reads and does not compute, also inlined ones.
    std::vector<FuncRef> outside_reads(size_t group) const {
        const PlanGraph g = graph();
        std::vector<FuncRef> sources;
        for (FuncRef ref = 0; ref < plan_.funcs; ref++) {
            const std::vector<size_t> readers = groups_reading(g, ref);
            if (std::find(readers.begin(), readers.end(), group) != readers.end() &&
                group_of(ref) != static_cast<int>(group) && !plan_.groups[group].on_host) {
                sources.push_back(ref);
            }
        }
        return sources;
    }

    void stage(size_t group, FuncRef source) {
        const PlanGraph g = graph();
        Derived d;
        d.source = source;
        for (const auto &[reader, stage] : g.func(source).readers) {
            const bool here = group_of(reader) == static_cast<int>(group) || group_of(reader) < 0;
            if (here && (d.consumers.empty() || d.consumers.back() != reader)) {
                d.consumers.push_back(reader);
            }
        }
        if (d.consumers.empty()) {
            return;
        }
        Plan plan = plan_;
        plan.derived.push_back(d);
        if (make_plan_graph(plan, dag_).error.empty()) {
            try_member(plan, plan.funcs + static_cast<FuncRef>(plan.derived.size()) - 1, group);
        }
    }
};

}  // namespace

Plan random_plan(const FunctionDag &dag, uint64_t seed, PlanStyle style) { return Drawer(dag, seed, style).draw(); }

}  // namespace warptile::fuzz
