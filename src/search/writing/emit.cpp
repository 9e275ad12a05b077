#include "search/writing/emit.h"

#include <algorithm>

#include "dag/saturating.h"
#include "model/atomics.h"
#include "model/work.h"
#include "schedule/shared_layout.h"
#include "search/graph/reductions.h"
#include "search/placing/staging.h"
#include "search/pricing/update_kernels.h"
#include "search/tiling/tails.h"

namespace warptile {
namespace {

/// Points of a member in a thread, of a reduction whose steps are taken together.
constexpr double kFewPoints = 2;
// A shorter loop has little to wait for; one known to be no longer in all is unrolled as it is.
constexpr int64_t kFewSteps = 4;

/// The counts of the loops of which several steps are taken together.
std::string steps_text(const Steps &steps) {
    std::string text;
    for (const int count : steps.counts) {
        text += count > 1 ? (text.empty() ? ", steps " : "x") + std::to_string(count) : "";
    }
    return text;
}

std::string tile_text(const PricedKernel &priced) {
    std::string text;
    const std::vector<std::string> &args = priced.view->output_node().args;
    for (size_t i = 0; i < priced.kernel.tile.axes.size(); i++) {
        const AxisTile &axis = priced.kernel.tile.axes[i];
        const bool lanes = static_cast<int>(i) == priced.kernel.tile.lane_axis;
        text += " " + args[static_cast<size_t>(axis.dim)] + ":" + std::to_string(axis.width) + "x" +
                std::to_string(axis.threads) +
                (lanes                                              ? " lanes"
                 : static_cast<int>(i) == priced.kernel.tile.stream ? " stream"
                                                                    : "");
    }
    if (priced.kernel.tile.layout == LaneLayout::Adjacent) {
        text += " adjacent";
    }
    for (const Part &part : priced.kernel.parts) {
        text += steps_text(part.steps);
    }
    return text;
}

class Emitter {
public:
    Emitter(const RefMap &refs, const PricedKernel &priced) : refs_(refs), priced_(priced), view_(*priced.view) {}

    Candidate run() {
        const Kernel &kernel = priced_.kernel;
        const Geometry g = geometry(view_, kernel);
        Group &group = result_.group;
        group.output = kernel.wrapped ? refs_.read(view_.output()) : refs_.itself(view_.output());
        group.tile = kernel.tile;
        const TailChoice tail = choose_tail(*refs_.graph, view_.output(), g.block);
        group.tail = tail.tail;
        group.conditions = tail.conditions;
        ElementBytes elements;
        for (const Part &part : kernel.parts) {
            group.members.push_back(member(part, g));
            elements.push_back(view_.dag().node(part.node).type_bytes);
        }
        pad_shared_storage(elements, group.members);
        result_.cost = priced_.cost.total;
        result_.why = priced_.form + tile_text(priced_) + " | " + to_string(priced_.cost);
        return result_;
    }

private:
    const RefMap &refs_;
    const PricedKernel &priced_;
    const GroupView &view_;
    Candidate result_;
    std::vector<FuncRef> part_refs_;

    FuncRef staged(int source, FuncRef source_ref) {
        Derived derived;
        derived.kind = Derived::Kind::Staged;
        derived.source = source_ref;
        for (const int c : callers_to_redirect(*refs_.graph, view_, source)) {
            derived.consumers.push_back(caller(c));
        }
        result_.derived.push_back(derived);
        return refs_.own(result_.derived.size() - 1);
    }

    /// The Func in which the node's loads stand once its reduction is split.
    FuncRef caller(int node) const {
        for (size_t i = 0; i < part_refs_.size(); i++) {
            const Part &part = priced_.kernel.parts[i];
            if (part.node == node && part.role == Role::Partial) {
                return part_refs_[i];
            }
        }
        return refs_.itself(node);
    }

    FuncRef partial(const Part &part) {
        Derived derived;
        derived.kind = Derived::Kind::Partial;
        derived.source = refs_.itself(part.node);
        derived.rvar = part.split_rvar;
        derived.factor = part.factor;
        derived.usual_extent = part.usual_extent;
        result_.derived.push_back(derived);
        return refs_.own(result_.derived.size() - 1);
    }

    FuncRef ref_of(const Part &part) {
        if (part.role == Role::Partial) {
            return partial(part);
        }
        if (part.role == Role::Copy) {
            return staged(part.node, refs_.read(part.node));
        }
        const bool wrapper = refs_.graph->inlined[static_cast<size_t>(part.node)];
        return wrapper && !read_only_here(*refs_.graph, view_, part.node) ? staged(part.node, refs_.itself(part.node))
                                                                          : refs_.itself(part.node);
    }

    /// Of a reduction of what lies in memory, whose loads would wait for each other otherwise. A thread that has
    /// several points has several loads under way anyhow.
    int steps_that_wait_together(const Part &part, const Geometry &g) const {
        const Node &node = view_.dag().node(part.node);
        if (node.stages.size() != 2 || node.stages[1].has_predicate) {
            return 1;
        }
        const Expansion &e = view_.expansion(part.node, 1);
        const bool in_memory = std::none_of(e.loads.begin(), e.loads.end(), [&](const ExpandedLoad &load) {
            return load.producer != part.node && part_of(priced_.kernel, load.producer) >= 0;
        });
        double points = 1;
        for (const int64_t extent : part_extents(view_, priced_.kernel, g, part)) {
            points *= static_cast<double>(extent);
        }
        const std::vector<Loop> &loops = node.stages[1].loops;
        const auto innermost = std::find_if(loops.begin(), loops.end(), [](const Loop &l) { return l.reduction; });
        bool known = true;
        int64_t steps = 1;
        for (const Loop &loop : loops) {
            known = known && (!loop.reduction || loop.extent_known);
            steps = saturating_multiply(steps, loop.reduction ? loop.estimate.extent() : 1);
        }
        const bool unrolled = known && steps <= kUnrolledReduction;
        if (!in_memory || points > kFewPoints || innermost == loops.end() || unrolled ||
            innermost->estimate.extent() < kFewSteps) {
            return 1;
        }
        return steps_together(innermost->estimate.extent(), points * (e.ops() + e.load_count()));
    }

    /// Of one point a thread: nothing is kept in registers whose numbers would have to be constants.
    bool stays_a_loop(const Part &part, const Geometry &g) const {
        const Node &node = view_.dag().node(part.node);
        if (part.role != Role::Func || part.placement != Placement::Thread || node.stages.size() != 2 ||
            product(part_extents(view_, priced_.kernel, g, part)) > 1 ||
            std::any_of(priced_.kernel.parts.begin(), priced_.kernel.parts.end(),
                        [](const Part &p) { return p.placement == Placement::Warp; })) {
            return false;
        }
        return too_large_to_unroll(node.stages[1], view_.expansion(part.node, 1));
    }

    /// What is known at run time only has no storage bound.
    void leave_to_halide(const Part &part, const std::vector<int64_t> &extents, Member &m) const {
        const std::vector<Known> &known = view_.known_extents(part.node);
        m.storage = stored_extents(view_, part, extents);
        for (size_t d = 0; d < known.size(); d++) {
            m.storage[d] = known[d] == Known::Fixed ? m.storage[d] : 0;
        }
        if (known.size() > 1 && known[0] != Known::Fixed) {
            m.row_multiple = spread_row(extents[0], view_.dag().node(part.node).type_bytes);
        }
    }

    Member member(const Part &part, const Geometry &g) {
        Member m;
        m.func = ref_of(part);
        part_refs_.push_back(m.func);
        m.placement = part.placement;
        m.each_step = part.each_step;
        m.at = part.at < 0 ? result_.group.output : part_refs_[static_cast<size_t>(part.at)];
        m.axes = part.axes;
        // Turns of a block's threads may be any number; what lies in registers has to be named by constants. Where the
        // output's size is tested in one dimension alone, Halide knows in the other case that there is one block, as
        // large as the output, and the turns are no constant.
        const bool constant = view_.divisions(part.node) == 0 && result_.group.conditions.size() != 1;
        m.unroll = part.placement == Placement::Block ? constant : !stays_a_loop(part, g);
        if (part.steps.together() > 1) {
            m.steps = part.steps;
            m.steps.whole_tiles = result_.group.tail == Tail::Both;
        } else if (part.role == Role::Func && part.placement == Placement::Thread) {
            m.steps = steps_along(0, steps_that_wait_together(part, g));
        }
        const std::vector<int64_t> extents = part_extents(view_, priced_.kernel, g, part);
        if (part.placement == Placement::Warp || fixed_part_extents(view_, priced_.kernel, part)) {
            m.storage = stored_extents(view_, part, extents);
        } else if (part.placement == Placement::Block && part.role != Role::Partial) {
            leave_to_halide(part, extents, m);
        }
        if (part.stream_dim >= 0) {
            m.storage[static_cast<size_t>(part.stream_dim)] = 0;
        }
        return m;
    }
};

}  // namespace

FuncRef RefMap::read(int node) const {
    const int k = wrapper[static_cast<size_t>(node)];
    return k < 0 ? itself(node) : base->funcs + k;
}

FuncRef add_copy(const RefMap &refs, FuncRef source, Candidate &candidate) {
    Derived copy;
    copy.source = source;
    candidate.derived.push_back(copy);
    return refs.own(candidate.derived.size() - 1);
}

FuncRef add_partial(const RefMap &refs, FuncRef source, int rvar, int factor, Candidate &candidate, int update) {
    Derived partial;
    partial.kind = Derived::Kind::Partial;
    partial.source = source;
    partial.update = update;
    partial.rvar = rvar;
    partial.factor = factor;
    candidate.derived.push_back(partial);
    return refs.own(candidate.derived.size() - 1);
}

Candidate emit(const RefMap &refs, const PricedKernel &priced) { return Emitter(refs, priced).run(); }

Candidate emit_stages(const RefMap &refs, const PricedKernel &pure, const std::vector<PricedKernel> &updates) {
    Candidate candidate = Emitter(refs, pure).run();
    const Node &node = pure.view->output_node();
    candidate.group.output = refs.itself(node.id);
    for (size_t u = 0; u < updates.size(); u++) {
        const Stage &stage = node.stages[u + 1];
        const std::vector<AxisTile> &axes = updates[u].kernel.tile.axes;
        const bool one_point = std::all_of(axes.begin(), axes.end(), [](const AxisTile &a) { return a.width == 1; });
        candidate.group.updates.push_back(updates[u].kernel.tile);
        if (one_point && too_large_to_unroll(stage, updates[u].view->expansion(node.id, static_cast<int>(u) + 1))) {
            candidate.group.updates.back().unroll = false;
        }
        candidate.group.atomic.push_back(updates[u].kernel.atomic);
        candidate.cost += updates[u].cost.total;
        candidate.why += "; update " + to_string(updates[u].cost);
    }
    return candidate;
}

bool adds_atomically(const FunctionDag &dag, int output, const std::vector<int> &members) {
    std::vector<int> all = members;
    all.push_back(output);
    return std::any_of(all.begin(), all.end(), [&](int id) {
        const std::vector<Stage> &stages = dag.node(id).stages;
        return std::any_of(stages.begin(), stages.end(), runs_atomically);
    });
}

Candidate emit_on_host(const RefMap &refs, int output, const std::vector<int> &members) {
    const auto at_root = [](FuncRef func) {
        Group group;
        group.output = func;
        group.on_host = true;
        return group;
    };
    Candidate candidate;
    candidate.why = "on the host";
    std::vector<int> roots = members;
    std::sort(roots.begin(), roots.end());
    for (const int id : roots) {
        candidate.before.push_back(at_root(refs.itself(id)));
    }
    if (refs.read(output) != refs.itself(output)) {
        candidate.before.push_back(at_root(refs.itself(output)));
    }
    candidate.group = at_root(refs.read(output));
    return candidate;
}

Candidate emit_plain(const RefMap &refs, const CostModel &model, int output, const std::vector<int> &members,
                     Additions additions) {
    const auto at_root = [&](int id) {
        PricedKernel pure = plain_kernel(*refs.graph, model, id);
        std::vector<PricedKernel> updates;
        for (size_t s = 1; s < refs.graph->dag->node(id).stages.size(); s++) {
            updates.push_back(priced_update(*refs.graph, model, id, static_cast<int>(s), 1, additions));
        }
        Candidate c = emit_stages(refs, pure, updates);
        c.group.tail = Tail::Guard;
        c.group.conditions.clear();
        return c;
    };
    std::vector<int> roots = members;
    std::sort(roots.begin(), roots.end());
    Candidate plain;
    for (const int id : roots) {
        Candidate c = at_root(id);
        plain.before.push_back(c.group);
        plain.cost += c.cost;
    }
    Candidate last = at_root(output);
    plain.cost += last.cost;
    plain.group = last.group;
    plain.why = std::string(additions == Additions::Serial ? "plain, additions one after the other | " : "plain | ") +
                std::to_string(plain.cost);
    if (refs.wrapper[static_cast<size_t>(output)] >= 0) {
        // Its readers read the wrapper, which then copies it.
        plain.before.push_back(last.group);
        plain.group.updates.clear();
        plain.group.atomic.clear();
        plain.group.output = refs.read(output);
    }
    return plain;
}

}  // namespace warptile
