#include "random_stream.h"

#include <algorithm>

#include "random_tile.h"
#include "schedule/plan_graph.h"
#include "schedule/rules/check_plan.h"
#include "schedule/stream_reads.h"
#include "schedule/tile_extents.h"

namespace warptile::fuzz {

namespace {

/// Points of all members in one lane: every one is unrolled and compiled.
constexpr int64_t most_points = 160;

/// Lanes along one dimension, the stream along another, and some points or warps along a third.
KernelTile stream_tile(Prng &prng, int dims) {
    std::vector<int> order;
    for (int d = 0; d < dims; d++) {
        order.push_back(d);
    }
    if (prng.chance(20)) {
        prng.shuffle(order);
    }
    KernelTile tile;
    AxisTile lanes;
    lanes.dim = order[0];
    if (prng.chance(40)) {
        tile.layout = LaneLayout::Adjacent;
        tile.adjacent = prng.between(1, 3);
    }
    const int columns = 32 * tile.adjacent;
    lanes.width = prng.chance(75) ? columns - prng.between(0, 8) : prng.between(1, columns);
    AxisTile rows;
    rows.dim = order[1];
    rows.width = prng.pick(std::vector<int>{1, 2, 3, 4, 5, 8, 12});
    rows.threads = prng.pick(std::vector<int>{1, 1, 2, 3, 4});
    tile.axes = {lanes, rows};
    if (dims > 2 && prng.chance(60)) {
        AxisTile more;
        more.dim = order[2];
        more.width = prng.between(1, 2);
        more.threads = prng.between(1, 2);
        tile.axes.push_back(more);
    }
    if (prng.chance(30)) {
        prng.shuffle(tile.axes);
    }
    const auto at = [&](int dim) {
        return static_cast<int>(
            std::find_if(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &a) { return a.dim == dim; }) -
            tile.axes.begin());
    };
    tile.lane_axis = at(order[0]);
    tile.stream = at(order[1]);
    return tile;
}

/// What the rows of each member take; false where it is too much for a test.
bool draw_storage(Prng &prng, const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, Group &group) {
    const StreamReads reads = stream_reads(plan, graph, dag, group);
    if (!reads.error.empty()) {
        return false;
    }
    const std::vector<MemberExtents> needed = member_extents(plan, graph, dag, group);
    int64_t points = 0;
    for (size_t i = 0; i < group.members.size(); i++) {
        Member &m = group.members[i];
        m.storage = needed[i].points;
        int64_t in_lane = group.tile.layout == LaneLayout::Adjacent ? group.tile.adjacent : 1;
        for (size_t d = 0; d < m.storage.size(); d++) {
            const bool lanes = static_cast<int>(d) == m.axes[0].dim, stream = static_cast<int>(d) == reads.dims[i];
            in_lane *= lanes ? 1 : m.storage[d];
            m.storage[d] = stream ? 0 : m.storage[d] + (prng.chance(10) ? prng.between(1, 3) : 0);
        }
        points += in_lane;
    }
    return points <= most_points;
}

}  // namespace

std::optional<Group> random_stream(Prng &prng, const Plan &plan, size_t group, const FunctionDag &dag) {
    const PlanGraph graph = make_plan_graph(plan, dag);
    const PlanFunc &output = graph.func(plan.groups[group].output);
    const bool pure =
        std::all_of(plan.groups[group].members.begin(), plan.groups[group].members.end(), [&](const Member &m) {
            return graph.func(m.func).stages.size() == 1 && graph.func(m.func).dims >= 2;
        });
    if (plan.groups[group].members.empty() || !pure || output.stages.size() > 1 || output.dims < 2) {
        return std::nullopt;
    }
    for (int i = 0; i < 10; i++) {
        Plan changed = plan;
        Group &g = changed.groups[group];
        g.tile = stream_tile(prng, output.dims);
        const int dim = g.tile.axes[static_cast<size_t>(g.tile.lane_axis)].dim;
        for (Member &m : g.members) {
            Member in_lanes;
            in_lanes.func = m.func;
            in_lanes.placement = Placement::Warp;
            in_lanes.at = g.output;
            in_lanes.axes = {AxisTile()};
            in_lanes.axes[0].dim = std::min(dim, graph.func(m.func).dims - 1);
            m = in_lanes;
        }
        draw_tail(prng, output, dag, g);
        if (draw_storage(prng, changed, graph, dag, g) && check_plan(changed, dag).empty()) {
            return g;
        }
    }
    return std::nullopt;
}

}  // namespace warptile::fuzz
