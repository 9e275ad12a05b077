#include "search/placement.h"

#include <algorithm>
#include <numeric>

#include "schedule/tile_extents.h"
#include "search/reductions.h"
#include "search/tiles.h"

namespace warptile {
namespace {

constexpr int kNone = -1, kConflict = -2;
// Points that the threads of a block compute more than once, above which a Func is shared rather than private.
constexpr double kPrivate = 1.05;

int64_t product(const std::vector<int64_t> &v) {
    return std::accumulate(v.begin(), v.end(), int64_t{1}, std::multiplies<int64_t>());
}

/// Whether the stage's reductions stay loops in the kernel, so that what they index has no constant place. Each thread
/// has its steps divided by `among`.
bool serial_reductions(const Stage &stage, int64_t among) {
    int64_t points = 1;
    for (const Loop &loop : stage.loops) {
        if (loop.reduction && !loop.extent_known) {
            return true;
        }
        points *= loop.reduction ? std::max<int64_t>(1, loop.estimate.extent()) : 1;
    }
    return (points + among - 1) / among > kUnrolledReduction;
}

class Arranger {
public:
    Arranger(const GroupView &view, const std::vector<int> &copies, Form form, const Permissions &may, Kernel &kernel)
        : view_(view), dag_(view.dag()), copies_(copies), form_(form), may_(may), kernel_(kernel),
          g_(geometry(view, kernel)), counts_(thread_counts(kernel.tile)) {}

    bool run() {
        for (const int m : view_.members()) {
            if (!add(m, Role::Func)) {
                return false;
            }
        }
        for (const int c : copies_) {
            if (!add(c, Role::Copy)) {
                return false;
            }
        }
        return is_of_its_form();
    }

private:
    const GroupView &view_;
    const FunctionDag &dag_;
    const std::vector<int> &copies_;
    Form form_;
    Permissions may_;
    Kernel &kernel_;
    Geometry g_;
    std::vector<int> counts_;
    std::vector<int> lane_dims_;  // per part: the dimension that walks with the lanes

    bool lanes() const { return kernel_.tile.lane_axis >= 0; }

    struct Read {
        const ExpandedLoad *load;
        const Stage *stage;
        int reader_part;  // -1: the output
        int lane_loop;    // of the stage: the loop that adjacent lanes walk; -1: none, kConflict: not to be told
        bool serial;      // its reductions stay loops
    };

    /// Everything in the kernel that reads `node`.
    std::vector<Read> reads_of(int node) const {
        std::vector<Read> reads;
        const auto scan = [&](int reader, size_t stage, int part) {
            const Stage &s = dag_.node(reader).stages[stage];
            for (const ExpandedLoad &load : view_.expansion(reader, static_cast<int>(stage)).loads) {
                if (load.producer == node) {
                    reads.push_back({&load, &s, part, lane_loop(s, part), serial_steps(s, part)});
                }
            }
        };
        if (!kernel_.wrapped) {
            scan(view_.output(), 0, -1);
        }
        for (size_t i = 0; i < kernel_.parts.size(); i++) {
            const Part &part = kernel_.parts[i];
            for (size_t s = 0; part.role != Role::Copy && s < dag_.node(part.node).stages.size(); s++) {
                // The partial results have the update's loads, the total has the others.
                if (part.role == Role::Func || (part.role == Role::Partial) == (s > 0)) {
                    scan(part.node, s, static_cast<int>(i));
                }
            }
        }
        return reads;
    }

    int lane_loop(const Stage &stage, int part) const {
        if (!lanes()) {
            return kNone;
        }
        if (part >= 0 && kernel_.parts[static_cast<size_t>(part)].role == Role::Partial) {
            return kernel_.parts[static_cast<size_t>(part)].split_loop;
        }
        const int dim = part < 0 || (kernel_.wrapped && part == 0)
                            ? kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)].dim
                            : lane_dims_[static_cast<size_t>(part)];
        return dim < 0 ? dim : stage.pure_of_dim[static_cast<size_t>(dim)];
    }

    bool serial_steps(const Stage &stage, int part) const {
        if (part < 0 || kernel_.parts[static_cast<size_t>(part)].role != Role::Partial) {
            return serial_reductions(stage, 1);
        }
        return serial_reductions(stage, kernel_.parts[static_cast<size_t>(part)].factor);
    }

    int find_lane_dim(const std::vector<Read> &reads) const {
        int found = kNone;
        for (const Read &read : reads) {
            if (read.lane_loop == kConflict) {
                return kConflict;
            }
            for (size_t d = 0; read.lane_loop >= 0 && d < read.load->axes.size(); d++) {
                const LoadAxis &axis = read.load->axes[d];
                if (axis.known && axis.slope[static_cast<size_t>(read.lane_loop)] == 0) {
                    continue;
                }
                if (!axis.known || (found != kNone && found != static_cast<int>(d))) {
                    return kConflict;
                }
                found = static_cast<int>(d);
            }
        }
        return found;
    }

    /// The loop of a reader that adjacent threads walk; -1: none.
    int adjacent_loop(const Read &read) const {
        const std::vector<AxisTile> *axes = &kernel_.tile.axes;
        size_t first = lanes() ? static_cast<size_t>(kernel_.tile.lane_axis) : 0;
        if (level_of(read.reader_part) == Placement::Block) {
            axes = &kernel_.parts[static_cast<size_t>(read.reader_part)].axes;
            first = 0;
        }
        const std::vector<int> &loops = read.stage->pure_of_dim;
        const size_t dim = first < axes->size() ? static_cast<size_t>((*axes)[first].dim) : loops.size();
        return dim < loops.size() ? loops[dim] : -1;
    }

    bool read_across(const std::vector<Read> &reads) const {
        return std::any_of(reads.begin(), reads.end(), [&](const Read &read) {
            const int loop = adjacent_loop(read);
            return loop >= 0 && read.load->walks_across(static_cast<size_t>(loop));
        });
    }

    Placement level_of(int part) const {
        return part < 0 ? Placement::Thread : kernel_.parts[static_cast<size_t>(part)].placement;
    }

    /// Registers have to be named by constants: no index from data, none from a loop that stays a loop.
    static bool constant_places(const std::vector<Read> &reads) {
        for (const Read &read : reads) {
            if (!read.load->known()) {
                return false;
            }
            for (size_t l = 0; l < read.stage->loops.size(); l++) {
                if (!read.stage->loops[l].reduction || !read.serial) {
                    continue;
                }
                for (const LoadAxis &axis : read.load->axes) {
                    if (axis.slope[l] != 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// Whether each lane's points of a Func with updates go to the output in that lane, so that it does not matter that
    /// lanes beyond the output's extent sit the updates out.
    bool stays_in_lanes(const Node &node, const std::vector<Read> &reads, size_t lane_dim, int64_t row) const {
        const AxisTile &axis = kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)];
        if (kernel_.tile.layout != LaneLayout::Chunked || row % kLanes != 0 || row != axis.width) {
            return false;
        }
        const bool own = std::all_of(reads.begin(), reads.end(), [&](const Read &read) {
            const LoadAxis &along = read.load->axes[lane_dim];
            return read.reader_part < 0 && read.lane_loop >= 0 && along.known && along.lo == 0 && along.hi == 0 &&
                   along.slope[static_cast<size_t>(read.lane_loop)] == 1;
        });
        return own && std::all_of(node.stages.begin(), node.stages.end(), [&](const Stage &stage) {
                   return !stage.scatters && stage.pure_of_dim[lane_dim] >= 0;
               });
    }

    /// Whether an update that stays in its lanes would read it, from others.
    bool read_by_updates_in_lanes(const std::vector<Read> &reads) const {
        return std::any_of(reads.begin(), reads.end(), [&](const Read &read) {
            const Part *by = read.reader_part < 0 ? nullptr : &kernel_.parts[static_cast<size_t>(read.reader_part)];
            return by && by->role == Role::Func && by->placement == Placement::Warp &&
                   dag_.node(by->node).stages.size() > 1;
        });
    }

    bool can_be_at_warp(const Node &node, const std::vector<Read> &reads, int lane_dim,
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
        return row <= kLanes * (adjacent ? columns : kMostChunks) &&
               product(extents) / row * columns <= kMostPointsALane;
    }

    bool bounded_divisions(int node) const {
        return view_.divisions(node) <= (may_.whole_tiles ? kMostDivisions : kMostDivisionsInShifted);
    }

    /// In registers, extents have to be constants outright where tiles are shifted.
    bool constant_extents(int node) const { return may_.whole_tiles || view_.divisions(node) == 0; }

    bool can_be_at_thread(const Node &node, const std::vector<int64_t> &extents) const {
        for (size_t s = 1; s < node.stages.size(); s++) {
            if (node.stages[s].scatters) {
                return false;
            }
        }
        return !counts_.empty() && view_.fixed_extents(node.id) && product(extents) <= kMostPointsALane;
    }

    /// `lane_dim`: of the node, as in `add`. What does not change along the lanes costs a warp no more than a lane.
    bool is_private(int node, int lane_dim) const {
        const double thread = static_cast<double>(product(view_.extents(g_.thread, node)));
        const double block = static_cast<double>(product(view_.extents(g_.block, node)));
        const bool same = lanes() && lane_dim == kNone;
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
    /// than there is, unless each thread reads for itself (check_members.cpp).
    bool where_in_kernel() const {
        const auto has_where = [&](int node) {
            const std::vector<Stage> &stages = dag_.node(node).stages;
            return std::any_of(stages.begin(), stages.end(), [](const Stage &s) { return s.has_predicate; });
        };
        return has_where(view_.output()) || std::any_of(view_.members().begin(), view_.members().end(), has_where);
    }

    bool reads_global(int node) const {
        for (size_t s = 0; s < dag_.node(node).stages.size(); s++) {
            for (const ExpandedLoad &load : view_.expansion(node, static_cast<int>(s)).loads) {
                if (view_.is_input(load.producer)) {
                    return true;
                }
            }
        }
        return false;
    }

    std::vector<Placement> preferred(int node, Role role, const std::vector<Read> &reads, int lane_dim) const {
        const bool mine = role == Role::Func && is_private(node, lane_dim);
        const bool has_updates = role == Role::Func && dag_.node(node).stages.size() > 1;
        std::vector<Placement> order;
        // Of what is read across, neighbours would read what is rows apart; along its rows, a block reads whole lines.
        const bool turned = form_ != Form::Thread && read_across(reads);
        // Copies in a thread's own registers are added afterwards, where its points share places (own_copies.h).
        if ((mine && !turned) || (form_ == Form::Thread && role == Role::Func)) {
            order.push_back(Placement::Thread);
        }
        if (form_ == Form::Nested && role == Role::Func &&
            std::all_of(reads.begin(), reads.end(), [](const Read &r) { return r.reader_part < 0; })) {
            order.push_back(Placement::Thread);
        }
        const bool source = role == Role::Copy || reads_global(node);
        if (form_ == Form::Warp || (form_ == Form::Hybrid && !source)) {
            order.push_back(Placement::Warp);
        }
        if (form_ != Form::Thread) {
            order.push_back(Placement::Block);
        }
        if (has_updates) {
            order.push_back(Placement::Thread);
        }
        return order;
    }

    bool add(int id, Role role) {
        const Node &node = dag_.node(id);
        const std::vector<Read> reads = reads_of(id);
        if (reads.empty()) {
            return false;
        }
        Placement least = Placement::Thread;
        for (const Read &read : reads) {
            least = std::max(least, level_of(read.reader_part));
        }
        const int lane_dim = lanes() ? find_lane_dim(reads) : kNone;
        if (role == Role::Func && (form_ == Form::Rows || (form_ == Form::Warp && lanes())) && split_row(node, least)) {
            return true;
        }
        const bool apart = dag_.steps_read_raw_input(id) && where_in_kernel();
        for (const Placement placement : preferred(id, role, reads, lane_dim)) {
            if (placement < least || (apart && placement != Placement::Thread) || !bounded_divisions(id) ||
                (placement != Placement::Block && !constant_extents(id))) {
                continue;
            }
            Part part;
            part.node = id;
            part.role = role;
            part.placement = placement;
            part.across = placement != Placement::Warp && read_across(reads);
            const std::vector<int64_t> extents = part_extents(view_, kernel_, g_, part);
            if (placement == Placement::Block) {
                part.axes = deal_to_threads(node, extents, counts_, role == Role::Copy ? 1 : node.stages.size());
                if (part.axes.empty() || !view_.fixed_extents(id)) {
                    continue;
                }
            } else if (!constant_places(reads)) {
                continue;
            } else if (placement == Placement::Warp) {
                if (!can_be_at_warp(node, reads, lane_dim, extents)) {
                    continue;
                }
                AxisTile lane;
                lane.dim = lane_dim;
                part.axes = {lane};
            } else if (!can_be_at_thread(node, extents)) {
                continue;
            }
            kernel_.parts.push_back(part);
            lane_dims_.resize(kernel_.parts.size(), kConflict);
            lane_dims_.back() = lane_dim;
            return true;
        }
        return false;
    }

    /// A row a warp: each lane reduces every 32nd value. Where threads read the result, as lanes do, they add up the 32
    /// partial results by shuffle, each for itself; where another reduction reads it too, or nothing runs over the
    /// lanes, the partial results and then the result go through shared memory.
    bool split_row(const Node &node, Placement least) {
        const std::optional<SplitReduction> split = find_split(dag_, node.id, may_.reassociate);
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
            lane_dims_.resize(kernel_.parts.size(), kConflict);
            lane_dims_.back() = kNone;
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
        case Form::Nested:
            return has(Placement::Thread) && has(Placement::Block);
        case Form::Warp:
            return has(Placement::Warp) || kernel_.parts.empty();
        case Form::Rows:
            return true;  // it has a reduction, or would not be tried
        case Form::Hybrid:
            return has(Placement::Warp) && has(Placement::Block);
        }
        return false;
    }
};

}  // namespace

std::string to_string(Form form) {
    switch (form) {
    case Form::Block:
        return "block";
    case Form::Nested:
        return "nested";
    case Form::Thread:
        return "thread";
    case Form::Warp:
        return "warp";
    case Form::Hybrid:
        return "hybrid";
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

bool arrange(const GroupView &view, const std::vector<int> &copies, Form form, const Permissions &may, Kernel &kernel) {
    return Arranger(view, copies, form, may, kernel).run();
}

}  // namespace warptile
