#include "random_member.h"

#include <algorithm>

#include "dag/saturating.h"
#include "schedule/tile_extents.h"

namespace warptile::fuzz {

namespace {

/// Points of a member in one lane or thread.
constexpr int64_t most_member_points = 12;
/// The same of partial results: those of a row of 24 columns are 24 in each lane.
constexpr int64_t most_partial_points = 24;

/// Threads for a loop.
AxisTile random_axis(Prng &prng, int dim, bool first) {
    AxisTile axis;
    axis.dim = dim;
    axis.threads = prng.chance(80) ? 1 << prng.between(0, first ? 5 : 3) : prng.between(1, 20);
    return axis;
}

bool counts_in_memory(const PlanFunc &f) { return f.stages.size() == 2 && f.stages[1].scatters && f.stages[1].adds; }

/// A histogram that threads of a block add to: its cells dealt to some, its additions to others.
Member random_histogram(Prng &prng, const PlanFunc &f, Member m) {
    m.placement = Placement::Block;
    m.unroll = prng.chance(30);
    m.axes = {random_axis(prng, prng.below(f.dims), true)};
    std::vector<int> loops;
    for (int d = 0; d < f.dims + static_cast<int>(f.stages[1].reductions.size()); d++) {
        if (d >= f.dims || f.stages[1].keeps[static_cast<size_t>(d)]) {
            loops.push_back(d);
        }
    }
    prng.shuffle(loops);
    const int axes = prng.between(1, std::min(2, static_cast<int>(loops.size())));
    for (int i = 0; i < axes; i++) {
        m.atomic.push_back(random_axis(prng, loops[static_cast<size_t>(i)], i == 0));
    }
    return m;
}

}  // namespace

bool fits_in_thread(const std::vector<int64_t> &points) { return product(points) <= most_member_points; }

Member random_member(Prng &prng, const PlanFunc &f, FuncRef ref, const Group &group, bool atomics) {
    Member m;
    m.func = ref;
    m.at = group.output;
    if (atomics && counts_in_memory(f) && prng.chance(f.kind == PlanFunc::Kind::Partial ? 100 : 50)) {
        return random_histogram(prng, f, m);
    }
    const bool lanes = group.tile.lane_axis >= 0;
    m.unroll = lanes || prng.chance(85);
    // A row of partial results in the lanes or in shared memory, their last step in each thread: rare if left to
    // chance.
    const bool partial = f.kind == PlanFunc::Kind::Partial, reduced = f.stages.size() > 1 && !partial;
    const int liked = reduced ? 0 : lanes && prng.chance(80) ? 5 : 9;
    const int draw = (partial || (reduced && lanes)) && prng.chance(95) ? liked : prng.below(10);
    m.placement = draw < 3 ? Placement::Thread : draw < 7 && lanes ? Placement::Warp : Placement::Block;
    if (m.placement == Placement::Thread) {
        if (!group.members.empty() && prng.chance(50)) {
            m.at = prng.pick(group.members).func;
        }
    } else if (m.placement == Placement::Warp) {
        AxisTile axis;
        axis.dim = partial && prng.chance(80) ? f.dims - 1
                   : prng.chance(75)          ? group.tile.axes[static_cast<size_t>(group.tile.lane_axis)].dim
                                              : prng.below(std::max(1, f.dims));
        m.axes = {axis};
        m.unroll = true;
    } else {
        std::vector<int> dims;
        for (int d = 0; d < f.dims; d++) {
            dims.push_back(d);
        }
        if (prng.chance(25)) {
            prng.shuffle(dims);
        }
        m.unroll = m.unroll && !(lanes && prng.chance(20));
        const int axes = prng.between(0, std::min(f.dims, 3));
        for (int i = 0; i < axes; i++) {
            m.axes.push_back(random_axis(prng, dims[static_cast<size_t>(i)], i == 0));
        }
    }
    return m;
}

std::optional<std::vector<int64_t>> random_storage(Prng &prng, const Plan &plan, const PlanGraph &g,
                                                   const FunctionDag &dag, const Group &group) {
    const Member &m = group.members.back();
    if (m.placement == Placement::Warp && (m.axes[0].dim >= g.func(m.func).dims || group.tile.lane_axis < 0)) {
        return std::nullopt;
    }
    if (m.placement == Placement::Thread && m.at != group.output) {
        const bool known = std::any_of(group.members.begin(), group.members.end() - 1,
                                       [&](const Member &o) { return o.func == m.at; });
        if (!known) {
            return std::nullopt;
        }
    }
    const MemberExtents needed = member_extents(plan, g, dag, group).back();
    int64_t in_thread = 1;
    for (size_t d = 0; d < needed.points.size(); d++) {
        int64_t threads = 1;
        for (const AxisTile &axis : m.axes) {
            if (static_cast<size_t>(axis.dim) == d) {
                threads = m.placement == Placement::Warp ? 32 : axis.threads;
            }
        }
        in_thread *= (needed.points[d] + threads - 1) / threads;
    }
    const bool partial = g.func(m.func).kind == PlanFunc::Kind::Partial;
    const bool loops = m.placement == Placement::Block && !m.unroll;
    const bool drifts = std::count(needed.known.begin(), needed.known.end(), Known::Drifting) > 0;
    const bool any_size = m.placement == Placement::Block && !drifts;
    if ((!needed.fixed && !any_size) ||
        in_thread > (partial ? most_partial_points : most_member_points) * (loops ? 8 : 1)) {
        return std::nullopt;
    }
    std::vector<int64_t> storage = needed.points;
    for (int64_t &points : storage) {
        points += prng.chance(10) ? prng.between(1, 3) : 0;
    }
    for (size_t d = 0; d < storage.size(); d++) {
        storage[d] = needed.known[d] == Known::Fixed ? storage[d] : 0;
    }
    return storage;
}

}  // namespace warptile::fuzz
