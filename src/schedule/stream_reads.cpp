#include "schedule/stream_reads.h"

#include <algorithm>
#include <map>
#include <set>

namespace warptile {

namespace {

/// The dimensions of a Func that move with the lanes and with the stream; -1: none, or not one alone.
struct Walk {
    int lanes = -1, stream = -1;
    bool read = false;  ///< by anything in this kernel

    bool known() const { return lanes >= 0 && stream >= 0; }
};

/// Whether the axis is the point of `loop`, or so many points beside it, and nothing else.
bool is_beside(const AxisAccess &axis, int loop) {
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.terms.size() == 1 &&
           axis.terms[0].loop == loop && axis.terms[0].numerator == 1 && !axis.clamped && axis.limits == kEverything;
}

bool moves_with(const AxisAccess &axis, int loop) {
    return axis.kind == AxisAccess::Kind::Unknown ||
           std::any_of(axis.terms.begin(), axis.terms.end(), [&](const Term &t) { return t.loop == loop; });
}

/// The only dimension that moves with `loop`, beside its point; -1 where there is none such.
int dimension_beside(const Access &access, int loop) {
    int found = -1;
    for (size_t d = 0; d < access.axes.size(); d++) {
        if (moves_with(access.axes[d], loop)) {
            if (found >= 0 || !is_beside(access.axes[d], loop)) {
                return -1;
            }
            found = static_cast<int>(d);
        }
    }
    return found;
}

class Follower {
public:
    Follower(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g)
        : graph_(graph), dag_(dag), g_(g) {
        for (const Group &group : plan.groups) {
            computed_.insert(group.output);
            for (const Member &m : group.members) {
                computed_.insert(m.func);
            }
        }
    }

    StreamReads follow() {
        const auto dim = [&](int axis) { return g_.tile.axes[static_cast<size_t>(axis)].dim; };
        walks_[g_.output] = {dim(g_.tile.lane_axis), dim(g_.tile.stream), true};
        StreamReads result;
        for (const Member &m : g_.members) {
            const Walk walk = over_readers(m.func);
            if (result.error.empty() && !walk.known()) {
                result.error = "'" + graph_.func(m.func).name + "' is read elsewhere than beside the point that is " +
                               "computed, along the lanes or along the rows that the kernel of " + output() +
                               " takes one after the other; set \"stream\" to -1, or compute it at root";
            } else if (result.error.empty() && walk.lanes != m.axes[0].dim) {
                result.error = "'" + graph_.func(m.func).name + "' is kept in lane registers along dimension " +
                               std::to_string(m.axes[0].dim) + ", but the lanes of " + output() +
                               " read it apart along dimension " + std::to_string(walk.lanes) + "; take that one";
            }
            result.dims.push_back(walk.stream);
            walks_[m.func] = walk;
        }
        return result;
    }

private:
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;
    std::set<FuncRef> computed_;  // by any group; the others are inlined
    std::map<FuncRef, Walk> walks_;

    std::string output() const { return "'" + graph_.func(g_.output).name + "'"; }

    /// On which all readers in this kernel agree; inlined ones stand for theirs.
    Walk over_readers(FuncRef func) {
        Walk all;
        for (const auto &[reader, stage] : graph_.func(func).readers) {
            if (!walks_.count(reader) && !computed_.count(reader)) {
                walks_[reader] = over_readers(reader);
            }
            const auto by = walks_.find(reader);
            if (by != walks_.end() && by->second.read) {
                join(all, by->second.known() ? through(reader, stage, func, by->second) : Walk{-1, -1, true});
            }
        }
        return all;
    }

    static void join(Walk &all, const Walk &more) {
        if (!all.read) {
            all = more;
            return;
        }
        all.lanes = all.lanes == more.lanes ? all.lanes : -1;
        all.stream = all.stream == more.stream ? all.stream : -1;
    }

    Walk through(FuncRef reader, int stage, FuncRef func, const Walk &by) const {
        const PlanFunc &r = graph_.func(reader);
        if (r.kind == PlanFunc::Kind::Copy) {
            return by;
        }
        const std::vector<int> &loops = dag_.node(r.node).stages[static_cast<size_t>(stage)].pure_of_dim;
        const int lanes = loops[static_cast<size_t>(by.lanes)], stream = loops[static_cast<size_t>(by.stream)];
        Walk all;
        for (const Edge &edge : dag_.edges) {
            if (edge.consumer == r.node && edge.stage == stage && edge.producer == graph_.func(func).node) {
                for (const Access &access : edge.accesses) {
                    join(all, {dimension_beside(access, lanes), dimension_beside(access, stream), true});
                }
            }
        }
        return all;
    }
};

}  // namespace

StreamReads stream_reads(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    return Follower(plan, graph, dag, g).follow();
}

}  // namespace warptile
