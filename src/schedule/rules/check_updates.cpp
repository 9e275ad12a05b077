#include "schedule/rules/check_updates.h"

#include <algorithm>
#include <set>
#include <vector>

#include "schedule/rules/check_group.h"
#include "schedule/rules/check_steps.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

std::string quoted(const PlanFunc &f) { return "'" + f.name + "'"; }

class UpdateChecker {
public:
    UpdateChecker(const Homes &homes, const PlanGraph &graph, const FunctionDag &dag, const Group &g, const Member &m)
        : homes_(homes), graph_(graph), dag_(dag), g_(g), m_(m) {}

    std::string check() const {
        std::string error = check_atomic();
        if (error.empty()) {
            error = check_where();
        }
        return error.empty() ? check_steps() : error;
    }

private:
    const Homes &homes_;
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;
    const Member &m_;

    /// A warp or block has points beyond the output's end, which its guard leaves out; a `where` is evaluated before
    /// that, and lets through more of an input for them than there is. Of a member's own loops the guard is evaluated
    /// first (`free_to_cut`), but tests only how far a point is from the block's first: of an input the last block is
    /// taken to read a whole tile. Partial results have no such end: there are as many in each block.
    std::string check_where() const {
        if (m_.placement == Placement::Thread || !dag_.steps_read_raw_input(graph_.func(m_.func).node)) {
            return "";
        }
        const PlanFunc &f = graph_.func(m_.func);
        const int dims = dag_.node(f.node).dims();
        const bool shared = std::any_of(m_.axes.begin(), m_.axes.end(), [&](const AxisTile &axis) {
            return axis.dim < dims && (axis.threads > 1 || m_.placement == Placement::Warp);
        });
        if (shared && std::any_of(f.stages.begin(), f.stages.end(), [](const PlanStage &s) { return s.has_where; })) {
            return quoted(f) + " has an update with a `where` that reads an input buffer: computed " +
                   "for several threads at once it would read beyond the buffer's end; compute it at root or in the " +
                   "thread";
        }
        std::vector<FuncRef> through = {m_.func};  // and who reads it in this kernel, inline or not
        for (size_t next = 0; next < through.size(); next++) {
            for (const auto &[reader, stage] : graph_.func(through[next]).readers) {
                const auto home = homes_.group_of.find(reader);
                if (home != homes_.group_of.end() && home->second != homes_.group_of.at(m_.func)) {
                    continue;
                }
                if (graph_.func(reader).stages[static_cast<size_t>(stage)].has_where) {
                    return quoted(graph_.func(m_.func)) + " reads an input buffer for an update of " +
                           quoted(graph_.func(reader)) + " that has a `where`: computed for several threads at once " +
                           "it would read beyond the buffer's end; compute it at root or in the thread";
                }
                if (std::count(through.begin(), through.end(), reader) == 0) {
                    through.push_back(reader);
                }
            }
        }
        return "";
    }

    /// Threads add to shared memory; what they write where, nobody knows before, so that nothing else may be assumed of
    /// the update.
    std::string check_atomic() const {
        if (m_.atomic.empty()) {
            return "";
        }
        const PlanFunc &f = graph_.func(m_.func);
        const std::string what = "the atomic update of " + quoted(f);
        if (m_.placement != Placement::Block) {
            return what + " adds to registers of one thread or warp; keep it in shared memory";
        }
        if (f.stages.size() != 2 || !f.stages[1].scatters || !f.stages[1].adds) {
            return what + " is none that adds to numbers of 32 or 64 bits where data say, as the only update; leave " +
                   "out \"atomic\"";
        }
        if (g_.tail == Tail::RoundUp) {
            return what + " cannot be in tiles that reach beyond what is needed; take the tail \"guard\"";
        }
        if (reads_members(f.stages[1])) {
            return what +
                   " reads what the same kernel computes, of which nobody knows which thread needs it; compute " +
                   "that at root";
        }
        std::set<int> loops;
        for (const AxisTile &axis : m_.atomic) {
            const PlanStage &update = f.stages[1];
            const int reduction = axis.dim - f.dims;
            const bool there = reduction < 0 ? axis.dim >= 0 && update.keeps[static_cast<size_t>(axis.dim)]
                                             : reduction < static_cast<int>(update.reductions.size());
            if (!there || axis.threads < 1 || !loops.insert(axis.dim).second) {
                return what + " deals loop " + std::to_string(axis.dim) + " to " + std::to_string(axis.threads) +
                       " threads; name loops that it has, each once: dimensions, and reductions from " +
                       std::to_string(f.dims) + " on";
            }
        }
        return "";
    }

    std::string check_steps() const {
        const PlanFunc &f = graph_.func(m_.func);
        if (m_.full && m_.placement == Placement::Warp) {
            return quoted(f) +
                   " is kept in lane registers, whose updates must be one piece of code; set \"full\" to false";
        }
        // Of two pieces of code, Halide gives to one thread only the parts of a block's work that it sees apart: of
        // several statements in the one piece and a single statement in the other, that is the first.
        if (m_.full && m_.placement == Placement::Block && thread_counts(m_).empty()) {
            return quoted(f) +
                   " is computed by one thread of a block, whose updates must be one piece of code; set \"full\" to " +
                   "false, or share it out";
        }
        if (m_.steps.together() == 1 && !m_.steps.whole_tiles) {
            return "";
        }
        if (m_.steps.whole_tiles &&
            (m_.placement == Placement::Block || g_.tail != Tail::Both || g_.conditions.empty())) {
            return quoted(f) + " takes steps together in whole tiles only, which is for members in registers of a " +
                   "kernel that tests whether tiles are whole; set \"whole_tiles\" to false";
        }
        const PlanStage &update = f.stages[std::min<size_t>(1, f.stages.size() - 1)];  // a pure one has no such loops
        Stepper stepper;
        stepper.what = "the first update of " + quoted(f);
        stepper.loops = static_cast<int>(update.reductions.size());
        stepper.dealt = [&](int loop) {
            return std::any_of(m_.atomic.begin(), m_.atomic.end(),
                               [&](const AxisTile &a) { return a.dim == f.dims + loop; });
        };
        stepper.reads_here = [&] { return reads_members(update); };
        return warptile::check_steps(stepper, m_.steps, update);
    }

    /// Also through Funcs that are inlined.
    bool reads_members(const PlanStage &stage) const {
        return std::any_of(stage.reads.begin(), stage.reads.end(), [&](FuncRef read) {
            if (homes_.group_of.count(read)) {
                return homes_.member_of.count(read) > 0;
            }
            const std::vector<PlanStage> &inlined = graph_.func(read).stages;
            return std::any_of(inlined.begin(), inlined.end(), [&](const PlanStage &s) { return reads_members(s); });
        });
    }
};

}  // namespace

Homes homes_in(const Plan &plan, const Group &g) {
    Homes homes;
    for (size_t k = 0; k < plan.groups.size(); k++) {
        homes.group_of[plan.groups[k].output] = k;
        for (const Member &m : plan.groups[k].members) {
            homes.group_of[m.func] = k;
        }
    }
    for (size_t i = 0; i < g.members.size(); i++) {
        homes.member_of[g.members[i].func] = i;
    }
    return homes;
}

std::string check_updates(const Homes &homes, const PlanGraph &graph, const FunctionDag &dag, const Group &g,
                          const Member &m) {
    return UpdateChecker(homes, graph, dag, g, m).check();
}

}  // namespace warptile
