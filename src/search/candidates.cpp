#include "search/candidates.h"

#include <algorithm>

#include "schedule/tile_extents.h"
#include "search/contraction_tiles.h"
#include "search/own_copies.h"
#include "search/placement.h"
#include "search/reductions.h"
#include "search/staging.h"
#include "search/streams.h"
#include "search/sum_steps.h"
#include "search/tails.h"

namespace warptile {
namespace {

/// Longer kernels win little and take seconds to compile, and the instruction cache ends.
constexpr double kMostCode = 1000;
/// Of streamed kernels, where it is the number of rows that is large, and each has no more to do than any other.
constexpr double kMostStreamCode = 1400;

class Drafter {
public:
    Drafter(const KeptGraph &graph, const CostModel &model, int output, Effort effort, std::vector<Draft> &drafts)
        : graph_(graph), model_(model), ensured_(ensured_dims(graph, output)), effort_(effort), drafts_(drafts) {}

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
            if (!alone && effort_ == Effort::Full) {
                try_form(view, copies, tile, Form::Nested, suffix);
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
            if (effort_ == Effort::Full) {
                try_form(view, copies, tile, Form::Hybrid, suffix);
            }
        }
        if (!wrapped && is_chain(*view)) {
            for (const KernelTile &tile : stream_tiles(*view, copies, effort_)) {
                try_form(view, copies, tile, Form::Stream, suffix);
            }
        }
    }

private:
    const KeptGraph &graph_;
    const CostModel &model_;
    std::vector<bool> ensured_;
    Effort effort_;
    std::vector<Draft> &drafts_;

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
            Draft draft;
            draft.kernel = block_reduction(view->dag(), view->output(), *split, threads);
            draft.kernel.guarded = false;
            add(std::move(draft), view, "reduction a block");
        }
    }

    /// The output is the copy of a total, a thread each, and 32 threads find its partial results.
    static void split_output(const GroupView &view, const SplitReduction &split, Kernel &kernel) {
        const Node &node = view.output_node();
        kernel.parts = split_parts(node.id, node.dims(), split, Placement::Block, kLanes);
        deal_rows(node, geometry(view, kernel).block, thread_counts(kernel.tile), kernel.parts[1]);
    }

    void add(Draft draft, const std::shared_ptr<const GroupView> &view, const std::string &form) {
        draft.cost = model_.cost(*view, draft.kernel);
        const double most = draft.kernel.tile.stream < 0 ? kMostCode : kMostStreamCode;
        if (draft.cost.feasible && draft.cost.code <= most) {
            draft.view = view;
            draft.form = form;
            drafts_.push_back(std::move(draft));
        }
    }

    void try_form(const std::shared_ptr<const GroupView> &view, const std::vector<int> &copies, const KernelTile &tile,
                  Form form, const char *suffix) {
        Draft draft;
        draft.kernel.tile = tile;
        if (graph_.form[static_cast<size_t>(view->output())] == RootForm::Wrapped) {
            Part itself;
            itself.node = view->output();
            itself.placement = Placement::Thread;
            if (sums_in_lanes(*view, tile)) {
                itself.placement = Placement::Warp;
                itself.axes = {axis_tile(tile.axes.front().dim, 1, 1)};
            }
            draft.kernel.wrapped = true;
            draft.kernel.parts.push_back(itself);
            const std::optional<SplitReduction> split = form == Form::Rows ? reduced_output(*view) : std::nullopt;
            if (split) {
                split_output(*view, *split, draft.kernel);
            }
        }
        Permissions may;
        may.whole_tiles = rounds_up(graph_, view->output(), geometry(*view, draft.kernel).block);
        if (!arrange(*view, copies, form, may, draft.kernel)) {
            return;
        }
        draft.kernel.guarded =
            guarded_at_estimates(graph_, view->output(), geometry(*view, draft.kernel).block, ensured_);
        if (form == Form::Stream && !whole_tiles(*view, draft.kernel)) {
            return;
        }
        const std::string name = (draft.kernel.parts.empty() ? "tile" : to_string(form)) + suffix;
        Draft own = draft;
        if (form != Form::Stream && add_own_copies(graph_, *view, own.kernel)) {
            add(std::move(own), view, name + ", copies of its own");
        }
        std::vector<Kernel> kernels = with_steps(*view, draft.kernel);
        if (kernels.size() > 1 && !whole_tiles(*view, draft.kernel)) {
            kernels.resize(1);
        }
        for (const Kernel &kernel : kernels) {
            draft.kernel = kernel;
            add(draft, view, name);
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

void sort_by_cost(std::vector<Draft> &drafts) {
    std::stable_sort(drafts.begin(), drafts.end(),
                     [](const Draft &a, const Draft &b) { return a.cost.us < b.cost.us; });
}

}  // namespace

std::vector<Draft> draft_kernels(const KeptGraph &graph, const CostModel &model, int output,
                                 const std::vector<int> &members, Effort effort) {
    std::vector<Draft> drafts;
    const auto view = std::make_shared<const GroupView>(*graph.dag, output, members, graph.inlined);
    Drafter drafter(graph, model, output, effort, drafts);
    drafter.try_all(view, {}, "");
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
            drafter.try_all(staged, stageable.copies, ", inputs staged");
        }
    }
    sort_by_cost(drafts);
    return drafts;
}

Draft draft_plain(const KeptGraph &graph, const CostModel &model, int output) {
    Draft draft;
    draft.view = std::make_shared<const GroupView>(*graph.dag, output, std::vector<int>{}, graph.inlined);
    const Node &node = graph.dag->node(output);
    std::vector<int> dims;
    std::vector<int64_t> extents;
    for (int d = 0; d < node.dims(); d++) {
        dims.push_back(d);
        extents.push_back(node.estimate[static_cast<size_t>(d)].extent());
    }
    draft.kernel.tile = plain_tile(dims, extents);
    draft.kernel.tile.unroll = false;
    draft.kernel.guarded = true;
    draft.cost = model.cost(*draft.view, draft.kernel);
    draft.form = "plain";
    return draft;
}

}  // namespace warptile
