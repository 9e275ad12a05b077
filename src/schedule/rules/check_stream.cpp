#include "schedule/rules/check_stream.h"

#include <algorithm>

#include "schedule/stream_reads.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

std::string quoted(const PlanFunc &f) { return "'" + f.name + "'"; }

class StreamChecker {
public:
    StreamChecker(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g)
        : plan_(plan), graph_(graph), dag_(dag), g_(g) {}

    std::string check() const {
        std::string error = check_output();
        for (size_t i = 0; i < g_.members.size() && error.empty(); i++) {
            error = check_member(g_.members[i]);
        }
        return error.empty() ? check_rows() : error;
    }

private:
    const Plan &plan_;
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;

    std::string check_output() const {
        if (g_.members.empty()) {
            return streamed() + ", but it has no members to keep on the way; set \"stream\" to -1";
        }
        if (output().stages.size() > 1) {
            return streamed() + ", but " + quoted(output()) +
                   " has updates, which would come after all of them; set \"stream\" to -1";
        }
        if (g_.tail == Tail::Guard) {
            return streamed() + ", under a guard, which nothing is gained by; take the tail \"both\" or \"round_up\"";
        }
        return "";
    }

    std::string check_member(const Member &m) const {
        const PlanFunc &f = graph_.func(m.func);
        if (m.placement != Placement::Warp) {
            return streamed() + ", with " + quoted(f) +
                   " elsewhere than in lane registers; keep all of its members there or set \"stream\" to -1";
        }
        if (f.stages.size() > 1 || m.full || m.steps.together() != 1 || !m.atomic.empty()) {
            return streamed() + ", but " + quoted(f) +
                   " has updates, which take whole tiles; compute it at root or set \"stream\" to -1";
        }
        return "";
    }

    /// Rows are as long as the lanes hold, also where less is needed, and so is what they read.
    std::string check_reach(const Member &m, int stream) const {
        const PlanFunc &f = graph_.func(m.func);
        const Node &node = dag_.node(f.node);
        const bool bounded = std::any_of(dag_.nodes.begin(), dag_.nodes.begin() + f.node + 1,
                                         [](const Node &n) { return !n.bounds.empty(); });
        if (bounded) {
            return streamed() + ", but " + quoted(f) +
                   " reads (or is) a Func with bounds of its own (`bound`, `align_bounds`), beyond which whole rows "
                   "would reach; set \"stream\" to -1";
        }
        bool raw = f.kind == PlanFunc::Kind::Copy && node.is_output;
        for (int d = 0; d < f.dims; d++) {
            const size_t dim = static_cast<size_t>(d);
            raw = raw || (d != stream && (dim < node.raw_dims.size() ? node.raw_dims[dim] : node.reads_raw_input));
        }
        return raw ? streamed() + ", but " + quoted(f) +
                         " reads an input buffer without a boundary condition, or an output: its rows are as long as "
                         "the lanes hold, and would read beyond it; set \"stream\" to -1"
                   : "";
    }

    /// How long and how many the rows of each member are.
    std::string check_rows() const {
        const StreamReads reads = stream_reads(plan_, graph_, dag_, g_);
        if (!reads.error.empty()) {
            return reads.error;
        }
        const std::vector<MemberExtents> needed = member_extents(plan_, graph_, dag_, g_);
        const int64_t columns = columns_of(g_.tile);
        for (size_t i = 0; i < g_.members.size(); i++) {
            const Member &m = g_.members[i];
            const size_t stream = static_cast<size_t>(reads.dims[i]);
            const std::string name = quoted(graph_.func(m.func)), reach = check_reach(m, reads.dims[i]);
            if (!reach.empty()) {
                return reach;
            }
            const int64_t width = needed[i].points[static_cast<size_t>(m.axes[0].dim)], rows = needed[i].points[stream];
            if (width > kLanes * columns) {
                return name + " has rows of " + std::to_string(width) + " points in a tile of " + quoted(output()) +
                       ", which is streamed: its lanes hold " + std::to_string(kLanes * columns) +
                       "; make the tile narrower or a lane's columns more";
            }
            if (rows > kMostStreamRows) {
                return name + " has " + std::to_string(rows) + " rows in a tile of " + quoted(output()) +
                       ", too many to unroll; make the tile less high: at most " + std::to_string(kMostStreamRows);
            }
            if (stream < m.storage.size() && m.storage[stream] != 0) {
                return name + " stores " + std::to_string(m.storage[stream]) + " points along dimension " +
                       std::to_string(stream) + ", which " + quoted(output()) +
                       " takes one after the other; store 0, which leaves it to Halide how many are kept";
            }
        }
        return "";
    }

    std::string streamed() const { return "the kernel of " + quoted(output()) + " takes rows one after the other"; }

    const PlanFunc &output() const { return graph_.func(g_.output); }
};

}  // namespace

std::string check_stream_tile(const PlanFunc &output, const KernelTile &tile) {
    if (tile.stream == -1) {
        return "";
    }
    const std::string what = "the stream of " + quoted(output) + " is axis " + std::to_string(tile.stream);
    if (tile.stream < 0 || static_cast<size_t>(tile.stream) >= tile.axes.size()) {
        return what + " of " + std::to_string(tile.axes.size()) + "; number them from 0, or -1 for none";
    }
    if (tile.lane_axis < 0) {
        return what + ", but the tile has no lanes, whose registers pass rows on; give it a lane axis";
    }
    if (tile.stream == tile.lane_axis) {
        return what + ", which the lanes share; take another axis";
    }
    const int width = tile.axes[static_cast<size_t>(tile.lane_axis)].width;
    if (tile.axes[static_cast<size_t>(tile.lane_axis)].threads > 1) {
        // Where such tiles are guarded, Halide does not see how long the rows of a chain of members are.
        return what + ", but several warps share a row; give the lane axis one thread, and another axis the warps";
    }
    if (tile.layout == LaneLayout::Chunked && width > kLanes) {
        return what + ", but its rows are " + std::to_string(width) +
               " wide, several chunks; make them at most 32, or take adjacent columns";
    }
    return "";
}

std::string check_stream(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    return g.tile.stream < 0 ? "" : StreamChecker(plan, graph, dag, g).check();
}

}  // namespace warptile
