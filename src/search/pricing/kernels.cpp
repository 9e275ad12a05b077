#include "search/pricing/kernels.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "schedule/tile_extents.h"
#include "search/graph/reductions.h"
#include "search/placing/moves.h"
#include "search/placing/own_copies.h"
#include "search/placing/placement.h"
#include "search/placing/split_parts.h"
#include "search/placing/staging.h"
#include "search/placing/streams.h"
#include "search/tiling/contraction_tiles.h"
#include "search/tiling/sum_steps.h"
#include "search/tiling/tails.h"

namespace warptile {
namespace {

/// Longer kernels win little and take seconds to compile, and the instruction cache ends.
constexpr double kMostCode = 1000;
/// Of streamed kernels, where it is the number of rows that is large, and each has no more to do than any other.
constexpr double kMostStreamCode = 1400;
/// Of how many of the cheapest kernels members are moved, and how many are tried for each.
constexpr int kMovedStarts = 8;
constexpr double kTooDear = 2;
constexpr int kMostMoves = 600;

/// What the kernel is by the places of its members, whichever form it was begun from: two of one name are compared
/// before both become candidates.
std::string name_of_places(const Kernel &kernel, Form form) {
    const auto has = [&](Placement placement) {
        return std::any_of(kernel.parts.begin(), kernel.parts.end(),
                           [&](const Part &part) { return part.placement == placement; });
    };
    if (kernel.parts.empty()) {
        return "tile";
    }
    if (form == Form::Rows || form == Form::Stream) {
        return to_string(form);
    }
    if (!has(Placement::Block)) {
        return to_string(form == Form::Block && !has(Placement::Warp) ? Form::Thread : form);
    }
    return has(Placement::Warp) ? "hybrid" : has(Placement::Thread) ? "nested" : to_string(form);
}

class Pricer {
public:
    Pricer(const KeptGraph &graph, const CostModel &model, const Space &space, int output, Effort effort,
           std::vector<PricedKernel> &found)
        : graph_(graph), model_(model), space_(space), ensured_(ensured_dims(graph, output)), effort_(effort),
          found_(found) {}

    /// All tiles and forms over one view of the group.
    void try_all(const std::shared_ptr<const GroupView> &view, const std::vector<int> &copies, const char *suffix) {
        const bool alone = view->members().empty() && copies.empty();
        const bool wrapped = graph_.form[static_cast<size_t>(view->output())] == RootForm::Wrapped;
        std::vector<KernelTile> tiles = block_tiles(*view, effort_);
        for (const KernelTile &tile : contraction_tiles(*view, wrapped, effort_)) {
            tiles.push_back(tile);
        }
        if (!alone || wrapped) {
            for (const KernelTile &tile : contraction_rows(*view, wrapped, effort_)) {
                try_form(view, copies, tile, Form::Warp, suffix);
            }
        }
        for (const KernelTile &tile : tiles) {
            try_form(view, copies, tile, Form::Block, suffix);
            if (!alone) {
                try_form(view, copies, tile, Form::Thread, suffix);
            }
        }
        if (wants_values(*view)) {
            for (const KernelTile &tile : value_tiles(*view)) {
                try_form(view, copies, tile, Form::Rows, suffix);
            }
        }
        if (alone) {
            try_block_reductions(view);
            return;  // lanes share nothing
        }
        for (const KernelTile &tile : row_tiles(*view, reduced_rows(*view))) {
            try_form(view, copies, tile, Form::Warp, suffix);
        }
        for (const KernelTile &tile : lane_tiles(*view, effort_)) {
            try_form(view, copies, tile, Form::Warp, suffix);
        }
        if (!wrapped && is_chain(*view)) {
            for (const KernelTile &tile : stream_tiles(*view, copies, effort_)) {
                try_form(view, copies, tile, Form::Stream, suffix);
            }
        }
    }

    /// Moves members one by one from the cheapest of what was tried.
    void move_from_the_cheapest() {
        std::stable_sort(starts_.begin(), starts_.end(),
                         [](const Start &a, const Start &b) { return a.cost < b.cost; });
        std::map<std::string, int> moved;  // by form
        for (const Start &start : starts_) {
            if (start.cost <= kTooDear * starts_.front().cost &&
                moved[to_string(start.form) + start.suffix]++ < kMovedStarts) {
                move_from(start);
            }
        }
    }

private:
    /// What was tried, to be tried again with members moved.
    struct Start {
        std::shared_ptr<const GroupView> view;
        std::vector<int> copies;
        KernelTile tile;
        Form form;
        std::string suffix;
        double cost;  ///< of the cheapest kernel
    };

    const KeptGraph &graph_;
    const CostModel &model_;
    const Space &space_;
    std::vector<bool> ensured_;
    Effort effort_;
    std::vector<PricedKernel> &found_;
    std::vector<Start> starts_;

    /// Whether a member reduces along rows, so that a warp may take a whole row of the output.
    bool reduced_rows(const GroupView &view) const {
        return std::any_of(view.members().begin(), view.members().end(), [&](int m) {
            const std::optional<SplitReduction> split = find_split(view.dag(), m);
            return split && split->along_rows;
        });
    }

    /// Whether it has members that compute something, whose rows a stream would pass on.
    static bool is_chain(const GroupView &view) {
        return std::any_of(view.members().begin(), view.members().end(),
                           [&](int m) { return !view.dag().node(m).wraps_input; });
    }

    /// The output itself, wrapped, if it is reduced along rows.
    std::optional<SplitReduction> reduced_output(const GroupView &view) const {
        const std::optional<SplitReduction> split = find_split(view.dag(), view.output());
        const bool wrapped = graph_.form[static_cast<size_t>(view.output())] == RootForm::Wrapped;
        return wrapped && split && split->along_rows ? split : std::nullopt;
    }

    /// Whether rows are reduced for an output that has no loop along them.
    bool wants_values(const GroupView &view) const {
        return reduced_output(view) || (view.output_node().dims() == 1 && reduced_rows(view));
    }

    /// A block a point of the output, its threads along the reduction.
    void try_block_reductions(const std::shared_ptr<const GroupView> &view) {
        const std::optional<SplitReduction> split = reduced_output(*view);
        if (!split) {
            return;
        }
        for (const int threads : {32, 64, 128, 256}) {
            PricedKernel priced;
            priced.kernel = block_reduction(view->dag(), view->output(), *split, threads);
            priced.kernel.guarded = false;
            add(std::move(priced), view, "reduction a block");
        }
    }

    /// The output is the copy of a total, a thread each, and 32 threads find its partial results.
    static void split_output(const GroupView &view, const SplitReduction &split, Kernel &kernel) {
        const Node &node = view.output_node();
        kernel.parts = split_parts(node.id, node.dims(), split, Placement::Block, kLanes);
        deal_rows(node, geometry(view, kernel).block, thread_counts(kernel.tile), kernel.parts[1]);
    }

    void add(PricedKernel priced, const std::shared_ptr<const GroupView> &view, const std::string &form) {
        if (!space_.allows(*view, priced.kernel)) {
            return;
        }
        priced.cost = model_.cost(*view, priced.kernel);
        const double most = priced.kernel.tile.stream < 0 ? kMostCode : kMostStreamCode;
        if (priced.cost.feasible && priced.cost.code <= most) {
            priced.view = view;
            priced.form = form;
            found_.push_back(std::move(priced));
        }
    }

    /// One tile under one form, or nothing where it has no such kernel.
    std::optional<Kernel> arranged(const Start &start, const Wishes &wishes) const {
        const GroupView &view = *start.view;
        Kernel kernel;
        kernel.tile = start.tile;
        if (graph_.form[static_cast<size_t>(view.output())] == RootForm::Wrapped) {
            Part itself;
            itself.node = view.output();
            itself.placement = Placement::Thread;
            if (sums_in_lanes(view, start.tile)) {
                itself.placement = Placement::Warp;
                itself.axes = {axis_tile(start.tile.axes.front().dim, 1, 1)};
            }
            kernel.wrapped = true;
            kernel.parts.push_back(itself);
            const std::optional<SplitReduction> split = start.form == Form::Rows ? reduced_output(view) : std::nullopt;
            if (split) {
                split_output(view, *split, kernel);
            }
        }
        Permissions may;
        may.whole_tiles = rounds_up(graph_, view.output(), geometry(view, kernel).block);
        if (!arrange(view, start.copies, start.form, may, kernel, wishes)) {
            return std::nullopt;
        }
        kernel.guarded = guarded_at_estimates(graph_, view.output(), geometry(view, kernel).block, ensured_);
        if (start.form == Form::Stream && !whole_tiles(view, kernel)) {
            return std::nullopt;
        }
        return kernel;
    }

    void try_form(const std::shared_ptr<const GroupView> &view, const std::vector<int> &copies, const KernelTile &tile,
                  Form form, const char *suffix) {
        Start start = {view, copies, tile, form, suffix, INFINITY};
        const size_t before = found_.size();
        if (const std::optional<Kernel> kernel = arranged(start, {})) {
            add_variants(start, *kernel, name_of_places(*kernel, form) + suffix);
        }
        for (size_t i = before; i < found_.size(); i++) {
            start.cost = std::min(start.cost, found_[i].cost.total);
        }
        if (found_.size() > before && form != Form::Stream) {
            starts_.push_back(start);
        }
    }

    /// The kernel as it is, with steps taken together, and with copies of a thread's own.
    void add_variants(const Start &start, const Kernel &kernel, const std::string &name) {
        const GroupView &view = *start.view;
        PricedKernel own;
        own.kernel = kernel;
        if (start.form != Form::Stream && add_own_copies(graph_, view, own.kernel)) {
            add(std::move(own), start.view, name + ", copies of its own");
        }
        std::vector<Kernel> kernels = with_steps(view, kernel);
        if (kernels.size() > 1 && !whole_tiles(view, kernel)) {
            kernels.resize(1);
        }
        for (const Kernel &variant : kernels) {
            PricedKernel priced;
            priced.kernel = variant;
            add(priced, start.view, name);
        }
    }

    /// Moves the members of one start.
    void move_from(const Start &start) {
        const Arrange arrangement = [&](const Wishes &wishes) -> std::optional<Tried> {
            const std::optional<Kernel> kernel = arranged(start, wishes);
            if (!kernel || !space_.allows(*start.view, *kernel)) {
                return std::nullopt;
            }
            const Cost cost = model_.cost(*start.view, *kernel);
            return cost.feasible && cost.code <= kMostCode ? std::optional<Tried>({*kernel, cost.total}) : std::nullopt;
        };
        if (const std::optional<Moved> moved = move_members(arrangement, kMostMoves)) {
            const Kernel &kernel = moved->kernel.kernel;
            add_variants(start, kernel, name_of_places(kernel, start.form) + start.suffix + ", moved");
        }
    }

    /// Whether the kernel has code for tiles in which no point is tested.
    bool whole_tiles(const GroupView &view, const Kernel &kernel) const {
        const Tail tail = choose_tail(graph_, view.output(), geometry(view, kernel).block).tail;
        return !kernel.guarded && tail != Tail::Guard;
    }

    /// Whether the wrapped output's updates run over the lanes, in rows that fill them.
    static bool sums_in_lanes(const GroupView &view, const KernelTile &tile) {
        if (tile.lane_axis < 0 || tile.layout != LaneLayout::Chunked || tile.axes.front().width == kLanes ||
            tile.axes.front().width % kLanes != 0) {
            return false;
        }
        const Node &node = view.output_node();
        const size_t dim = static_cast<size_t>(tile.axes.front().dim);
        return node.stages.size() > 1 && node.bytes() <= 4 * static_cast<int>(node.type_bytes.size()) &&
               std::all_of(node.stages.begin(), node.stages.end(),
                           [&](const Stage &s) { return !s.scatters && s.pure_of_dim[dim] >= 0; });
    }
};

void sort_by_cost(std::vector<PricedKernel> &found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const PricedKernel &a, const PricedKernel &b) { return a.cost.total < b.cost.total; });
}

}  // namespace

std::vector<PricedKernel> priced_kernels(const KeptGraph &graph, const CostModel &model, const Space &space, int output,
                                         const std::vector<int> &members, Effort effort) {
    std::vector<PricedKernel> found;
    const auto view = std::make_shared<const GroupView>(*graph.dag, output, members, graph.inlined);
    Pricer pricer(graph, model, space, output, effort, found);
    pricer.try_all(view, {}, "");
    if (graph.form[static_cast<size_t>(output)] != RootForm::Stages) {
        const Stageable stageable = find_stageable(graph, *view);
        if (!stageable.empty()) {
            std::vector<int> all = members;
            std::vector<bool> inlined = graph.inlined;
            all.insert(all.end(), stageable.wrappers.begin(), stageable.wrappers.end());
            for (const int w : stageable.wrappers) {
                inlined[static_cast<size_t>(w)] = false;
            }
            const auto staged =
                stageable.wrappers.empty() ? view : std::make_shared<const GroupView>(*graph.dag, output, all, inlined);
            pricer.try_all(staged, stageable.copies, ", inputs staged");
        }
    }
    if (effort == Effort::Full && space.moves) {
        pricer.move_from_the_cheapest();
    }
    sort_by_cost(found);
    return found;
}

PricedKernel plain_kernel(const KeptGraph &graph, const CostModel &model, int output) {
    PricedKernel priced;
    priced.view = std::make_shared<const GroupView>(*graph.dag, output, std::vector<int>{}, graph.inlined);
    const Node &node = graph.dag->node(output);
    std::vector<int> dims;
    std::vector<int64_t> extents;
    for (int d = 0; d < node.dims(); d++) {
        dims.push_back(d);
        extents.push_back(node.estimate[static_cast<size_t>(d)].extent());
    }
    priced.kernel.tile = plain_tile(dims, extents);
    priced.kernel.tile.unroll = false;
    priced.kernel.guarded = true;
    priced.cost = model.cost(*priced.view, priced.kernel);
    priced.form = "plain";
    return priced;
}

}  // namespace warptile
