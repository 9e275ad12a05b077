#include "schedule/rules/check_group.h"

#include <algorithm>
#include <set>

#include "dag/halide/user_name.h"
#include "dag/least_regions.h"
#include "dag/saturating.h"
#include "schedule/rules/check_steps.h"
#include "schedule/rules/check_stream.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

std::string quoted(const PlanFunc &f) { return "'" + f.name + "'"; }

/// How many lanes a row of this width takes.
int64_t lanes_of(const KernelTile &tile) {
    const int64_t width = tile.axes[static_cast<size_t>(tile.lane_axis)].width;
    return tile.layout == LaneLayout::Adjacent ? (width + tile.adjacent - 1) / tile.adjacent
                                               : std::min(width, int64_t{kLanes});
}

std::string tile_of(const PlanFunc &output, int stage) {
    return "the tile of " + quoted(output) + (stage ? ", update " + std::to_string(stage - 1) : "");
}

/// Of an update whose outermost loops are loops of the host.
std::string check_turns(const PlanFunc &output, const KernelTile &tile, int stage, bool atomic) {
    if (tile.turns == 0) {
        return "";
    }
    const PlanStage &s = output.stages[static_cast<size_t>(stage)];
    if (tile.turns != s.turns || atomic) {
        return tile_of(output, stage) + " takes " + std::to_string(tile.turns) + " loops in turn; take " +
               (s.turns > 0 && !atomic ? std::to_string(s.turns) + " or " : "") + "none";
    }
    const auto named = [&](size_t number) {
        return std::any_of(tile.axes.begin(), tile.axes.end(),
                           [&](const AxisTile &a) { return a.dim == output.dims + static_cast<int>(number); });
    };
    // Halide lets none of them change places, so that what is outside of a loop that is dealt out is so too.
    bool dealt = false;
    for (size_t r = 0; r < s.reductions.size(); r++) {
        const bool turn = r + static_cast<size_t>(s.turns) >= s.reductions.size();
        if (turn ? named(r) : dealt && !named(r)) {
            return tile_of(output, stage) + (turn ? " names" : " leaves out") + " reduction loop " + std::to_string(r) +
                   (turn ? ", which is taken in turn; leave it out"
                         : ", which lies around another one that it deals out; name it");
        }
        dealt = dealt || named(r);
    }
    return dealt ? "" : tile_of(output, stage) + " takes loops in turn and names none of those within; name one";
}

std::string check_axes(const PlanFunc &output, const KernelTile &tile, int stage, bool atomic) {
    const PlanStage &s = output.stages[static_cast<size_t>(stage)];
    const std::string where = tile_of(output, stage);
    std::vector<bool> apart = s.apart, promised = s.promised;
    for (size_t r = 0; r < apart.size() && tile.turns > 0; r++) {
        apart[r] = apart[r] || s.apart_in_turn[r];
        promised[r] = promised[r] || s.apart_in_turn[r];
    }
    std::set<int> dims;
    for (const AxisTile &a : tile.axes) {
        const bool reduction = a.dim >= output.dims;
        if (a.dim < 0 || a.dim >= output.dims + static_cast<int>(s.reductions.size())) {
            return where + " names dimension " + std::to_string(a.dim) + "; it has " + std::to_string(output.dims) +
                   ", and after them " + std::to_string(s.reductions.size()) + " reduction loops";
        }
        if (!reduction && !s.keeps[static_cast<size_t>(a.dim)]) {
            return where + " names dimension " + std::to_string(a.dim) +
                   ", over which this update has no loop; leave it out";
        }
        const size_t number = static_cast<size_t>(std::max(0, a.dim - output.dims));
        if (reduction && !atomic && !apart[number]) {
            return where + " deals reduction loop " + std::to_string(number) +
                   " to threads or blocks, which would race; make the update atomic or split it by `rfactor`";
        }
        if (reduction && promised[number] && !s.any_order() &&
            (a.width > 1 || std::find(promised.begin(), promised.end(), true) - promised.begin() !=
                                static_cast<std::ptrdiff_t>(number)) &&
            a.width * a.threads > 1) {
            return where + " cuts reduction loop " + std::to_string(number) +
                   ", which Halide does not let change places with others; give threads, of one point each, to the " +
                   "innermost such loop alone";
        }
        if (!dims.insert(a.dim).second) {
            return where + " names dimension " + std::to_string(a.dim) + " twice; join the two";
        }
        if (a.width < 1 || a.threads < 1) {
            return where + " has a width or a number of threads below 1";
        }
    }
    return "";
}

std::string check_lanes(const PlanFunc &output, const KernelTile &tile, int stage) {
    if (tile.lane_axis < 0) {
        return "";
    }
    if (stage > 0) {
        return "an update of " + quoted(output) + " has lanes; only the pure stage of a kernel's output can";
    }
    if (static_cast<size_t>(tile.lane_axis) >= tile.axes.size()) {
        return "the lane axis of " + quoted(output) + " is number " + std::to_string(tile.lane_axis) + " of " +
               std::to_string(tile.axes.size()) + " axes; number them from 0";
    }
    if (tile.layout == LaneLayout::Adjacent && tile.adjacent < 1) {
        return "a lane of " + quoted(output) + " has " + std::to_string(tile.adjacent) + " columns; give it 1 or more";
    }
    if (lanes_of(tile) > kLanes) {
        return "the row of " + quoted(output) + " takes " + std::to_string(lanes_of(tile)) +
               " lanes; a warp has 32: make it narrower or a lane's columns more";
    }
    return "";
}

std::string check_steps_of_tile(const PlanFunc &output, const KernelTile &tile, int stage, bool atomic) {
    if (tile.steps.whole_tiles) {
        return quoted(output) +
               " takes steps together in whole tiles only, which is for members; set \"whole_tiles\" " +
               "in the steps of its tiles to false";
    }
    if (tile.steps.together() == 1) {
        return "";
    }
    const PlanStage &s = output.stages[static_cast<size_t>(stage)];
    Stepper stepper;
    stepper.what = quoted(output) + (stage ? ", update " + std::to_string(stage - 1) + "," : "");
    stepper.loops = static_cast<int>(s.reductions.size()) - tile.turns;
    stepper.dealt = [&](int loop) {
        return std::any_of(tile.axes.begin(), tile.axes.end(),
                           [&](const AxisTile &a) { return a.dim == output.dims + loop; });
    };
    stepper.reads_here = [] { return false; };
    if (atomic) {
        return stepper.what + " takes steps together, which threads share; take them one after the other";
    }
    return check_steps(stepper, tile.steps, s);
}

/// Outputs whose extent is tested: how far dimension `dim` of the kernel's output, itself one, surely reaches.
int64_t tested_extent(const Group &g, int output, int dim) {
    int64_t extent = 0;
    for (const SizeCondition &c : g.conditions) {
        if (c.output == output && c.dim == dim) {
            extent = std::max(extent, c.extent);
        }
    }
    return extent;
}

/// The same where the kernel's output is an intermediate Func: how far it is surely computed where the conditions hold.
int64_t least_extent(const Group &g, const FunctionDag &dag, int node, int dim) {
    LeastRegions least(dag);
    int64_t extent = 0;
    for (const SizeCondition &c : g.conditions) {
        const int tested = dag.outputs[static_cast<size_t>(c.output)];
        if (tested > node) {
            extent = std::max(extent, least.least_extent(node, static_cast<size_t>(dim), tested,
                                                         static_cast<size_t>(c.dim), c.extent));
        }
    }
    return extent;
}

std::string check_conditions(const PlanFunc &output, const FunctionDag &dag, const Group &g) {
    if (g.conditions.empty()) {
        return quoted(output) +
               " is to be cut differently where it is large, but no size is tested; add conditions or " +
               "take the tail \"guard\"";
    }
    for (const SizeCondition &c : g.conditions) {
        if (c.output < 0 || static_cast<size_t>(c.output) >= dag.outputs.size()) {
            return "a condition of " + quoted(output) + " tests output " + std::to_string(c.output) + " of " +
                   std::to_string(dag.outputs.size());
        }
        const Node &tested = dag.node(dag.outputs[static_cast<size_t>(c.output)]);
        if (c.dim < 0 || c.dim >= tested.dims() || c.extent < 1) {
            return "a condition of " + quoted(output) + " tests dimension " + std::to_string(c.dim) + " of '" +
                   user_name(tested.name) + "', which has " + std::to_string(tested.dims()) + ", against " +
                   std::to_string(c.extent);
        }
    }
    const Node &node = dag.node(output.node);
    const std::vector<int64_t> block = block_extents(g.tile, output.dims);
    for (int d = 0; d < output.dims; d++) {
        const int64_t points = block[static_cast<size_t>(d)];
        if (points > 1 && d >= node.dims()) {
            // A tile of more parts than there are would be shifted to parts before the first, which read before the
            // begin of what they reduce.
            const int parts = output.partial_factors[static_cast<size_t>(d - node.dims())];
            if (points > parts) {
                return "a tile of " + quoted(output) + " has " + std::to_string(points) + " points along dimension " +
                       std::to_string(d) + ", which has " + std::to_string(parts) +
                       "; make it no larger or take the tail \"guard\"";
            }
            continue;
        }
        if (points == 1) {
            continue;
        }
        const bool raw = d < static_cast<int>(node.raw_dims.size()) && node.raw_dims[static_cast<size_t>(d)];
        const bool ensured = node.is_output && output.kind == PlanFunc::Kind::Itself
                                 ? tested_extent(g, node.output_index, d) >= points
                                 : !raw || least_extent(g, dag, output.node, d) >= points;
        if (!ensured) {
            return "a tile of " + quoted(output) + " has " + std::to_string(points) + " points along dimension " +
                   std::to_string(d) + ", which no condition ensures; test that extent or take the tail \"guard\"";
        }
    }
    return "";
}

}  // namespace

std::string check_tile(const PlanFunc &output, const KernelTile &tile, int stage, bool atomic) {
    std::string error = check_axes(output, tile, stage, atomic);
    if (error.empty()) {
        error = check_turns(output, tile, stage, atomic);
    }
    if (error.empty()) {
        error = check_lanes(output, tile, stage);
    }
    if (error.empty()) {
        error = check_steps_of_tile(output, tile, stage, atomic);
    }
    if (error.empty()) {
        error = check_stream_tile(output, tile);
    }
    if (!error.empty()) {
        return error;
    }
    if (tile.host_loops < 0 || tile.host_loops > output.dims) {
        return "the tile of " + quoted(output) + " leaves " + std::to_string(tile.host_loops) +
               " of its loops to the host; it has " + std::to_string(output.dims);
    }
    const std::vector<int> counts = thread_counts(tile);
    if (counts.size() > kThreadDimensions) {
        return "the kernel of " + quoted(output) + " has " + std::to_string(counts.size()) +
               " thread dimensions; at most 3 axes can have threads, lanes included";
    }
    const int64_t threads = product({counts.begin(), counts.end()});
    if (threads > kMostThreads) {
        return "a block of " + quoted(output) + " has " + std::to_string(threads) +
               " threads; at most 1024 can be launched";
    }
    if (counts.size() == kThreadDimensions && counts.back() > kMostThreadsZ) {
        return "the third thread dimension of " + quoted(output) + " has " + std::to_string(counts.back()) +
               " threads; at most 64 can be launched: put the axis earlier";
    }
    const int64_t points = product(thread_extents(
        tile, output.dims + static_cast<int>(output.stages[static_cast<size_t>(stage)].reductions.size())));
    if (points > kMostPointsInThread * kLanes) {
        return "a thread of " + quoted(output) + " computes " + std::to_string(points) +
               " points; make the tile smaller";
    }
    return "";
}

std::string check_tail(const PlanFunc &output, const FunctionDag &dag, const Group &g) {
    const Node &node = dag.node(output.node);
    if (g.tail == Tail::Both) {
        return check_conditions(output, dag, g);
    }
    if (g.tail == Tail::Guard) {
        return "";
    }
    if (node.is_output && output.kind == PlanFunc::Kind::Itself) {
        return quoted(output) +
               " is an output, whose buffer ends where its size says; take the tail \"guard\" or \"both\"";
    }
    const bool bounded = std::any_of(dag.nodes.begin(), dag.nodes.begin() + output.node + 1,
                                     [](const Node &n) { return !n.bounds.empty(); });
    if (bounded) {
        return quoted(output) +
               " reads (or is) a Func with bounds of its own (`bound`, `align_bounds`), beyond which whole " +
               "tiles would reach; take the tail \"guard\"";
    }
    if (output.stages.size() > 1) {
        return quoted(output) + " has updates, which would read beyond what they need; take the tail \"guard\"";
    }
    const std::vector<int64_t> block = block_extents(g.tile, output.dims);
    for (size_t d = 0; d < block.size(); d++) {
        const bool raw = d < node.raw_dims.size() ? node.raw_dims[d] : node.reads_raw_input;
        if (block[d] > 1 && raw) {
            return quoted(output) +
                   " reads an input buffer without a boundary condition, or an output: whole tiles along dimension " +
                   std::to_string(d) + " would read beyond it; take the tail \"guard\" or \"both\"";
        }
    }
    return "";
}

std::string check_group(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    const PlanFunc &output = graph.func(g.output);
    if (output.kind != PlanFunc::Kind::Copy && dag.node(output.node).on_host() && !g.on_host) {
        return quoted(output) + " " + dag.node(output.node).only_on_host + "; set \"on_host\"";
    }
    if (g.on_host) {
        return g.members.empty() ? "" : quoted(output) + " is computed on the host; its group cannot have members";
    }
    std::string error = check_tile(output, g.tile, 0, false);
    const size_t updates = output.stages.size() - 1;
    if (error.empty() && (g.updates.size() > updates || g.atomic.size() > updates)) {
        error = "the group of " + quoted(output) + " has tiles or atomics for more updates than the " +
                std::to_string(updates) + " that there are";
    }
    for (size_t u = 0; u < updates && error.empty(); u++) {
        const bool atomic = u < g.atomic.size() && g.atomic[u];
        const PlanStage &update = output.stages[u + 1];
        if (atomic && !update.adds) {
            // Anything else becomes a loop of compare and swap, in which Halide 21 reads the old value a second time:
            // on an H100 values were lost.
            return "update " + std::to_string(u) + " of " + quoted(output) +
                   " does not add to numbers of 32 or 64 bits; nothing else is atomic, split it by `rfactor`";
        }
        if (u < g.updates.size()) {
            error = check_tile(output, g.updates[u], static_cast<int>(u) + 1, atomic);
        }
    }
    if (error.empty()) {
        error = check_tail(output, dag, g);
    }
    return error.empty() ? check_members(plan, graph, dag, g) : error;
}

}  // namespace warptile
