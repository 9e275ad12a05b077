// What the members of a kernel take: threads of its block, registers of a thread, shared memory.

#include <algorithm>

#include "dag/saturating.h"
#include "schedule/rules/check_group.h"
#include "schedule/shared_layout.h"
#include "schedule/stream_reads.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

std::string quoted(const PlanFunc &f) { return "'" + f.name + "'"; }

class RoomChecker {
public:
    RoomChecker(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g)
        : plan_(plan), graph_(graph), dag_(dag), g_(g) {}

    std::string check() const {
        std::string error = check_threads();
        if (error.empty()) {
            error = check_storage();
        }
        return error.empty() ? check_layout() : error;
    }

private:
    const Plan &plan_;
    const PlanGraph &graph_;
    const FunctionDag &dag_;
    const Group &g_;

    /// Halide reads the values of an update's own Func in all threads of the block, also where one thread stores them,
    /// and stores them one after the other.
    bool races_with_itself(const Member &m, int64_t threads) const {
        const PlanFunc &f = graph_.func(m.func);
        return threads > 1 && m.placement == Placement::Block && thread_counts(m).empty() && f.stages.size() > 1 &&
               dag_.node(f.node).type_bytes.size() > 1;
    }

    std::string check_threads() const {
        const std::vector<int> of_tile = thread_counts(g_.tile);
        std::vector<int64_t> counts(of_tile.begin(), of_tile.end());
        for (const Member &m : g_.members) {
            if (m.placement != Placement::Block) {
                continue;
            }
            const PlanFunc &f = graph_.func(m.func);
            const std::vector<int> own = thread_counts(m);
            // On an H100 some plans of this form gave wrong values, though their host mirrors are right; reductions did
            // not.
            if (!own.empty() && of_tile.empty() && f.kind != PlanFunc::Kind::Partial) {
                return quoted(f) + " is dealt to threads, but the kernel of " + quoted(output()) +
                       " has none; give its tile some, or the Func one thread an axis";
            }
            if (own.size() > kThreadDimensions) {
                return quoted(f) + " is dealt to more than 3 thread dimensions; leave out some of its axes";
            }
            if (g_.tile.lane_axis >= 0 && !own.empty() && own[0] > kLanes) {
                return "the first axis of " + quoted(f) + " has " + std::to_string(own[0]) +
                       " threads; in a kernel with lanes it runs over them, at most 32";
            }
            counts.resize(std::max(counts.size(), own.size()), 1);
            for (size_t p = 0; p < own.size(); p++) {
                counts[p] = std::max<int64_t>(counts[p], own[p]);
            }
        }
        int64_t threads = 1;
        for (const int64_t n : counts) {
            threads *= n;
        }
        for (const Member &m : g_.members) {
            if (races_with_itself(m, threads)) {
                return quoted(graph_.func(m.func)) + " has several values and an update, and one thread of " +
                       std::to_string(threads) + " would compute it while the others read it; compute it in the thread";
            }
        }
        if (threads > kMostThreads || (counts.size() == kThreadDimensions && counts.back() > kMostThreadsZ)) {
            return "a block of " + quoted(output()) + " and its members has " + std::to_string(threads) +
                   " threads; at most 1024 can be launched, 64 of them along the third dimension";
        }
        return "";
    }

    std::string check_storage() const {
        const std::vector<MemberExtents> needed = member_extents(plan_, graph_, dag_, g_);
        std::vector<int> streamed(g_.members.size(), -1);
        if (g_.tile.stream >= 0) {
            streamed = stream_reads(plan_, graph_, dag_, g_).dims;
        }
        int64_t shared = 0;
        for (size_t i = 0; i < g_.members.size(); i++) {
            const Member &m = g_.members[i];
            const PlanFunc &f = graph_.func(m.func);
            if (!needed[i].fixed && !has_room_anywhere(m, needed[i])) {
                return quoted(f) + " has no largest size in a tile of " + quoted(output()) +
                       " that holds at every size of the pipeline; compute it at root";
            }
            if (m.placement == Placement::Warp && needed[i].points[static_cast<size_t>(m.axes[0].dim)] == 1) {
                // Halide puts the number of the only lane for its loop, and then cannot tell lanes from registers.
                return quoted(f) + " has one point along the lanes in a tile of " + quoted(output()) +
                       "; keep it in the thread or in shared memory, or take another dimension for the lanes";
            }
            const bool rows_of_any_length =
                m.placement == Placement::Block && !needed[i].known.empty() && needed[i].known[0] != Known::Fixed;
            if (m.row_multiple < 1 || (m.row_multiple > 1 && !rows_of_any_length)) {
                return quoted(f) + " has rows that are multiples of " + std::to_string(m.row_multiple) +
                       " points, which is for members in shared memory whose rows have any length; set " +
                       "\"row_multiple\" to 1";
            }
            int64_t points = 1, in_thread = 1;
            for (size_t d = 0; d < static_cast<size_t>(f.dims); d++) {
                if (static_cast<int>(d) == streamed[i]) {
                    continue;  // check_stream
                }
                const int64_t stored = d < m.storage.size() ? m.storage[d] : 0, most = needed[i].points[d];
                if (needed[i].known[d] != Known::Fixed) {
                    if (stored > 0) {
                        return quoted(f) + " stores " + std::to_string(stored) + " points along dimension " +
                               std::to_string(d) +
                               ", of which a tile needs as many as data or sizes say; store 0, to " +
                               "leave it to Halide";
                    }
                    const int64_t row = d == 0 ? (most + m.row_multiple - 1) / m.row_multiple * m.row_multiple : most;
                    points = saturating_multiply(points, row);
                    continue;
                }
                if (stored > 0 && stored < most) {
                    return quoted(f) + " stores " + std::to_string(stored) + " points along dimension " +
                           std::to_string(d) + ", but a tile can need " + std::to_string(most) +
                           "; store as many, or 0 to leave it to Halide";
                }
                if (stored == 0 && (m.placement == Placement::Warp || g_.tail != Tail::RoundUp)) {
                    return quoted(f) +
                           " is computed in tiles that are cut where the image ends, and needs a storage bound " +
                           "along dimension " + std::to_string(d) + ": " + std::to_string(most);
                }
                points = saturating_multiply(points, std::max(stored, most));
                in_thread = saturating_multiply(in_thread, (most + dealt_to(m, d) - 1) / dealt_to(m, d));
            }
            if ((m.placement != Placement::Block || m.unroll) && in_thread > kMostPointsInThread) {
                return quoted(f) + " has " + std::to_string(in_thread) + " points in one thread, too many to unroll; " +
                       "make the tile smaller, deal it to more threads or keep it in shared memory";
            }
            if (m.placement == Placement::Block) {
                shared = saturating_add(shared, saturating_multiply(points, dag_.node(f.node).bytes()));
            }
        }
        if (shared > kMostSharedBytes) {
            return "the members of the group of " + quoted(output()) + " take " + std::to_string(shared) +
                   " bytes of shared memory; at most 49152 can be launched: make the tile smaller";
        }
        return "";
    }

    /// What a block shares may be as large as is known at run time only: where that is too large to launch, the same
    /// kernel keeps it in global memory (`passes/room_elsewhere.h`). Threads that add to it count on its size.
    static bool has_room_anywhere(const Member &m, const MemberExtents &needed) {
        return m.placement == Placement::Block && m.atomic.empty() &&
               std::none_of(needed.known.begin(), needed.known.end(), [](Known k) { return k == Known::Drifting; });
    }

    std::string check_layout() const {
        ElementBytes elements;
        for (const Member &m : g_.members) {
            elements.push_back(dag_.node(graph_.func(m.func).node).type_bytes);
        }
        const std::vector<size_t> unpadded = unpadded_members(elements, g_.members);
        if (unpadded.size() < 2) {
            return "";
        }
        return quoted(graph_.func(g_.members[unpadded[0]].func)) + " and " +
               quoted(graph_.func(g_.members[unpadded[1]].func)) + ", or two elements of one, lie in shared memory " +
               "beside wider elements, and Halide makes too little room for them; pad their storage to whole " +
               "multiples of the widest, or compute one at root";
    }

    /// Over how many threads or lanes a member's dimension is dealt.
    static int64_t dealt_to(const Member &m, size_t dim) {
        for (const AxisTile &a : m.axes) {
            if (static_cast<size_t>(a.dim) == dim) {
                return m.placement == Placement::Warp ? kLanes : a.threads;
            }
        }
        return 1;
    }

    const PlanFunc &output() const { return graph_.func(g_.output); }
};

}  // namespace

std::string check_room(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag, const Group &g) {
    return RoomChecker(plan, graph, dag, g).check();
}

}  // namespace warptile
