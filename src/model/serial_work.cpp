// Of each stage of a kernel three numbers decide: how many threads of the whole grid share its loops, how many steps
// the loops have in all, and how many threads could share them, which is the product of those loops that need no order.
#include "model/serial_work.h"

#include "dag/halide/user_name.h"
#include "schedule/plan_graph.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace warptile {

namespace {

// Below a warp a kernel is as slow as one thread; a few warps are few where each thread has long to go.
constexpr double kFewThreads = kLanes, kFewWarps = 4 * kLanes;
constexpr double kManySteps = 4096;
// What could not be shared by several times as many threads is not worth a word.
constexpr double kMoreThreads = 4;

size_t index(int i) { return static_cast<size_t>(i); }

double ceil_div(double a, double b) { return std::ceil(a / b); }

double extent(const Loop &loop) { return static_cast<double>(std::max<int64_t>(1, loop.estimate.extent())); }

/// Whether the update reads what it has stored at other places: a scan, a recursive filter.
bool recurs(const Stage &update) {
    const auto spreads = [](const AxisAccess &axis) {
        return axis.kind == AxisAccess::Kind::Affine && axis.lo < axis.hi;
    };
    return update.own.size() > 1 || std::any_of(update.own.begin(), update.own.end(), [&](const Access &own) {
               return std::any_of(own.axes.begin(), own.axes.end(), spreads);
           });
}

bool in_order(const Loop &loop) { return loop.dependence == Dependence::Ordered; }

/// How many threads could share the loops of a stage, but for those that make a chain of it.
double most_threads(const Stage &stage) {
    double threads = 1;
    for (const Loop &loop : stage.loops) {
        threads *= in_order(loop) && !loop.apart_in_turn && recurs(stage) ? 1 : extent(loop);
    }
    return threads;
}

bool are_few(double threads, double steps) {
    return steps > kManySteps && (threads < kFewThreads || (threads <= kFewWarps && steps / threads > kManySteps));
}

class SerialWork {
public:
    SerialWork(const Plan &plan, const FunctionDag &dag, bool reassociate)
        : plan_(plan), dag_(dag), reassociate_(reassociate), graph_(make_plan_graph(plan, dag)) {}

    std::vector<Notice> run() {
        for (const Group &group : plan_.groups) {
            if (group.on_host) {
                continue;
            }
            for (int s = 0; s < stages(group.output); s++) {
                judge(group.output, s, threads_of_output(group, s));
            }
            for (const Member &m : group.members) {
                for (int s = 0; s < stages(m.func); s++) {
                    judge(m.func, s, threads_of_member(group, m, s));
                }
            }
        }
        return notices_;
    }

private:
    int stages(FuncRef ref) const { return static_cast<int>(graph_.func(ref).stages.size()); }

    const Derived *derived(FuncRef ref) const {
        return ref < plan_.funcs ? nullptr : &plan_.derived[index(ref - plan_.funcs)];
    }

    /// Of a Func at the estimates, by dimension; those that partial results add are behind its own.
    std::vector<double> extents(FuncRef ref) const {
        const PlanFunc &f = graph_.func(ref);
        std::vector<double> result;
        for (const Interval &i : dag_.node(f.node).estimate) {
            result.push_back(static_cast<double>(std::max<int64_t>(1, i.extent())));
        }
        result.insert(result.end(), f.partial_factors.begin(), f.partial_factors.end());
        return result;
    }

    double points(FuncRef ref) const {
        double n = 1;
        for (const double e : extents(ref)) {
            n *= e;
        }
        return n;
    }

    bool keeps(FuncRef ref, int stage, size_t dim) const {
        const std::vector<bool> &keeps = graph_.func(ref).stages[index(stage)].keeps;
        return dim < keeps.size() && keeps[dim];
    }

    /// The stage of the pipeline's own Func whose work `stage` of `ref` does, in whole or in parts.
    int own_stage(FuncRef ref, int stage) const {
        const Derived *const made = derived(ref);
        return made && made->kind == Derived::Kind::Partial && stage > 0 ? own_stage(made->source, made->update + 1)
                                                                         : stage;
    }

    const Stage &own(FuncRef ref, int stage) const {
        return dag_.node(graph_.func(ref).node).stages[index(own_stage(ref, stage))];
    }

    /// The last Func before `end` that was made of partial results of the stage: what the stage adds up then, or none.
    const Derived *last_split(FuncRef ref, int stage, FuncRef end) const {
        const Derived *last = nullptr;
        for (FuncRef made = plan_.funcs; made < end; made++) {
            const Derived &d = *derived(made);
            if (d.kind == Derived::Kind::Partial && d.source == ref && d.update + 1 == stage) {
                last = &d;
            }
        }
        return last;
    }

    /// Values that the stage joins in all when only the Funcs before `end` have been made.
    double steps(FuncRef ref, int stage, FuncRef end) const {
        if (const Derived *const split = stage == 0 ? nullptr : last_split(ref, stage, end)) {
            return points(ref) * split->factor;
        }
        if (stage == 0) {
            return points(ref);
        }
        if (ref >= plan_.funcs) {
            const Derived &made = *derived(ref);  // took over what its source joined until then
            return steps(made.source, made.update + 1, ref);
        }
        double n = 1;
        for (const Loop &loop : own(ref, stage).loops) {
            n *= extent(loop);
        }
        return n;
    }

    FuncRef end() const { return static_cast<FuncRef>(graph_.funcs.size()); }

    /// Extents of the loops of a stage that a tile may name: dimensions, and behind them reductions.
    std::vector<double> loops_of(FuncRef ref, int stage) const {
        std::vector<double> result = extents(ref);
        for (size_t d = 0; d < result.size(); d++) {
            result[d] = keeps(ref, stage, d) ? result[d] : 1;
        }
        if (stage > 0 && !last_split(ref, stage, end())) {
            for (const Loop &loop : own(ref, stage).loops) {
                if (loop.reduction) {
                    result.push_back(extent(loop));
                }
            }
        }
        return result;
    }

    double threads_of_output(const Group &group, int stage) const {
        const KernelTile one_point;
        const bool planned = index(stage) <= group.updates.size();
        const KernelTile &tile = stage == 0 ? group.tile : planned ? group.updates[index(stage - 1)] : one_point;
        const std::vector<double> loops = loops_of(group.output, stage);
        double threads = 1;
        for (size_t d = 0; d < loops.size(); d++) {
            const auto axis = std::find_if(tile.axes.begin(), tile.axes.end(),
                                           [&](const AxisTile &a) { return a.dim == static_cast<int>(d); });
            if (axis == tile.axes.end()) {
                threads *= d < extents(group.output).size() ? loops[d] : 1;
                continue;
            }
            const bool lanes = axis - tile.axes.begin() == tile.lane_axis;
            threads *= ceil_div(loops[d], lanes ? ceil_div(axis->width, kLanes) : axis->width);
        }
        return threads;
    }

    double blocks(const Group &group) const {
        const std::vector<double> sizes = extents(group.output);
        double n = 1;
        for (size_t d = 0; d < sizes.size(); d++) {
            double tile = 1;
            for (const AxisTile &a : group.tile.axes) {
                tile = a.dim == static_cast<int>(d) ? static_cast<double>(a.width) * a.threads : tile;
            }
            n *= ceil_div(sizes[d], tile);
        }
        return n;
    }

    double threads_of_member(const Group &group, const Member &m, int stage) const {
        if (m.placement == Placement::Thread) {
            for (const Member &at : group.members) {
                if (at.func == m.at && at.func != m.func) {
                    return threads_of_member(group, at, 0);
                }
            }
            return threads_of_output(group, 0);
        }
        double threads = blocks(group);
        if (m.placement == Placement::Warp) {
            for (const AxisTile &a : group.tile.axes) {
                threads *= a.threads;
            }
            return threads * kLanes;
        }
        const bool atomic = stage > 0 && !m.atomic.empty();
        const size_t dims = extents(m.func).size();
        for (const AxisTile &a : atomic ? m.atomic : m.axes) {
            threads *= index(a.dim) >= dims || keeps(m.func, stage, index(a.dim)) ? a.threads : 1;
        }
        return threads;
    }

    void judge(FuncRef ref, int stage, double threads) {
        const PlanFunc &f = graph_.func(ref);
        const Node &node = dag_.node(f.node);
        if (node.stages.empty() || f.kind == PlanFunc::Kind::Copy || own(ref, stage).undefined) {
            return;
        }
        const double all = steps(ref, stage, end());
        if (!are_few(threads, all) || most_threads(own(ref, stage)) < kMoreThreads * threads ||
            !told_.insert({node.id, own_stage(ref, stage)}).second) {
            return;
        }
        notices_.push_back({user_name(dag_, node), reason(node, own_stage(ref, stage), threads, all)});
    }

    std::string reason(const Node &node, int stage, double threads, double steps) const {
        const auto number = [](double n) { return std::to_string(static_cast<int64_t>(n)); };
        const std::string which = stage == 0 ? "it" : "update(" + std::to_string(stage - 1) + ")";
        const std::string text = which + " runs in " + (threads <= 1 ? "one thread" : number(threads) + " threads") +
                                 " (" + number(ceil_div(steps, threads)) + " steps" + (threads <= 1 ? "" : " each") +
                                 "): ";
        const Stage &s = node.stages[index(stage)];
        const bool commutes = s.associative && s.commutative;
        if (commutes && s.where_bounds) {
            return text + "the `where` of its RDom keeps it from reading beyond an input's end, but not parts of it";
        }
        if (commutes && s.has_predicate) {
            return text + "its RDom has a `where`, under which it could not be split";
        }
        if (commutes && s.ops.float_ops > 0 && !reassociate_) {
            return text + "reassociate=false keeps the order of its floating-point operations";
        }
        if (s.turns > 0) {
            return text + "a launch for each step of its outermost " +
                   (s.turns > 1 ? number(s.turns) + " loops" : std::string("loop")) + " would take longer";
        }
        if (std::any_of(s.loops.begin(), s.loops.end(), in_order)) {
            return text +
                   "they may meet at one place, where the operation is not known to be associative and commutative";
        }
        return text + "no way was found to share them among more threads";
    }

    const Plan &plan_;
    const FunctionDag &dag_;
    const bool reassociate_;
    const PlanGraph graph_;
    std::set<std::pair<int, int>> told_;  ///< nodes and their stages
    std::vector<Notice> notices_;
};

}  // namespace

std::vector<Notice> serial_work(const Plan &plan, const FunctionDag &dag, bool reassociate) {
    return SerialWork(plan, dag, reassociate).run();
}

}  // namespace warptile
