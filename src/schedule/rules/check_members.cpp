// Where the members of a kernel may be computed and kept, and from where they may be read there.

#include <algorithm>

#include "schedule/lane_reads.h"
#include "schedule/rules/check_group.h"
#include "schedule/rules/check_stream.h"
#include "schedule/rules/check_updates.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

std::string quoted(const PlanFunc &f) { return "'" + f.name + "'"; }

class MemberChecker {
public:
    MemberChecker(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g)
        : plan_(plan), graph_(graph), dag_(dag), g_(g), homes_(homes_in(plan, g)) {}

    std::string check() const {
        if (!g_.members.empty() && hides_members()) {
            return "the grid of " + quoted(output()) + " is fused from " + std::to_string(output().dims) +
                   " loops, through which Halide does not see the size of a member; compute its members at root";
        }
        for (size_t i = 0; i < g_.members.size(); i++) {
            std::string error = check_placement(i);
            if (error.empty()) {
                error = check_axes(g_.members[i]);
            }
            if (error.empty()) {
                error = check_updates(homes_, graph_, dag_, g_, g_.members[i]);
            }
            if (error.empty()) {
                error = check_readers(i);
            }
            if (!error.empty()) {
                return error;
            }
        }
        return "";
    }

private:
    const Plan &plan_;
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;
    Homes homes_;

    /// Fused loops come apart as quotients and remainders, of which Halide may take the whole range: it then computes
    /// or allocates all of a member for every block. It does see through the two outermost loops of four.
    bool hides_members() const { return output().dims - g_.tile.host_loops > 4; }

    bool has_lane_registers() const {
        return std::any_of(g_.members.begin(), g_.members.end(),
                           [](const Member &m) { return m.placement == Placement::Warp; });
    }

    std::string check_placement(size_t i) const {
        const Member &m = g_.members[i];
        const PlanFunc &f = graph_.func(m.func);
        if (f.kind != PlanFunc::Kind::Copy && dag_.node(f.node).on_host()) {
            return quoted(f) + " " + dag_.node(f.node).only_on_host + "; make it the output of a group on the host";
        }
        if (f.kind == PlanFunc::Kind::Partial && f.stages[1].scatters && m.atomic.empty()) {
            return quoted(f) +
                   " is written where data say, by all threads, and inside a kernel needs \"atomic\" axes; " +
                   "give it some, or make it the output of a group";
        }
        if (m.placement == Placement::Warp && g_.tile.lane_axis < 0) {
            return quoted(f) + " is to be kept in lane registers, but the kernel of " + quoted(output()) +
                   " has no lanes; give its tile a lane axis or compute the Func elsewhere";
        }
        if (m.placement == Placement::Warp && !m.unroll) {
            return quoted(f) + " is to be kept in lane registers, whose numbers must be constants; set \"unroll\"";
        }
        if (m.placement == Placement::Warp && f.stages.size() > 1 && f.kind != PlanFunc::Kind::Partial &&
            !stays_in_lanes(plan_, graph_, dag_, g_, m)) {
            return quoted(f) +
                   " has updates, and lanes beyond its extent would sit them out while their registers are asked "
                   "for; keep it in the thread or in shared memory, or split the update by a partial result";
        }
        // A member in shared memory reads none of them.
        const bool rolled = !g_.tile.unroll || (!m.unroll && m.placement != Placement::Block);
        if (has_lane_registers() && rolled) {
            return "the kernel of " + quoted(output()) +
                   " keeps values in lane registers, so that every loop inside a " +
                   "thread must be unrolled; set \"unroll\" in its tile and for " + quoted(f);
        }
        return m.placement == Placement::Thread ? check_host(i) : check_at_output(m, f);
    }

    std::string check_at_output(const Member &m, const PlanFunc &f) const {
        if (m.each_step) {
            return quoted(f) + " is to be computed at each step of a reduction, which only a thread does by itself; " +
                   "compute it in the thread or set \"each_step\" to false";
        }
        return m.at == g_.output ? ""
                                 : quoted(f) + " must be computed at " + quoted(output()) + ", the output of its group";
    }

    /// Of a member in the thread: whether what it is computed in has such a loop.
    std::string check_host(size_t i) const {
        const Member &m = g_.members[i];
        const PlanFunc &f = graph_.func(m.func);
        if (m.at == g_.output) {
            return m.each_step ? quoted(f) + " is to be computed at each step of " + quoted(output()) +
                                     ", the output of its group, whose updates are kernels of their own; make a copy " +
                                     "of " + quoted(output()) + " the output"
                               : "";
        }
        const auto at = homes_.member_of.find(m.at);
        if (at == homes_.member_of.end() || at->second >= i) {
            return quoted(f) + " is computed inside Func " + std::to_string(m.at) +
                   ", which is not before it in the same group; move it there";
        }
        const Member &host = g_.members[at->second];
        if (m.each_step) {
            const std::string error = check_steps_of(host);
            if (!error.empty()) {
                return quoted(f) + " is to be computed at each step of " + quoted(graph_.func(m.at)) + ", " + error;
            }
        }
        if ((host.placement == Placement::Thread && !m.each_step) ||
            (host.placement == Placement::Block && thread_counts(host).empty())) {
            return quoted(f) + " is computed in the threads of " + quoted(graph_.func(m.at)) +
                   ", which has no thread loops; compute it where that one is computed";
        }
        return "";
    }

    /// Whether something can be computed at each step of a member's update. A step that a `where`, or the end of a part
    /// of the reduction, leaves out has nothing to read there.
    std::string check_steps_of(const Member &host) const {
        const PlanFunc &h = graph_.func(host.func);
        if (h.kind != PlanFunc::Kind::Itself || h.stages.size() != 2 || h.stages[1].reductions.empty() ||
            !host.atomic.empty()) {
            return "which is no Func with one update whose reduction a thread has to itself; compute it elsewhere";
        }
        if (h.stages[1].has_where) {
            return "whose update has a `where`, by which there are steps that read nothing; compute it elsewhere";
        }
        if (host.steps.together() != 1 || host.full) {
            return "which takes several steps together or has them in two pieces of code; set \"steps\" to one and "
                   "\"full\" to false";
        }
        return "";
    }

    std::string check_axes(const Member &m) const {
        const PlanFunc &f = graph_.func(m.func);
        const size_t wanted = m.placement == Placement::Warp ? 1 : m.placement == Placement::Thread ? 0 : m.axes.size();
        if (m.axes.size() != wanted) {
            return quoted(f) + (wanted ? " is kept in lane registers and needs one axis, the one along the lanes"
                                       : " is computed inside a thread and cannot have axes");
        }
        for (size_t i = 0; i < m.axes.size(); i++) {
            const int dim = m.axes[i].dim;
            if (dim < 0 || dim >= f.dims || m.axes[i].threads < 1) {
                return "an axis of " + quoted(f) + " names dimension " + std::to_string(dim) + " of " +
                       std::to_string(f.dims) + ", with " + std::to_string(m.axes[i].threads) + " threads";
            }
            const size_t dealt = m.atomic.empty() ? f.stages.size() : 1;  // atomic updates have axes of their own
            for (size_t k = 0; k < dealt; k++) {
                const PlanStage &s = f.stages[k];
                if (!s.keeps[static_cast<size_t>(dim)]) {
                    return quoted(f) + " deals out dimension " + std::to_string(dim) +
                           ", over which one of its updates has no loop; take another dimension";
                }
            }
            for (size_t j = 0; j < i; j++) {
                if (m.axes[j].dim == dim) {
                    return quoted(f) + " deals out dimension " + std::to_string(dim) + " twice; join the two";
                }
            }
        }
        if (m.placement == Placement::Warp && f.stages.size() > 1 && !fills_its_lanes(m, f) &&
            !stays_in_lanes(plan_, graph_, dag_, g_, m)) {
            return quoted(f) +
                   " has updates, which lanes beyond its extent would sit out while others ask for their registers; " +
                   "keep it in shared memory, or split it by a multiple of 32 whose parts are the lanes";
        }
        const Node &node = dag_.node(f.node);
        if (m.placement == Placement::Warp && *std::max_element(node.type_bits.begin(), node.type_bits.end()) > 32) {
            return quoted(f) + " has 64-bit values, which lanes cannot pass to each other; keep it in shared memory";
        }
        return "";
    }

    bool reads_by_data(FuncRef reader, int stage, FuncRef source) const {
        const int consumer = graph_.func(reader).node, producer = graph_.func(source).node;
        return std::any_of(dag_.edges.begin(), dag_.edges.end(), [&](const Edge &e) {
            return e.consumer == consumer && e.stage == stage && e.producer == producer && e.data_dependent;
        });
    }

    /// A partial result whose parts are dealt to the lanes such that no lane is left without one.
    bool fills_its_lanes(const Member &m, const PlanFunc &f) const {
        const int64_t columns = columns_of(g_.tile);
        return f.kind == PlanFunc::Kind::Partial && m.axes[0].dim == f.dims - 1 &&
               f.partial_factors.back() % (kLanes * columns) == 0;
    }

    /// Everything that reads it runs inside the loop at which it is computed. Inlined readers stand for theirs.
    std::string check_readers(size_t i) const {
        const Member &m = g_.members[i];
        const PlanFunc &f = graph_.func(m.func);
        std::vector<FuncRef> through = {m.func};
        bool read = false;
        for (size_t next = 0; next < through.size(); next++) {
            for (const auto &[reader, stage] : graph_.func(through[next]).readers) {
                if (!homes_.group_of.count(reader)) {
                    if (dag_.node(graph_.func(reader).node).wraps_input) {
                        return quoted(f) + " is read through the boundary condition '" + graph_.func(reader).name +
                               "', which may reach the whole of it; stage '" + graph_.func(reader).name + "' instead";
                    }
                    if (std::find(through.begin(), through.end(), reader) == through.end()) {
                        through.push_back(reader);
                    }
                    continue;
                }
                read = true;
                if (m.placement == Placement::Warp && reads_by_data(reader, stage, through[next])) {
                    return quoted(f) + " is to be kept in lane registers, but " + quoted(graph_.func(reader)) +
                           " reads it where data say: registers and lanes have to be known; keep it in shared memory";
                }
                const std::string error = check_reader(i, reader, stage);
                if (!error.empty()) {
                    return error;
                }
            }
        }
        return read ? ""
                    : quoted(f) + " is computed in the group of " + quoted(output()) + ", but nothing reads it there";
    }

    std::string check_reader(size_t i, FuncRef reader, int stage) const {
        const Member &m = g_.members[i];
        const PlanFunc &f = graph_.func(m.func), &r = graph_.func(reader);
        if (reader == g_.output) {
            if (stage > 0) {
                return quoted(f) + " is read by an update of " + quoted(r) +
                       ", the output of the group; compute it at root, or make a copy of " + quoted(r) + " the output";
            }
            return m.at == g_.output ? "" : quoted(f) + " is read by " + quoted(r) + " itself; compute it at that";
        }
        const auto it = homes_.member_of.find(reader);
        if (it == homes_.member_of.end()) {
            return quoted(f) + " is also read by " + quoted(r) + ", which is computed in another group; compute " +
                   quoted(f) + " at root";
        }
        const Member &by = g_.members[it->second];
        if (it->second >= i) {
            return quoted(f) + " stands before " + quoted(r) + ", which reads it; put consumers before producers";
        }
        switch (m.placement) {
        case Placement::Block:
            return "";
        case Placement::Warp:
            return by.placement != Placement::Block ? inside_warp(by, f, r) : outside(f, r, "shared memory");
        case Placement::Thread:
            return runs_inside(by, stage, m) ? "" : outside(f, r, "another loop");
        }
        return "";
    }

    /// The member in whose loops a Thread member is computed; nothing: the group's output.
    const Member *host_of(const Member &m) const {
        return m.at == g_.output ? nullptr : &g_.members[homes_.member_of.at(m.at)];
    }

    /// Whether the stage of `by` is computed inside the loop at which `m` is, a Thread member. The steps of a reduction
    /// are inside whatever their Func is computed in.
    bool runs_inside(const Member &by, int stage, const Member &m) const {
        if (by.func == m.at) {
            return !m.each_step || stage == 1;
        }
        for (const Member *inner = &by; inner && inner->placement == Placement::Thread; inner = host_of(*inner)) {
            if (inner->at == m.at && (inner->each_step || !m.each_step)) {
                return true;
            }
        }
        return false;
    }

    /// A Thread member of a Block member is no part of a warp's loops.
    std::string inside_warp(const Member &by, const PlanFunc &f, const PlanFunc &r) const {
        const Member *outer = &by;
        while (outer && outer->placement == Placement::Thread) {
            outer = host_of(*outer);
        }
        return outer && outer->placement == Placement::Block ? outside(f, r, "shared memory") : "";
    }

    std::string outside(const PlanFunc &f, const PlanFunc &r, const std::string &where) const {
        return quoted(f) + " is read by " + quoted(r) + ", which is computed in " + where +
               ", outside the loop at which " + quoted(f) + " is; compute " + quoted(f) + " in shared memory";
    }

    const PlanFunc &output() const { return graph_.func(g_.output); }
};

}  // namespace

std::string check_members(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    std::string error = MemberChecker(plan, graph, dag, g).check();
    if (error.empty()) {
        error = check_stream(plan, graph, dag, g);
    }
    if (error.empty()) {
        error = check_room(plan, graph, dag, g);
    }
    return error.empty() ? check_lane_reads(plan, graph, dag, g) : error;
}

}  // namespace warptile
