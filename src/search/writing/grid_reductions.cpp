#include "search/writing/grid_reductions.h"

#include <algorithm>
#include <cmath>

#include "schedule/shared_layout.h"
#include "search/pricing/grid_cut.h"
#include "search/tiling/tiles.h"

namespace warptile {
namespace {

/// Block loops that Halide sees through where members are computed in them.
constexpr int kSeenLoops = 4;

/// The reduction of a group, and the Func that reads it.
struct Roles {
    int node = -1, reader = -1;
};

std::optional<Roles> roles_of(const KeptGraph &graph, int output, const std::vector<int> &members) {
    if (members.empty()) {
        return Roles{output, -1};
    }
    if (members.size() > 1 || graph.dag->node(members[0]).stages.size() != 2) {
        return std::nullopt;
    }
    return Roles{members[0], output};
}

std::optional<GridCut> cut_of(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output,
                              const std::vector<int> &members) {
    const std::optional<Roles> roles = roles_of(graph, output, members);
    return roles ? choose_cut(graph, machine, model, roles->node, roles->reader) : std::nullopt;
}

class Builder {
public:
    Builder(const RefMap &refs, const Roles &roles, const GridCut &cut)
        : refs_(refs), roles_(roles), node_(refs.graph->dag->node(roles.node)), cut_(cut),
          itself_(refs.itself(roles.node)),
          stages_(refs.graph->form[static_cast<size_t>(roles.node)] == RootForm::Stages) {}

    Candidate build() {
        FuncRef of_block = itself_;
        if (cut_.blocks > 1) {
            of_block = partial(itself_, cut_.blocks_rvar, cut_.blocks);
        }
        FuncRef parts = of_block;
        for (const GridCut::Split &split : cut_.threads) {
            parts = partial(parts, split.rvar, split.factor);
            of_threads_.push_back(parts);
        }
        if (!cut_.columns && cut_.threads[0].factor > kLanes) {
            of_lanes_ = partial(of_block, 0, kLanes);
        }
        if (cut_.blocks > (stages_ ? kPartsAtRoot : cut_.columns ? INT32_MAX : kWaitingParts)) {
            rest_ = partial(itself_, 0, std::min(cut_.blocks, kLanes));
        }
        if (cut_.blocks > 1) {
            result_.before.push_back(kernel_of_blocks(of_block));
            if (stages_ && rest_ >= 0) {
                result_.before.push_back(kernel_of_rest());
            }
        }
        result_.group = stages_ ? last_of_stages() : cut_.blocks > 1 ? last_kernel() : only_kernel();
        return result_;
    }

private:
    const RefMap &refs_;
    const Roles roles_;
    const Node &node_;
    const GridCut &cut_;
    FuncRef itself_;
    bool stages_;
    Candidate result_;
    std::vector<FuncRef> of_threads_;
    FuncRef of_lanes_ = -1, rest_ = -1;

    FuncRef partial(FuncRef source, int rvar, int factor) { return add_partial(refs_, source, rvar, factor, result_); }

    FuncRef copy_of(FuncRef source) { return add_copy(refs_, source, result_); }

    /// The Func that leaves the result in memory: what reads it, or a copy.
    FuncRef output() const { return roles_.reader >= 0 ? refs_.itself(roles_.reader) : refs_.read(node_.id); }

    Member member(FuncRef func, Placement placement, FuncRef at, int dims) const {
        Member m;
        m.func = func;
        m.placement = placement;
        m.at = at;
        m.storage.assign(static_cast<size_t>(dims), 1);
        m.full = !cut_.frugal;
        m.unroll = !cut_.frugal || placement == Placement::Thread;
        return m;
    }

    /// The kernel in which a block's threads find `total`, of `dims` dimensions: the reduction itself, or a block's
    /// part of it.
    Group tree(FuncRef output, FuncRef total, int dims) const {
        Group group;
        group.output = output;
        if (cut_.columns) {
            group.tile.axes = {axis_tile(0, 1, kColumns)};
        }
        group.members = {member(total, Placement::Thread, output, dims)};
        if (of_lanes_ >= 0) {
            Member lanes = member(of_lanes_, Placement::Block, output, dims + 1);
            lanes.axes = {axis_tile(dims, 1, kLanes)};
            lanes.storage.back() = kLanes;
            group.members.push_back(lanes);
        }
        Member threads = member(-1, Placement::Block, output, dims);
        if (cut_.columns) {
            threads.axes.push_back(axis_tile(0, 1, kColumns));
            threads.storage[0] = kColumns;
        }
        for (size_t i = 0; i < of_threads_.size(); i++) {
            threads.func = of_threads_[i];
            threads.axes.push_back(axis_tile(dims + static_cast<int>(i), 1, cut_.threads[i].factor));
            threads.storage.push_back(cut_.threads[i].factor);
            group.members.push_back(threads);
        }
        // Its own tests are in the last turn alone.
        group.members.back().steps = steps_along(cut_.steps_loop, cut_.steps);
        group.members.back().full = false;
        leave_to_host(dims, group.tile);
        return padded(group);
    }

    /// Of more loops than a grid has dimensions, those that are none at the usual sizes are the host's: fused, they
    /// would hide from Halide how much of a member a block needs.
    void leave_to_host(int dims, KernelTile &tile) const {
        std::vector<int> last;
        for (int d = 0; d < dims; d++) {
            const bool named =
                std::any_of(tile.axes.begin(), tile.axes.end(), [&](const AxisTile &a) { return a.dim == d; });
            const bool one = d < node_.dims() && node_.estimate[static_cast<size_t>(d)].extent() == 1;
            if (!named && !one) {
                tile.axes.push_back(axis_tile(d, 1, 1));
            } else if (!named) {
                last.push_back(d);
            }
        }
        tile.host_loops = std::clamp(dims - kSeenLoops, 0, static_cast<int>(last.size()));
    }

    Group padded(Group group) const {
        pad_shared_storage(ElementBytes(group.members.size(), node_.type_bytes), group.members);
        return group;
    }

    Group kernel_of_blocks(FuncRef of_block) {
        const FuncRef copy = copy_of(of_block);
        return tree(copy, of_block, node_.dims() + 1);
    }

    Group only_kernel() const { return tree(output(), itself_, node_.dims()); }

    /// Of an output with updates, which are kernels of their own: as many parts as its update adds up at once.
    Group kernel_of_rest() {
        Group group;
        group.output = copy_of(rest_);
        group.tile.axes = {axis_tile(node_.dims(), 1, kLanes)};
        group.members = {member(rest_, Placement::Thread, group.output, node_.dims() + 1)};
        return group;
    }

    /// A thread a column, or a block a point, whose lanes share what there is to add up.
    Group last_kernel() const {
        Group group;
        group.output = output();
        if (cut_.columns) {
            group.tile.axes = {axis_tile(0, 1, kColumns)};
        }
        group.members = {member(itself_, Placement::Thread, group.output, node_.dims())};
        if (rest_ >= 0) {
            const int lanes = std::min(cut_.blocks, kLanes);
            Member rest = member(rest_, Placement::Block, group.output, node_.dims() + 1);
            rest.axes = {axis_tile(node_.dims(), 1, lanes)};
            rest.storage.back() = lanes;
            group.members.push_back(rest);
        } else if (cut_.blocks > kUnrolledParts) {
            group.members[0].unroll = false;
            group.members[0].steps = steps_along(0, kUnrolledParts / 2);
        }
        return padded(group);
    }

    Group last_of_stages() const {
        Group group;
        group.output = itself_;
        if (node_.dims() > 0) {
            group.tile.axes = {axis_tile(0, 1, kColumns)};
        }
        group.updates = {group.tile};
        group.atomic = {false};
        return group;
    }
};

std::string text_of(const GridCut &cut, const CostModel &model) {
    std::string text = "reduction over the grid, " + std::to_string(cut.kernels.size()) + " kernels, blocks " +
                       std::to_string(cut.blocks) + " of loop " + std::to_string(cut.blocks_rvar) + ", threads";
    for (const GridCut::Split &split : cut.threads) {
        text += " " + std::to_string(split.factor) + " of loop " + std::to_string(split.rvar);
    }
    text += (cut.columns ? ", columns" : "") + (", " + std::to_string(cut.steps)) + " steps of loop " +
            std::to_string(cut.steps_loop) + (cut.frugal ? ", frugal" : "");
    for (const Sweep &kernel : cut.kernels) {
        text += " | " + to_string(model.cost(kernel));
    }
    return text;
}

Candidate candidate_of(const RefMap &refs, const CostModel &model, const Roles &roles, const GridCut &cut) {
    Candidate candidate = Builder(refs, roles, cut).build();
    candidate.cost = cut.cost;
    candidate.why = text_of(cut, model);
    return candidate;
}

}  // namespace

std::vector<Candidate> reduce_over_grid(const RefMap &refs, const Machine &machine, const CostModel &model, int output,
                                        const std::vector<int> &members) {
    const std::optional<GridCut> cut = cut_of(*refs.graph, machine, model, output, members);
    if (!cut) {
        return {};
    }
    const Roles roles = *roles_of(*refs.graph, output, members);
    return {candidate_of(refs, model, roles, *cut), candidate_of(refs, model, roles, frugal(*cut))};
}

double cost_over_grid(const KeptGraph &graph, const Machine &machine, const CostModel &model, int output,
                      const std::vector<int> &members) {
    const std::optional<GridCut> cut = cut_of(graph, machine, model, output, members);
    return cut ? cut->cost : INFINITY;
}

}  // namespace warptile
