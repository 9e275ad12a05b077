// Regions of everything at root: see root_regions.h. As in Halide, a stage computes what later stages of its Func read
// of it.

#include "dag/bounds/root_regions.h"

#include <algorithm>

#include "dag/bounds/inlined_stages.h"
#include "dag/halide/boxes.h"
#include "dag/halide/exprs.h"
#include "dag/halide/user_name.h"
#include "machine/error.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

// Of an expression into which Funcs are put.
constexpr double kLargestExpr = 2000;

size_t index(int i) { return static_cast<size_t>(i); }

class RootRegions {
public:
    RootRegions(FunctionDag &dag, const RegionSources &sources) : dag_(dag), from_(sources) {}

    void run(const OutputRegions &outputs) {
        required_.resize(dag_.nodes.size());
        for (Node &node : dag_.nodes) {
            required_[index(node.id)].resize(index(node.dims()));
        }
        for (const auto &[id, region] : outputs) {
            required_[index(id)] = region;
        }
        for (size_t i = dag_.nodes.size(); i-- > 0;) {
            Node &node = dag_.nodes[i];
            Region &region = required_[i];
            for (const BoundRule &rule : node.bounds) {
                region[index(rule.dim)] = apply(rule, region[index(rule.dim)]);
            }
            if (node.kind == NodeKind::Func) {
                visit_stages(node);
            } else if (node.kind == NodeKind::Extern) {
                visit_extern(node);
            }
            node.estimate = region;
        }
    }

private:
    void visit_stages(Node &node) {
        Region &region = required_[index(node.id)];
        if (std::any_of(region.begin(), region.end(), [](const Interval &i) { return i.empty(); })) {
            return;  // nobody needs a point of it
        }
        Region allocated = region;
        for (size_t s = node.stages.size(); s-- > 0;) {
            Stage &stage = node.stages[s];
            LoopBounds bounds;
            for (size_t d = 0; d < node.args.size(); d++) {
                bounds.add(node.args[d], region[d]);
                if (stage.pure_of_dim[d] >= 0) {
                    stage.loops[index(stage.pure_of_dim[d])].estimate = region[d];
                }
            }
            for (const Loop &loop : stage.loops) {
                if (loop.reduction) {
                    bounds.add(loop.name, loop.estimate);
                }
            }
            const StageSource &source = from_.stages[index(node.id)][s];
            if (s > 0) {
                allocated = hull(allocated, written(node, source, bounds));
            }
            require_loads(node, source, bounds);
        }
        region = hull(region, allocated);
    }

    // What an update writes; a dimension that cannot be bounded is left to Halide's own error.
    Region written(const Node &node, const StageSource &source, const LoopBounds &bounds) {
        Region region = required_[index(node.id)];
        for (size_t d = 0; d < source.args.size(); d++) {
            const auto interval = bounds_of_expr_in_scope(source.args[d], bounds.scope, from_.values);
            if (const auto known = bounds.numbers(interval, from_.estimates)) {
                region[d] = hull(region[d], *known);
            }
        }
        return region;
    }

    void require_loads(const Node &node, const StageSource &source, const LoopBounds &bounds) {
        std::vector<Expr> all = source.values;
        if (node.stages.size() > 1) {
            all.insert(all.end(), source.args.begin(), source.args.end());
        }
        for (const Expr &value : all) {
            require(node, inferred(value, source.predicate), bounds);
        }
    }

    void require(const Node &node, Expr e, const LoopBounds &bounds) {
        std::map<int, Box> boxes = boxes_of(node, e, bounds);
        while (Node *const producer = unbounded_in(boxes, e, bounds)) {
            producer->unbounded = true;
            const StageSource inlined =
                with_inlined({{}, {e}, {}, {}, {}}, *producer, from_.stages[index(producer->id)][0]);
            e = inlined.values[0];
            boxes = boxes_of(node, e, bounds);
        }
        for (const auto &[id, box] : boxes) {
            Region &into = required_[index(id)];
            for (size_t d = 0; d < box.size(); d++) {
                into[d] = hull(into[d], numbers(node, dag_.nodes[index(id)], d, box[d], bounds));
            }
        }
    }

    /// What `e`, of a stage of `node`, reads: by node.
    std::map<int, Box> boxes_of(const Node &node, const Expr &e, const LoopBounds &bounds) const {
        std::map<int, Box> boxes;
        for (const auto &box : boxes_required(e, bounds.scope, from_.values)) {
            if (box.second.maybe_unused() && is_const_zero(simplify(bounds.in_numbers(box.second.used)))) {
                continue;
            }
            const auto called = from_.order.env.find(box.first);
            const std::string &name =
                called == from_.order.env.end() ? box.first : from_.order.callee(node.name, box.first).name();
            if (const auto id = from_.ids.find(name); id != from_.ids.end()) {  // else no buffer of the pipeline's
                boxes.emplace(id->second, box.second);
            }
        }
        return boxes;
    }

    /// A Func that `e` reads without bound, as a place that was computed with floats, or by bits, is: no schedule can
    /// store it, but inlined, as in the unscheduled pipeline, it may clamp the place itself.
    Node *unbounded_in(const std::map<int, Box> &boxes, const Expr &e, const LoopBounds &bounds) {
        for (const auto &[id, box] : boxes) {
            Node &producer = dag_.nodes[index(id)];
            for (size_t d = 0; d < box.size(); d++) {
                if (may_be_inlined(dag_, producer) && !bounds.numbers(box[d], from_.estimates) &&
                    missing_estimate(box[d]).empty() && tree_size(e) <= kLargestExpr) {
                    return &producer;
                }
            }
        }
        return nullptr;
    }

    /// The complaint about a parameter or an input in the interval that has no estimate; empty where there is none.
    std::string missing_estimate(const Halide::Internal::Interval &interval) const {
        const std::string missing = interval.has_lower_bound() ? from_.estimates.missing(interval.min) : "";
        return missing.empty() && interval.has_upper_bound() ? from_.estimates.missing(interval.max) : missing;
    }

    Interval numbers(const Node &consumer, const Node &producer, size_t d, const Halide::Internal::Interval &interval,
                     const LoopBounds &bounds) {
        if (const auto known = bounds.numbers(interval, from_.estimates)) {
            return *known;
        }
        if (producer.kind == NodeKind::Input && !from_.known_inputs[index(producer.id)][d].empty()) {
            return from_.known_inputs[index(producer.id)][d];
        }
        if (const std::string missing = missing_estimate(interval); !missing.empty()) {
            throw Error(missing);
        }
        const std::string what =
            (producer.kind == NodeKind::Input ? "input '" : "Func '") + user_name(producer.name) + "'";
        throw Error("Func '" + user_name(consumer.name) + "' reads " + what + " without bound in dimension '" +
                    user_name(producer.args[d]) + "': clamp the index" +
                    (producer.kind == NodeKind::Input ? ", or give the input estimates." : "."));
    }

    // Halide asks an extern stage at run time what it reads. Here that is what its proxy expression reads, what the
    // estimates of a producer say, or else as much of a producer as is computed of the extern stage itself.
    void visit_extern(const Node &node) {
        const Region &region = required_[index(node.id)];
        const Function &f = from_.functions[index(node.id)];
        if (f.extern_definition_proxy_expr().defined()) {
            LoopBounds bounds;
            for (size_t d = 0; d < region.size(); d++) {
                bounds.add(node.args[d], region[d]);
            }
            require(node, from_.estimates.substitute(f.extern_definition_proxy_expr()), bounds);
        }
        for (const int p : node.producers) {
            const Node &producer = dag_.node(p);
            Region &into = required_[index(p)];
            for (size_t d = 0; d < into.size(); d++) {
                const Interval known =
                    producer.kind == NodeKind::Input ? from_.known_inputs[index(p)][d] : func_estimate(producer, d);
                if (!known.empty()) {
                    into[d] = hull(into[d], known);
                } else if (d < region.size()) {
                    into[d] = hull(into[d], region[d]);
                } else if (into[d].empty()) {
                    throw Error("Extern stage '" + user_name(node.name) + "' reads '" + user_name(producer.name) +
                                "', of which dimension '" + user_name(producer.args[d]) + "' has no estimate: call " +
                                user_name(producer.name) + ".set_estimates({{min, extent}, ...}).");
                }
            }
        }
    }

    Interval func_estimate(const Node &node, size_t d) {
        for (const Bound &b : from_.functions[index(node.id)].schedule().estimates()) {
            const auto min = from_.estimates.constant(b.min), extent = from_.estimates.constant(b.extent);
            if (b.var == node.args[d] && min && extent) {
                return {*min, *min + *extent - 1};
            }
        }
        return {};
    }

    FunctionDag &dag_;
    const RegionSources &from_;
    std::vector<Region> required_;
};

}  // namespace

OutputRegions estimated_outputs(const FunctionDag &dag, const RegionSources &sources) {
    OutputRegions outputs;
    for (const Node &node : dag.nodes) {
        if (node.is_output) {
            outputs[node.id] = sources.estimates.output(sources.functions[index(node.id)]);
        }
    }
    return outputs;
}

void set_root_regions(FunctionDag &dag, const RegionSources &sources, const OutputRegions &outputs) {
    RootRegions(dag, sources).run(outputs);
}

}  // namespace warptile
