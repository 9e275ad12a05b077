#include "schedule/tile_extents.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dag/constant_regions.h"
#include "dag/footprint.h"

namespace warptile {

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Nodes whose Funcs no group names: they are computed where they are read.
std::vector<bool> inlined_nodes(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag) {
    std::vector<bool> inlined(dag.nodes.size());
    for (const Node &n : dag.nodes) {
        inlined[static_cast<size_t>(n.id)] = n.kind == NodeKind::Func;
    }
    const auto named = [&](FuncRef ref) {
        if (graph.func(ref).kind != PlanFunc::Kind::Copy) {
            inlined[static_cast<size_t>(graph.func(ref).node)] = false;
        }
    };
    for (const Group &g : plan.groups) {
        named(g.output);
        for (const Member &m : g.members) {
            named(m.func);
        }
    }
    return inlined;
}

/// Nodes of the Funcs that the group computes itself, but for `output`.
std::vector<int> member_nodes(const PlanGraph &graph, const Group &g, int output) {
    std::set<int> nodes;
    for (const Member &m : g.members) {
        if (graph.func(m.func).kind == PlanFunc::Kind::Itself && graph.func(m.func).node != output) {
            nodes.insert(graph.func(m.func).node);
        }
    }
    return {nodes.begin(), nodes.end()};
}

/// Partial results of which each is read where it belongs: their update is a sum at every point, also where what was
/// split first writes at places that data choose.
bool read_at_its_points(const PlanFunc &of, const PlanFunc &member) {
    const auto keeps_all = [](const PlanStage &stage) {
        return std::all_of(stage.keeps.begin(), stage.keeps.end(), [](bool keeps) { return keeps; });
    };
    return of.node == member.node && of.kind != PlanFunc::Kind::Itself && member.kind == PlanFunc::Kind::Partial &&
           std::all_of(member.stages.begin(), member.stages.end(), keeps_all);
}

/// `tile` is one of the Func `of`, whose node knows nothing of the dimensions that `rfactor` added. A copy of partial
/// results, or partial results of these, have such dimensions themselves, and read at the same place along them.
MemberExtents extents_in(Footprint &footprint, std::vector<int64_t> tile, const PlanFunc &of, const PlanFunc &member) {
    MemberExtents result;
    const size_t own = tile.size() - of.partial_factors.size();
    const std::vector<int64_t> partial(tile.begin() + static_cast<std::ptrdiff_t>(own), tile.end());
    tile.resize(own);
    result.known.assign(tile.size(), Known::Fixed);
    if (read_at_its_points(of, member)) {
        result.points = tile;
    } else {
        result.known = footprint.known_extents(member.node);
        result.points = footprint.max_extents(tile)[static_cast<size_t>(member.node)];
        result.fixed = footprint.fixed_extents(member.node);
    }
    for (size_t i = 0; i < member.partial_factors.size(); i++) {
        const bool same_place = of.node == member.node && i < partial.size();
        result.points.push_back(same_place ? partial[i] : member.partial_factors[i]);
        result.known.push_back(Known::Fixed);
    }
    return result;
}

/// A histogram whose update writes anywhere along each of the Func's own dimensions: a tile needs all of its cells.
bool scatters_everywhere(const PlanFunc &f, const Node &node) {
    const auto keeps = [&](size_t d) { return f.stages[1].keeps[d]; };
    if (f.kind == PlanFunc::Kind::Copy || f.stages.size() != 2 || !f.stages[1].scatters) {
        return false;
    }
    for (size_t d = 0; d < static_cast<size_t>(node.dims()); d++) {
        if (keeps(d)) {
            return false;
        }
    }
    return true;
}

/// How many cells a histogram has, where that is the same at every size, and what the last of the tiles that read them
/// may reach beyond: a guard tests the points of a tile, but not those of its members.
void take_all_cells(const std::vector<std::optional<Interval>> &cells, const std::vector<int64_t> &tile,
                    MemberExtents &extents) {
    extents.fixed = true;
    for (size_t d = 0; d < cells.size(); d++) {
        extents.fixed = extents.fixed && cells[d].has_value();
        extents.known[d] = cells[d] ? Known::Fixed : Known::AtRunTime;
        extents.points[d] = cells[d] ? std::max<int64_t>(1, cells[d]->extent()) + tile[d] - 1 : extents.points[d];
    }
}

}  // namespace

std::vector<int64_t> block_extents(const KernelTile &tile, int dims) {
    std::vector<int64_t> extents(static_cast<size_t>(dims), 1);
    for (const AxisTile &a : tile.axes) {
        extents[static_cast<size_t>(a.dim)] = static_cast<int64_t>(a.width) * a.threads;
    }
    return extents;
}

std::vector<int64_t> thread_part(Placement placement, const std::vector<AxisTile> &axes, const KernelTile &tile,
                                 std::vector<int64_t> own) {
    const int64_t columns = columns_of(tile);
    for (const AxisTile &axis : axes) {
        int64_t &points = own[static_cast<size_t>(axis.dim)];
        const int64_t together = placement == Placement::Warp ? kLanes * columns : axis.threads;
        const int64_t each = placement == Placement::Warp ? columns : 1;
        points = (ceil_div(points, together) - 1) * together + each;
    }
    return own;
}

std::vector<int64_t> warp_extents(const KernelTile &tile, int dims) {
    std::vector<int64_t> extents(static_cast<size_t>(dims), 1);
    for (const AxisTile &a : tile.axes) {
        extents[static_cast<size_t>(a.dim)] = a.width;
    }
    return extents;
}

std::vector<int64_t> thread_extents(const KernelTile &tile, int dims) {
    std::vector<int64_t> extents = warp_extents(tile, dims);
    if (tile.lane_axis >= 0) {
        const AxisTile &lane = tile.axes[static_cast<size_t>(tile.lane_axis)];
        extents[static_cast<size_t>(lane.dim)] =
            tile.layout == LaneLayout::Adjacent ? tile.adjacent : (ceil_div(lane.width, kLanes) - 1) * kLanes + 1;
    }
    return extents;
}

int64_t columns_of(const KernelTile &tile) { return tile.layout == LaneLayout::Adjacent ? tile.adjacent : 1; }

std::vector<int> thread_counts(const KernelTile &tile) {
    std::vector<int> counts;
    if (tile.lane_axis >= 0) {
        counts.push_back(kLanes);
    }
    for (const AxisTile &axis : tile.axes) {
        if (axis.threads > 1) {
            counts.push_back(axis.threads);
        }
    }
    return counts;
}

std::vector<int> thread_counts(const Member &member) {
    std::vector<int> counts;
    for (const std::vector<AxisTile> &axes : {member.axes, member.atomic}) {
        size_t place = 0;
        for (const AxisTile &axis : axes) {
            if (axis.threads > 1) {
                counts.resize(std::max(counts.size(), place + 1), 1);
                counts[place] = std::max(counts[place], axis.threads);
                place++;
            }
        }
    }
    return counts;
}

int64_t steps_of_a_partial(int64_t extent, int factor) {
    constexpr int64_t kTogether = 16, kMost = 32;
    const int64_t steps = ceil_div(extent, factor);
    return steps <= kMost && extent % (factor * kTogether) != 0 ? steps : std::min(steps, kTogether);
}

std::vector<MemberExtents> member_extents(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag,
                                          const Group &g) {
    const std::vector<bool> inlined = inlined_nodes(plan, graph, dag);
    const PlanFunc &output = graph.func(g.output);
    Footprint whole(dag, output.node, member_nodes(graph, g, output.node), inlined);
    std::vector<MemberExtents> all;
    for (const Member &m : g.members) {
        const PlanFunc &member = graph.func(m.func);
        if (m.placement == Placement::Thread && m.at != g.output) {
            size_t i = 0;
            while (g.members[i].func != m.at) {
                i++;
            }
            const PlanFunc &at = graph.func(m.at);
            const Member &host = g.members[i];
            Footprint part(dag, at.node, member_nodes(graph, g, at.node), inlined,
                           m.each_step ? TileSteps::One : TileSteps::All);
            const std::vector<int64_t> points = thread_part(host.placement, host.axes, g.tile, all[i].points);
            all.push_back(extents_in(part, points, at, member));
            all.back().fixed = all.back().fixed && all[i].fixed;
            continue;
        }
        const std::vector<int64_t> tile = m.placement == Placement::Block  ? block_extents(g.tile, output.dims)
                                          : m.placement == Placement::Warp ? warp_extents(g.tile, output.dims)
                                                                           : thread_extents(g.tile, output.dims);
        all.push_back(extents_in(whole, tile, output, member));
        if (!m.atomic.empty() && output.node != member.node) {
            // Only a copy is known to read no more cells than its tile has points.
            all.back().fixed = false;
            std::fill(all.back().known.begin(), all.back().known.end(), Known::Drifting);
        } else if (!m.atomic.empty() && scatters_everywhere(member, dag.node(member.node))) {
            take_all_cells(constant_regions(dag)[static_cast<size_t>(member.node)], tile, all.back());
        }
    }
    return all;
}

}  // namespace warptile
