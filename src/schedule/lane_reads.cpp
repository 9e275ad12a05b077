#include "schedule/lane_reads.h"

#include <algorithm>
#include <map>
#include <set>

namespace warptile {

namespace {

using Dims = std::set<int>;

class LaneReads {
public:
    LaneReads(const PlanGraph &graph, const FunctionDag &dag, const Plan &plan, const Group &g)
        : graph_(graph), dag_(dag), g_(g) {
        for (const Group &group : plan.groups) {
            computed_.insert(group.output);
            for (const Member &m : group.members) {
                computed_.insert(m.func);
            }
        }
    }

    std::string check() {
        if (g_.tile.lane_axis < 0) {
            return "";
        }
        const AxisTile &row = g_.tile.axes[static_cast<size_t>(g_.tile.lane_axis)];
        const bool one_lane = row.width <= (g_.tile.layout == LaneLayout::Adjacent ? g_.tile.adjacent : 1);
        varying_[g_.output] = one_lane ? Dims() : Dims{row.dim};
        for (const Member &m : g_.members) {
            const Dims read = read_varying(m.func);
            if (m.placement == Placement::Warp) {
                const PlanFunc &f = graph_.func(m.func);
                if (f.kind != PlanFunc::Kind::Partial && !read.count(m.axes[0].dim)) {
                    return "'" + f.name + "' is kept in lane registers along dimension " +
                           std::to_string(m.axes[0].dim) +
                           ", along which the lanes that read it do not differ; keep it in the thread or in shared " +
                           "memory, or take the dimension that moves with the lanes";
                }
                varying_[m.func] = {m.axes[0].dim};
            } else {
                // The threads that share a member in shared memory are no lanes of the kernel's rows.
                varying_[m.func] = m.placement == Placement::Thread && in_lanes(m) ? read : Dims();
            }
        }
        return "";
    }

private:
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;
    std::set<FuncRef> computed_;       // by any group; the others are inlined
    std::map<FuncRef, Dims> varying_;  // of what the lanes evaluate: dimensions along which they do so apart

    bool in_lanes(const Member &m) const {
        for (const Member &host : g_.members) {
            if (host.func == m.at) {
                return host.placement == Placement::Warp || (host.placement == Placement::Thread && in_lanes(host));
            }
        }
        return true;
    }

    /// Dimensions of `func` along which lanes read it apart, over all readers in this kernel.
    Dims read_varying(FuncRef func) {
        Dims dims;
        for (const auto &[reader, stage] : graph_.func(func).readers) {
            if (!varying_.count(reader) && !computed_.count(reader)) {
                varying_[reader] = read_varying(reader);
            }
            const auto known = varying_.find(reader);
            if (known != varying_.end() && !known->second.empty()) {
                const Dims more = through(reader, stage, func, known->second);
                dims.insert(more.begin(), more.end());
            }
        }
        return dims;
    }

    Dims through(FuncRef reader, int stage, FuncRef func, const Dims &varying) const {
        const PlanFunc &by = graph_.func(reader), &f = graph_.func(func);
        if (by.kind == PlanFunc::Kind::Copy) {
            return varying;
        }
        if (f.kind == PlanFunc::Kind::Partial && f.node == by.node) {
            return varying;  // its own points, each with all its parts
        }
        Dims dims;
        for (const Edge &edge : dag_.edges) {
            const bool read = edge.consumer == by.node && edge.producer == f.node &&
                              (by.kind == PlanFunc::Kind::Partial ? edge.stage > 0 : edge.stage == stage);
            if (read) {
                add_read(edge, varying, dims);
            }
        }
        return dims;
    }

    /// Dimensions beyond the node's own are parts of its reduction: steps of which lanes have different ones.
    void add_read(const Edge &edge, const Dims &varying, Dims &dims) const {
        const Node &node = dag_.node(edge.consumer);
        const Stage &stage = node.stages[static_cast<size_t>(edge.stage)];
        std::set<int> loops;
        for (const int d : varying) {
            for (size_t l = 0; l < stage.loops.size(); l++) {
                const bool moves = d < node.dims() ? stage.pure_of_dim[static_cast<size_t>(d)] == static_cast<int>(l)
                                                   : stage.loops[l].reduction;
                if (moves) {
                    loops.insert(static_cast<int>(l));
                }
            }
        }
        for (const Access &access : edge.accesses) {
            for (size_t d = 0; d < access.axes.size(); d++) {
                if (moves_with(access.axes[d], loops)) {
                    dims.insert(static_cast<int>(d));
                }
            }
        }
    }

    static bool moves_with(const AxisAccess &axis, const std::set<int> &loops) {
        if (axis.kind != AxisAccess::Kind::Affine) {
            return !loops.empty();
        }
        for (const Term &term : axis.terms) {
            if (loops.count(term.loop)) {
                return true;
            }
        }
        return false;
    }
};

/// Whether `axis` is the point of `loop`.
bool is_point_of(const AxisAccess &axis, int loop) {
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.lo == 0 && axis.hi == 0 &&
           axis.terms.size() == 1 && axis.terms[0].loop == loop && axis.terms[0].numerator == 1;
}

bool is_apart_from(const AxisAccess &axis, int loop) {
    return axis.kind == AxisAccess::Kind::Absolute ||
           (axis.kind == AxisAccess::Kind::Affine &&
            std::none_of(axis.terms.begin(), axis.terms.end(), [&](const Term &t) { return t.loop == loop; }));
}

/// Whether `reader`, in each lane along its dimension `dim`, reads of `m` what the same lane has.
bool reads_own_lane(const PlanGraph &graph, const FunctionDag &dag, FuncRef reader, int stage, int dim,
                    const Member &m) {
    const PlanFunc &by = graph.func(reader);
    const size_t lanes = static_cast<size_t>(m.axes[0].dim);
    if (by.kind == PlanFunc::Kind::Copy) {
        return m.axes[0].dim == dim;
    }
    const int loop = dag.node(by.node).stages[static_cast<size_t>(stage)].pure_of_dim[static_cast<size_t>(dim)];
    for (const Edge &edge : dag.edges) {
        if (edge.consumer != by.node || edge.stage != stage || edge.producer != graph.func(m.func).node) {
            continue;
        }
        for (const Access &access : edge.accesses) {
            for (size_t d = 0; d < access.axes.size(); d++) {
                if (d == lanes ? !is_point_of(access.axes[d], loop) : !is_apart_from(access.axes[d], loop)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// Whether a stage reads what lies in lanes, also through Funcs that are inlined.
bool reads_lanes(const PlanGraph &graph, const std::map<FuncRef, bool> &in_lanes, const PlanStage &stage) {
    return std::any_of(stage.reads.begin(), stage.reads.end(), [&](FuncRef read) {
        const auto computed = in_lanes.find(read);
        const std::vector<PlanStage> &stages = graph.func(read).stages;
        return computed != in_lanes.end() ? computed->second
                                          : std::any_of(stages.begin(), stages.end(), [&](const PlanStage &inlined) {
                                                return reads_lanes(graph, in_lanes, inlined);
                                            });
    });
}

}  // namespace

bool stays_in_lanes(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g, const Member &m) {
    const PlanFunc &f = graph.func(m.func);
    if (g.tile.lane_axis < 0 || g.tile.layout != LaneLayout::Chunked || f.kind != PlanFunc::Kind::Itself) {
        return false;
    }
    std::map<FuncRef, bool> in_lanes;
    for (const Group &group : plan.groups) {
        in_lanes[group.output] = false;
        for (const Member &member : group.members) {
            in_lanes[member.func] = member.placement == Placement::Warp;
        }
    }
    const AxisTile &row = g.tile.axes[static_cast<size_t>(g.tile.lane_axis)];
    return row.width % kLanes == 0 &&
           std::all_of(f.readers.begin(), f.readers.end(),
                       [&](const std::pair<FuncRef, int> &reader) {
                           return reader.first == g.output &&
                                  reads_own_lane(graph, dag, reader.first, reader.second, row.dim, m);
                       }) &&
           std::none_of(f.stages.begin(), f.stages.end(),
                        [&](const PlanStage &stage) { return reads_lanes(graph, in_lanes, stage); });
}

std::string check_lane_reads(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    return LaneReads(graph, dag, plan, g).check();
}

}  // namespace warptile
