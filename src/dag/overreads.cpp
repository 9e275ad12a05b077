#include "dag/overreads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "dag/halide_boxes.h"
#include "dag/halide_exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Loads of a reader times loads of what is inlined into it: where there are more, the readers' points are taken for a
/// box.
constexpr int64_t kMostLoads = 4000;
/// Of the estimates, so many points less are tried too, since strides may hide a corner at some sizes.
constexpr int64_t kSizes = 4;
/// Outputs of which one is tried small where the others are not, and the other way round.
constexpr size_t kMostOutputs = 8;

size_t index(int i) { return static_cast<size_t>(i); }

/// By node and dimension: what is required; nothing where it has no bounds. Nodes that are not read are not there.
using Required = std::map<int, std::vector<std::optional<Interval>>>;

/// Boxes in terms of a stage's loops, by the node that they are required of.
using Boxes = std::vector<std::pair<int, Box>>;

/// By node, stage and loop: where it goes.
using LoopRanges = std::vector<std::vector<Region>>;

LoopRanges loop_ranges(const FunctionDag &dag) {
    LoopRanges ranges(dag.nodes.size());
    for (const Node &node : dag.nodes) {
        for (const Stage &stage : node.stages) {
            Region loops;
            for (const Loop &loop : stage.loops) {
                loops.push_back(loop.estimate);
            }
            ranges[index(node.id)].push_back(loops);
        }
    }
    return ranges;
}

/// What a caller may ask for instead of the estimates: a point of everything, of one dimension, of one output alone, or
/// of all others. What outputs read of a Func at the estimates may hide what they do not read where one of them is
/// smaller; and what an RDom reads has one size always.
std::vector<OutputRegions> other_outputs(const OutputRegions &estimates) {
    std::vector<OutputRegions> all;
    const auto try_points = [&](const auto &is_point) {
        OutputRegions outputs = estimates;
        for (auto &[id, region] : outputs) {
            for (size_t d = 0; d < region.size(); d++) {
                region[d].max = is_point(id, d) ? std::min(region[d].min, region[d].max) : region[d].max;
            }
        }
        all.push_back(outputs);
    };
    size_t dims = 0;
    for (const auto &[id, region] : estimates) {
        dims = std::max(dims, region.size());
    }
    try_points([](int, size_t) { return true; });
    for (size_t along = 0; dims > 1 && along < dims; along++) {
        try_points([&](int, size_t d) { return d == along; });
    }
    size_t tried = 0;
    for (auto one = estimates.begin(); estimates.size() > 1 && one != estimates.end() && tried < kMostOutputs; ++one) {
        try_points([&](int id, size_t) { return id == one->first; });
        try_points([&](int id, size_t) { return id != one->first; });
        tried++;
    }
    return all;
}

/// Puts a pure Func's values in the place of its calls.
class Inliner : public IRGraphMutator {
public:
    Inliner(const std::string &name, const std::vector<std::string> &args, const std::vector<Expr> &values)
        : name_(name), args_(args), values_(values) {}

private:
    using IRGraphMutator::visit;

    Expr visit(const Call *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Call *call = e.as<Call>();
        if (!call || call->call_type != Call::Halide || call->name != name_) {
            return e;
        }
        std::map<std::string, Expr> at;
        for (size_t d = 0; d < args_.size(); d++) {
            at[args_[d]] = call->args[d];
        }
        return substitute(at, values_[static_cast<size_t>(call->value_index)]);
    }

    const std::string &name_;
    const std::vector<std::string> &args_;
    const std::vector<Expr> &values_;
};

/// Bounds inference sees code that is inlined and not yet simplified: of a condition that is a constant only then it
/// takes both sides.
class BothSides : public IRGraphMutator {
    using IRGraphMutator::visit;

    Expr visit(const Select *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Select *select = e.as<Select>();
        if (!select || !select->type.is_scalar() || select->type.is_handle() ||
            !is_const(simplify(select->condition))) {
            return e;
        }
        const Expr &a = select->true_value, &b = select->false_value;
        return a.type().is_bool() ? Or::make(a, b) : Max::make(a, b);
    }
};

class Overreads {
public:
    Overreads(FunctionDag &dag, const RegionSources &sources) : dag_(dag), from_(sources), stages_(sources.stages) {}

    /// Readers first: what is inlined into them is part of them for what it reads itself.
    void run() {
        if (std::none_of(dag_.nodes.begin(), dag_.nodes.end(),
                         [&](const Node &node) { return may_be_inlined(node) && node.reads_raw_input; })) {
            return;
        }
        set_sizes();
        for (size_t i = dag_.nodes.size(); i-- > 0;) {
            Node &node = dag_.nodes[i];
            if (may_be_inlined(node) && node.reads_raw_input && asks_for_more(node)) {
                node.overreads = true;
                for (const auto &[reader, s] : readers(node)) {
                    stages_[index(reader)][s] = with_inlined(stages_[index(reader)][s], node);
                }
            }
        }
    }

private:
    FunctionDag &dag_;
    const RegionSources &from_;
    std::vector<std::vector<StageSource>> stages_;  // by node, with what has to be inlined
    std::vector<LoopRanges> sizes_;                 // that are tried

    void set_sizes() {
        const LoopRanges estimates = loop_ranges(dag_);
        for (int64_t less = 0; less < kSizes; less++) {
            sizes_.push_back(estimates);
            for (const Node &node : dag_.nodes) {
                for (size_t s = 0; s < node.stages.size(); s++) {
                    for (size_t l = 0; l < node.stages[s].loops.size(); l++) {
                        Interval &range = sizes_.back()[index(node.id)][s][l];
                        range.max =
                            node.stages[s].loops[l].reduction ? range.max : std::max(range.min, range.max - less);
                    }
                }
            }
        }
        FunctionDag other = dag_;
        for (const OutputRegions &outputs : other_outputs(estimated_outputs(dag_, from_))) {
            set_root_regions(other, from_, outputs);
            sizes_.push_back(loop_ranges(other));
        }
    }

    bool may_be_inlined(const Node &node) const {
        // What only the host can compute has no place in a kernel.
        const auto reads_it_whole = [&](int c) {
            return dag_.node(c).kind == NodeKind::Extern || (node.on_host() && !dag_.node(c).on_host());
        };
        return node.kind == NodeKind::Func && node.stages.size() == 1 && !node.is_output && node.scheduled_by.empty() &&
               !node.loses_cast && !node.read_by_where && !node.consumers.empty() &&
               std::none_of(node.consumers.begin(), node.consumers.end(), reads_it_whole);
    }

    /// Larger than what Halide is given to simplify.
    static bool is_large(const StageSource &stage) {
        const std::vector<Expr> all = stage.expressions();
        return std::any_of(all.begin(), all.end(), [](const Expr &e) { return tree_size(e) > kLargestTree; });
    }

    bool asks_for_more(const Node &node) const {
        const std::vector<std::pair<int, size_t>> by = readers(node);
        if (std::any_of(by.begin(), by.end(),
                        [&](const auto &r) { return is_large(stages_[index(r.first)][r.second]); })) {
            return false;
        }
        int64_t loads = 0;
        for (const int e : dag_.edges_out_of[index(node.id)]) {
            loads += dag_.edges[index(e)].loads;
        }
        if (loads * std::max<int64_t>(1, node.stages[0].ops.loads) > kMostLoads) {
            return false;
        }

        struct Reader {
            int node;
            size_t stage;
            Boxes box, stored, inlined;
        };

        std::vector<Reader> asking;
        for (const auto &[reader, s] : by) {
            const StageSource &source = stages_[index(reader)][s];
            const Node &n = dag_.node(reader);
            asking.push_back({reader, s,
                              boxes(n, s, changed(source, [](const Expr &e) { return BothSides().mutate(e); })),
                              boxes(n, s, simplified(source)), boxes(n, s, simplified(with_inlined(source, node)))});
        }
        const Boxes of_box = boxes(node, 0, simplified(stages_[index(node.id)][0]));
        for (const LoopRanges &size : sizes_) {
            Required box, stored, inlined;
            for (const Reader &r : asking) {
                const Region &ranges = size[index(r.node)][r.stage];
                if (std::any_of(ranges.begin(), ranges.end(), [](const Interval &i) { return i.empty(); })) {
                    continue;  // nobody needs a point of it
                }
                const LoopBounds loops = bounds(dag_.node(r.node), r.stage, ranges);
                add(r.box, loops, box);
                add(r.stored, loops, stored);
                add(r.inlined, loops, inlined);
            }
            const auto own = box.find(node.id);
            if (own == box.end()) {
                continue;
            }
            LoopBounds whole;
            for (size_t d = 0; d < own->second.size(); d++) {
                const std::optional<Interval> &range = own->second[d];
                if (!range || range->empty()) {
                    return false;
                }
                whole.add(node.args[d], *range);
            }
            add(of_box, whole, stored);
            if (reaches_further(node, stored, inlined)) {
                return true;
            }
        }
        return false;
    }

    bool reaches_further(const Node &node, const Required &stored, const Required &inlined) const {
        for (const int p : node.producers) {
            const Node &producer = dag_.node(p);
            const auto more = stored.find(p), less = inlined.find(p);
            if (more == stored.end()) {
                continue;
            }
            for (size_t d = 0; d < more->second.size(); d++) {
                if (!producer.is_output && !producer.raw_dims[d]) {
                    continue;
                }
                const std::optional<Interval> &a = more->second[d];
                if (less == inlined.end()) {
                    return true;
                }
                const std::optional<Interval> &b = less->second[d];
                if (b && (!a || a->min < b->min || a->max > b->max)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Stages that call the node by now.
    std::vector<std::pair<int, size_t>> readers(const Node &node) const {
        std::vector<std::pair<int, size_t>> result;
        for (size_t c = index(node.id) + 1; c < dag_.nodes.size(); c++) {
            for (size_t s = 0; s < stages_[c].size() && !dag_.nodes[c].overreads; s++) {
                for (const Expr &e : stages_[c][s].expressions()) {
                    const std::vector<Expr> loads = distinct_loads({e});
                    if (std::any_of(loads.begin(), loads.end(),
                                    [&](const Expr &l) { return as_load(l)->name == node.name; })) {
                        result.emplace_back(static_cast<int>(c), s);
                        break;
                    }
                }
            }
        }
        return result;
    }

    StageSource with_inlined(const StageSource &source, const Node &node) const {
        Inliner inliner(node.name, node.args, stages_[index(node.id)][0].values);
        return changed(source, [&](const Expr &e) { return inliner.mutate(e); });
    }

    static StageSource simplified(const StageSource &source) {
        return changed(source, [](const Expr &e) { return simplify(e); });
    }

    static StageSource changed(StageSource source, const std::function<Expr(const Expr &)> &change) {
        for (std::vector<Expr> *exprs : {&source.args, &source.values}) {
            for (Expr &e : *exprs) {
                e = change(e);
            }
        }
        source.predicate = source.predicate.defined() ? change(source.predicate) : Expr();
        return source;
    }

    static LoopBounds bounds(const Node &node, size_t s, const Region &ranges) {
        LoopBounds bounds;
        for (size_t l = 0; l < ranges.size(); l++) {
            bounds.add(node.stages[s].loops[l].name, ranges[l]);
        }
        return bounds;
    }

    /// The same at every size.
    Boxes boxes(const Node &node, size_t s, const StageSource &source) const {
        const LoopBounds loops = bounds(node, s, Region(node.stages[s].loops.size()));
        std::vector<Expr> all = source.values;
        if (node.stages.size() > 1) {
            all.insert(all.end(), source.args.begin(), source.args.end());
        }
        Boxes result;
        for (const Expr &value : all) {
            const Expr e = common_subexpression_elimination(in_branches(value, source.predicate));
            for (const auto &[name, box] : boxes_required(e, loops.scope, from_.values)) {
                if (const auto id = from_.ids.find(name); id != from_.ids.end()) {
                    result.emplace_back(id->second, box);
                }
            }
        }
        return result;
    }

    void add(const Boxes &boxes, const LoopBounds &loops, Required &required) const {
        for (const auto &[id, box] : boxes) {
            if (box.maybe_unused() && is_const_zero(simplify(loops.in_numbers(box.used)))) {
                continue;
            }
            std::vector<std::optional<Interval>> &into = required[id];
            const bool first = into.empty();
            into.resize(box.size());
            for (size_t d = 0; d < box.size(); d++) {
                const std::optional<Interval> known = loops.numbers(box[d], from_.estimates);
                into[d] = first              ? known
                          : known && into[d] ? std::optional<Interval>(hull(*into[d], *known))
                                             : std::nullopt;
            }
        }
    }
};

}  // namespace

void set_overreads(FunctionDag &dag, const RegionSources &sources) { Overreads(dag, sources).run(); }

}  // namespace warptile
