// The required regions of a group, as a list of flat steps that is walked once for each tile: see footprint.h.
// Consumers come before producers, so that a node's region is complete when its own loads are read off it, and within a
// node the last update comes first. The largest extents over all positions of a tile are in footprint_extents.cpp.

#include "dag/footprint.h"

#include <algorithm>

#include "dag/saturating.h"

namespace warptile {

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

}  // namespace

Footprint::Footprint(const FunctionDag &dag, int output, const std::vector<int> &members,
                     const std::vector<bool> &inlined, TileSteps tile_steps)
    : dag_(dag), touched_(dag.nodes.size(), false), known_(dag.nodes.size()), bounded_(dag.nodes.size(), false),
      slopes_(index(dag.node(output).dims())) {
    find_order(output, members, inlined);
    for (const int id : order_) {
        add_steps(id, id == output ? tile_steps : TileSteps::All);
    }
    size_t most_loops = 0;
    for (const Step &s : steps_) {
        most_loops = std::max(most_loops, index(s.last_loop - s.first_loop));
    }
    loop_ranges_.resize(most_loops);
    loop_drifts_.resize(most_loops);
    regions_.resize(dag.nodes.size());
    extents_.resize(dag.nodes.size());
    drifts_.resize(dag.nodes.size());
    for (const Node &n : dag.nodes) {
        if (touches(n.id)) {
            regions_[index(n.id)].resize(index(n.dims()));
            extents_[index(n.id)].resize(index(n.dims()));
            drifts_[index(n.id)].resize(index(n.dims()));
            known_[index(n.id)].resize(index(n.dims()), Known::Fixed);
            for (Drift &d : drifts_[index(n.id)]) {
                d.slope.resize(slopes_);
            }
        }
    }
    for (Drift &d : loop_drifts_) {
        d.slope.resize(slopes_);
    }
    // Whether an extent is the same at every size does not depend on the tile: any tile tells.
    max_extents(std::vector<int64_t>(index(dag.node(output).dims()), 1));
}

bool Footprint::fixed_extents(int id) const {
    const std::vector<Known> &known = known_[index(id)];
    return std::all_of(known.begin(), known.end(), [](Known k) { return k == Known::Fixed; });
}

void Footprint::find_order(int output, const std::vector<int> &members, const std::vector<bool> &inlined) {
    std::vector<bool> inside(dag_.nodes.size(), false);
    for (const int m : members) {
        inside[index(m)] = true;
    }
    touched_[index(output)] = true;
    // Nodes are in topological order: from the output down, every consumer is seen before its producers.
    for (int id = output; id >= 0; id--) {
        if (!touches(id)) {
            continue;
        }
        const bool computed = id == output || inside[index(id)] || (index(id) < inlined.size() && inlined[index(id)]);
        if (!computed || dag_.node(id).kind == NodeKind::Input) {
            inputs_.push_back(id);
            continue;
        }
        order_.push_back(id);
        bounded_[index(id)] = id == output || inside[index(id)];
        for (const int p : dag_.node(id).producers) {
            touched_[index(p)] = true;
        }
    }
    std::reverse(inputs_.begin(), inputs_.end());
}

void Footprint::add_axes(const std::vector<Access> &accesses, int producer) {
    for (const Access &access : accesses) {
        for (size_t d = 0; d < access.axes.size(); d++) {
            const AxisAccess &from = access.axes[d];
            Axis axis;
            axis.producer = producer;
            axis.dim = static_cast<int>(d);
            axis.kind = from.kind;
            axis.denominator = from.denominator;
            axis.lo = from.lo;
            axis.hi = from.hi;
            axis.limits = from.limits;
            axis.estimated = from.estimated;
            axis.first_term = static_cast<int>(terms_.size());
            terms_.insert(terms_.end(), from.terms.begin(), from.terms.end());
            axis.last_term = static_cast<int>(terms_.size());
            axes_.push_back(axis);
        }
    }
}

void Footprint::add_steps(int id, TileSteps tile_steps) {
    const Node &node = dag_.node(id);
    const int stages = std::max<int>(1, static_cast<int>(node.stages.size()));  // an extern stage has none, but edges
    for (int s = stages - 1; s >= 0; s--) {
        Step step;
        step.node = id;
        step.first_loop = static_cast<int>(loops_.size());
        step.first_axis = static_cast<int>(axes_.size());
        if (index(s) < node.stages.size()) {
            const Stage &stage = node.stages[index(s)];
            for (size_t l = 0; l < stage.loops.size(); l++) {
                const auto dim = std::find(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), static_cast<int>(l));
                Loop loop;
                loop.dim = stage.loops[l].reduction ? -1 : static_cast<int>(dim - stage.pure_of_dim.begin());
                loop.range = stage.loops[l].estimate;
                loop.known = !stage.loops[l].reduction || stage.loops[l].extent_known;
                if (stage.loops[l].reduction && s == 1 && tile_steps == TileSteps::One) {
                    loop.slope = static_cast<int>(slopes_++);
                }
                loops_.push_back(loop);
            }
            add_axes(stage.own, id);
        }
        for (const int e : dag_.edges_into[index(id)]) {
            const Edge &edge = dag_.edges[index(e)];
            if (edge.stage == s) {
                add_axes(edge.accesses, edge.producer);
            }
        }
        step.last_loop = static_cast<int>(loops_.size());
        step.last_axis = static_cast<int>(axes_.size());
        steps_.push_back(step);
    }
}

Interval Footprint::covered(const Axis &axis) const {
    int64_t low = axis.lo, high = axis.hi;
    for (int t = axis.first_term; t < axis.last_term; t++) {
        const Term &term = terms_[index(t)];
        const Interval &loop = loop_ranges_[index(term.loop)];
        if (loop.empty()) {
            return {};
        }
        low = saturating_add(low, saturating_multiply(term.numerator, term.numerator > 0 ? loop.min : loop.max));
        high = saturating_add(high, saturating_multiply(term.numerator, term.numerator > 0 ? loop.max : loop.min));
    }
    if (axis.denominator != 1) {
        low = floor_div(low, axis.denominator);
        high = floor_div(high, axis.denominator);
    }
    return {std::clamp(low, axis.limits.min, axis.limits.max), std::clamp(high, axis.limits.min, axis.limits.max)};
}

const std::vector<Region> &Footprint::regions(const Region &tile) {
    for (Region &r : regions_) {
        std::fill(r.begin(), r.end(), Interval{});
    }
    std::copy(tile.begin(), tile.end(), regions_[index(order_.front())].begin());
    int previous = -1;
    for (const Step &step : steps_) {
        Region &region = regions_[index(step.node)];
        if (step.node != previous && bounded_[index(step.node)]) {  // all the consumers have been seen
            for (const BoundRule &rule : dag_.node(step.node).bounds) {
                region[index(rule.dim)] = apply(rule, region[index(rule.dim)]);
            }
        }
        previous = step.node;
        for (int l = step.first_loop; l < step.last_loop; l++) {
            const Loop &loop = loops_[index(l)];
            loop_ranges_[index(l - step.first_loop)] = loop.dim < 0 ? loop.range : region[index(loop.dim)];
        }
        for (int a = step.first_axis; a < step.last_axis; a++) {
            const Axis &axis = axes_[index(a)];
            Interval &into = regions_[index(axis.producer)][index(axis.dim)];
            into =
                hull(into, axis.kind == AxisAccess::Kind::Unknown ? dag_.node(axis.producer).estimate[index(axis.dim)]
                                                                  : covered(axis));
        }
    }
    return regions_;
}

}  // namespace warptile
