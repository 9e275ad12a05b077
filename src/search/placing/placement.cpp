#include "search/placing/placement.h"
#include "search/space.h"

#include <algorithm>
#include <iterator>

#include "dag/saturating.h"
#include "schedule/rules/check_stream.h"
#include "schedule/tile_extents.h"
#include "search/graph/reductions.h"
#include "search/placing/kernel_reads.h"
#include "search/placing/split_parts.h"
#include "search/placing/streams.h"
#include "search/tiling/tiles.h"

namespace warptile {
namespace {

// Points that the threads of a block compute more than once, above which a Func is shared rather than private.
constexpr double kPrivate = 1.05;

class Arranger {
public:
    Arranger(const GroupView &view, const std::vector<int> &copies, Form form, const Permissions &may,
             const Wishes &wishes, Kernel &kernel)
        : view_(view), dag_(view.dag()), copies_(copies), form_(form), may_(may), wishes_(wishes), kernel_(kernel),
          g_(geometry(view, kernel)), counts_(thread_counts(kernel.tile)), reads_(view, kernel) {}

    bool run() {
        for (const int m : view_.members()) {
            if (!add(m, Role::Func)) {
                return false;
            }
        }
        for (const int c : copies_) {
            if (wishes_.unstaged.count(c) == 0 && !add(c, Role::Copy)) {
                return false;
            }
        }
        return wished() || is_of_its_form();
    }

private:
    const GroupView &view_;
    const FunctionDag &dag_;
    const std::vector<int> &copies_;
    Form form_;
    Permissions may_;
    const Wishes &wishes_;
    Kernel &kernel_;
    Geometry g_;
    std::vector<int> counts_;
    KernelReads reads_;

    bool wished() const { return !wishes_.places.empty() || !wishes_.unstaged.empty(); }

    void set(const Place &place, Part &part) const {
        part.placement = place.placement;
        part.each_step = place.step_of >= 0;
        part.at = part.each_step ? part_of(kernel_, place.step_of) : -1;
    }

    bool lanes() const { return kernel_.tile.lane_axis >= 0; }

    /// Whether each lane's points of a Func with updates go to the output in that lane, so that it does not matter that
    /// lanes beyond the output's extent sit the updates out.
    bool stays_in_lanes(const Node &node, const std::vector<KernelRead> &reads, size_t lane_dim, int64_t row) const {
        const AxisTile &axis = kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)];
        if (kernel_.tile.layout != LaneLayout::Chunked || row % kLanes != 0 || row != axis.width) {
            return false;
        }
        const bool own = std::all_of(reads.begin(), reads.end(), [&](const KernelRead &read) {
            const LoadAxis &along = read.load->axes[lane_dim];
            return read.reader_part < 0 && read.lane_loop >= 0 && along.known && along.lo == 0 && along.hi == 0 &&
                   along.slope[static_cast<size_t>(read.lane_loop)] == 1;
        });
        return own && std::all_of(node.stages.begin(), node.stages.end(), [&](const Stage &stage) {
                   return !stage.scatters && stage.pure_of_dim[lane_dim] >= 0;
               });
    }

    /// Whether an update that stays in its lanes would read it, from others.
    bool read_by_updates_in_lanes(const std::vector<KernelRead> &reads) const {
        return std::any_of(reads.begin(), reads.end(), [&](const KernelRead &read) {
            const Part *by = read.reader_part < 0 ? nullptr : &kernel_.parts[static_cast<size_t>(read.reader_part)];
            return by && by->role == Role::Func && by->placement == Placement::Warp &&
                   dag_.node(by->node).stages.size() > 1;
        });
    }

    bool can_be_at_warp(const Node &node, const std::vector<KernelRead> &reads, int lane_dim,
                        const std::vector<int64_t> &extents) const {
        if (!lanes() || lane_dim < 0 || !view_.fixed_extents(node.id)) {
            return false;
        }
        for (const int bits : node.type_bits) {
            if (bits > 32) {
                return false;
            }
        }
        const bool adjacent = kernel_.tile.layout == LaneLayout::Adjacent;
        const int64_t row = extents[static_cast<size_t>(lane_dim)];
        // Lanes beyond the extent would sit an update out while their registers are asked for.
        if ((node.stages.size() > 1 && !stays_in_lanes(node, reads, static_cast<size_t>(lane_dim), row)) ||
            read_by_updates_in_lanes(reads)) {
            return false;
        }
        const int64_t columns = adjacent ? kernel_.tile.adjacent : (row + kLanes - 1) / kLanes;
        const int64_t most = kLanes * (adjacent ? columns : form_ == Form::Stream ? 1 : kMostChunks);
        return row <= most && product(extents) / row * columns <= kMostPointsALane;
    }

    /// The lanes hold a few rows at a time.
    bool can_be_streamed(const Node &node, const std::vector<KernelRead> &reads, int lane_dim, const Part &part,
                         std::vector<int64_t> extents) const {
        if (part.stream_dim < 0 || extents[static_cast<size_t>(part.stream_dim)] > kMostStreamRows) {
            return false;
        }
        extents[static_cast<size_t>(part.stream_dim)] = 1;
        return can_be_at_warp(node, reads, lane_dim, extents);
    }

    bool bounded_divisions(int node) const {
        return view_.divisions(node) <= (may_.whole_tiles ? kMostDivisions : kMostDivisionsInShifted);
    }

    /// Shared memory may be as large as is known at run time only (`RoomElsewhere`), as the bins of a histogram and the
    /// channels of a pixel are. Of two such dimensions, as those of an image that is read where data say, a block would
    /// compute all anew, and of a larger image more.
    bool has_room(int node) const {
        const std::vector<Known> &known = view_.known_extents(node);
        return std::count(known.begin(), known.end(), Known::Drifting) == 0 &&
               std::count(known.begin(), known.end(), Known::AtRunTime) <= 1;
    }

    /// In registers, extents have to be constants outright where tiles are shifted.
    bool constant_extents(int node) const { return may_.whole_tiles || view_.divisions(node) == 0; }

    bool can_be_at_thread(const Node &node, const Part &part, const std::vector<int64_t> &extents) const {
        for (const Stage &stage : node.stages) {
            // Registers have numbers: what a loop walks is unrolled.
            if (stage.scatters && stage.steps() > kUnrolledReduction) {
                return false;
            }
        }
        return !counts_.empty() && fixed_part_extents(view_, kernel_, part) && product(extents) <= kMostPointsALane;
    }

    /// Points of the node that a thread computes where it is computed as the part says.
    double points_a_thread(const Part &part) const {
        double steps = 1;
        for (const Part *inner = &part; inner->each_step; inner = &kernel_.parts[static_cast<size_t>(inner->at)]) {
            steps *= dag_.node(kernel_.parts[static_cast<size_t>(inner->at)].node).stages[1].steps();
        }
        return steps * static_cast<double>(product(part_extents(view_, kernel_, g_, part)));
    }

    /// `lane_dim`: of the node, as in `add`. What does not change along the lanes costs a warp no more than a lane.
    bool is_private(int node, const Place &place, int lane_dim) const {
        Part part;
        part.node = node;
        set(place, part);
        const double thread = points_a_thread(part);
        const double block = static_cast<double>(product(view_.extents(g_.block, node)));
        const bool same = lanes() && lane_dim == kNoLoop;
        return thread * static_cast<double>(same ? g_.warps : g_.threads) <=
               kPrivate * block * (lanes() ? lane_waste() : 1.0);
    }

    /// Lanes that idle are no redundant work.
    double lane_waste() const {
        const AxisTile &axis = kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)];
        const int columns = (axis.width + kLanes - 1) / kLanes;
        return static_cast<double>(columns * kLanes) / axis.width;
    }

    /// Whether a stage of the kernel has a `where`: for points beyond the output's end it lets through more of an input
    /// than there is, unless each thread reads for itself (check_updates.cpp).
    bool where_in_kernel() const {
        const auto has_where = [&](int node) {
            const std::vector<Stage> &stages = dag_.node(node).stages;
            return std::any_of(stages.begin(), stages.end(), [](const Stage &s) { return s.has_predicate; });
        };
        return has_where(view_.output()) || std::any_of(view_.members().begin(), view_.members().end(), has_where);
    }

    /// Inside a thread, outermost first.
    std::vector<Place> in_thread(Role role, const std::vector<KernelRead> &reads) const {
        std::vector<Place> places = {{Placement::Thread, -1}};
        if (role == Role::Func) {
            const std::vector<int> steps = reads_.steps_of_all(reads);
            for (auto at = steps.rbegin(); at != steps.rend(); ++at) {
                places.push_back({Placement::Thread, kernel_.parts[static_cast<size_t>(*at)].node});
            }
        }
        return places;
    }

    std::vector<Place> preferred(int node, Role role, const std::vector<KernelRead> &reads, int lane_dim) const {
        if (form_ == Form::Stream) {
            return {{Placement::Warp, -1}};
        }
        const bool is_func = role == Role::Func;
        const bool has_updates = is_func && dag_.node(node).stages.size() > 1;
        const std::vector<Place> mine = in_thread(role, reads);
        std::vector<Place> order;
        const auto in_registers = [&] { order.insert(order.end(), mine.begin(), mine.end()); };
        // Of what is read across, neighbours would read what is rows apart; along its rows, a block reads whole lines.
        const bool turned = form_ != Form::Thread && reads_.across(reads);
        // Copies in a thread's own registers are added afterwards, where its points share places (own_copies.h).
        if (form_ == Form::Thread && is_func) {
            in_registers();
        } else if (is_func && !turned) {
            std::copy_if(mine.begin(), mine.end(), std::back_inserter(order),
                         [&](const Place &place) { return is_private(node, place, lane_dim); });
        }
        if (form_ == Form::Warp) {
            order.push_back({Placement::Warp, -1});
        }
        if (form_ != Form::Thread) {
            order.push_back({Placement::Block, -1});
        }
        if (has_updates) {
            in_registers();
        }
        return order;
    }

    /// Whether the part can be where it is to be; sets its axes.
    bool can_be_there(const Node &node, const std::vector<KernelRead> &reads, int lane_dim, Part &part) const {
        const std::vector<int64_t> extents = part_extents(view_, kernel_, g_, part);
        switch (part.placement) {
        case Placement::Block:
            part.axes = deal_to_threads(node, extents, counts_, part.role == Role::Copy ? 1 : node.stages.size());
            return !part.axes.empty() && has_room(node.id);
        case Placement::Warp:
            part.axes = {AxisTile()};
            part.axes.front().dim = lane_dim;
            return reads_.constant_places(reads, -1) &&
                   (form_ == Form::Stream ? can_be_streamed(node, reads, lane_dim, part, extents)
                                          : can_be_at_warp(node, reads, lane_dim, extents));
        case Placement::Thread:
            return reads_.constant_places(reads, part.each_step ? part.at : -1) &&
                   can_be_at_thread(node, part, extents);
        }
        return false;
    }

    /// Whether all that reads it runs inside the place. `least`: the outermost of where its readers are.
    bool inside(const Place &place, const std::vector<KernelRead> &reads, Placement least) const {
        if (place.step_of < 0) {
            return place.placement >= least;
        }
        const std::vector<int> steps = reads_.steps_of_all(reads);
        return std::find(steps.begin(), steps.end(), part_of(kernel_, place.step_of)) != steps.end();
    }

    bool add(int id, Role role) {
        const Node &node = dag_.node(id);
        const std::vector<KernelRead> reads = reads_.of(id);
        if (reads.empty()) {
            return false;
        }
        Placement least = Placement::Thread;
        for (const KernelRead &read : reads) {
            least = std::max(least, reads_.level_of(read.reader_part));
        }
        const int lane_dim = lanes() ? lane_dim_of(reads) : kNoLoop;
        const auto wish = wishes_.places.find(id);
        if (role == Role::Func && wish == wishes_.places.end() &&
            (form_ == Form::Rows || (form_ == Form::Warp && lanes())) && split_row(node, least)) {
            return true;
        }
        const bool apart = dag_.steps_read_raw_input(id) && where_in_kernel();
        std::vector<Place> places = preferred(id, role, reads, lane_dim);
        if (wish != wishes_.places.end()) {
            places.insert(places.begin(), wish->second);
        }
        for (const Place &place : places) {
            if (!inside(place, reads, least) || (apart && place.placement != Placement::Thread) ||
                !bounded_divisions(id) || (place.placement != Placement::Block && !constant_extents(id))) {
                continue;
            }
            Part part;
            part.node = id;
            part.role = role;
            set(place, part);
            part.across = place.placement != Placement::Warp && reads_.across(reads);
            part.stream_dim = form_ == Form::Stream ? stream_dim_of(view_, node, reads, lane_dim, kernel_) : kNoLoop;
            if (!can_be_there(node, reads, lane_dim, part)) {
                continue;
            }
            kernel_.parts.push_back(part);
            reads_.note(lane_dim, reads);
            return true;
        }
        return false;
    }

    /// A row a warp: each lane reduces every 32nd value. Where threads read the result, as lanes do, they add up the 32
    /// partial results by shuffle, each for itself; where another reduction reads it too, or nothing runs over the
    /// lanes, the partial results and then the result go through shared memory.
    bool split_row(const Node &node, Placement least) {
        const std::optional<SplitReduction> split = find_split(dag_, node.id);
        if (!split || !split->along_rows || !view_.fixed_extents(node.id) ||
            node.bytes() > 4 * static_cast<int>(node.type_bytes.size()) ||
            product(view_.extents(g_.thread, node.id)) > kMostPointsALane / 4) {
            return false;
        }
        const bool by_shuffle = form_ == Form::Warp && least == Placement::Thread;
        std::vector<Part> parts =
            split_parts(node.id, node.dims(), *split, by_shuffle ? Placement::Warp : Placement::Block, kLanes);
        if (!by_shuffle) {
            const std::vector<int64_t> extents = view_.extents(g_.block, node.id);
            deal_rows(node, extents, {lanes() ? counts_.begin() + 1 : counts_.begin(), counts_.end()}, parts[1]);
            if (least > Placement::Thread) {
                parts[0].placement = Placement::Block;
                parts[0].axes = deal_to_threads(node, extents, counts_, node.stages.size());
                if (parts[0].axes.empty()) {
                    return false;
                }
            }
        }
        for (const Part &part : parts) {
            kernel_.parts.push_back(part);
            reads_.note(kNoLoop, {});
        }
        return true;
    }

    bool is_of_its_form() const {
        const auto has = [&](Placement p) {
            return std::any_of(kernel_.parts.begin(), kernel_.parts.end(),
                               [&](const Part &part) { return part.placement == p; });
        };
        switch (form_) {
        case Form::Block:
            return true;
        case Form::Thread:
            return !kernel_.parts.empty();
        case Form::Warp:
            return has(Placement::Warp) || kernel_.parts.empty();
        case Form::Rows:
            return true;  // it has a reduction, or would not be tried
        case Form::Stream:
            return !kernel_.parts.empty();
        }
        return false;
    }
};

}  // namespace

std::string to_string(Form form) {
    switch (form) {
    case Form::Block:
        return "block";
    case Form::Thread:
        return "thread";
    case Form::Warp:
        return "warp";
    case Form::Stream:
        return "stream";
    case Form::Rows:
        return "rows";
    }
    return "";
}

std::vector<AxisTile> deal_to_threads(const Node &node, const std::vector<int64_t> &extents,
                                      const std::vector<int> &threads, size_t stages) {
    std::vector<int> dims;
    for (int d = 0; d < static_cast<int>(extents.size()); d++) {
        const auto end = node.stages.begin() + static_cast<std::ptrdiff_t>(std::min(stages, node.stages.size()));
        const bool kept = std::all_of(node.stages.begin(), end, [&](const Stage &s) {
            return static_cast<size_t>(d) >= s.pure_of_dim.size() || s.pure_of_dim[static_cast<size_t>(d)] >= 0;
        });
        if (kept) {
            dims.push_back(d);
        }
    }
    const auto larger = [&](int a, int b) { return extents[static_cast<size_t>(a)] > extents[static_cast<size_t>(b)]; };
    // Threads of a warp walk the adjacent dimension, unless that is a channel.
    std::stable_sort(dims.begin(), dims.end(), larger);
    const auto adjacent = std::find(dims.begin(), dims.end(), 0);
    if (adjacent != dims.end() && extents[0] > kChannel) {
        std::rotate(dims.begin(), adjacent, adjacent + 1);
    }
    std::vector<AxisTile> axes;
    for (size_t i = 0; i < threads.size() && i < dims.size(); i++) {
        AxisTile axis;
        axis.dim = dims[i];
        axis.threads = threads[i];
        axes.push_back(axis);
    }
    return axes;
}

void deal_rows(const Node &node, const std::vector<int64_t> &extents, const std::vector<int> &threads, Part &partial) {
    const std::vector<AxisTile> rows = deal_to_threads(node, extents, threads, node.stages.size());
    partial.axes.front().threads = partial.factor;
    partial.axes.insert(partial.axes.end(), rows.begin(), rows.end());
}

bool arrange(const GroupView &view, const std::vector<int> &copies, Form form, const Permissions &may, Kernel &kernel,
             const Wishes &wishes) {
    return Arranger(view, copies, form, may, wishes, kernel).run();
}

}  // namespace warptile
