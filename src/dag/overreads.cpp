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
/// Sizes that are tried: the estimates, and so many less than these, since strides may hide a corner at some.
constexpr int64_t kSizes = 4;

size_t index(int i) { return static_cast<size_t>(i); }

/// By node and dimension: what is required; nothing where it has no bounds. Nodes that are not read are not there.
using Required = std::map<int, std::vector<std::optional<Interval>>>;

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
        for (int64_t less = 0; less < kSizes; less++) {
            Required box, stored, inlined;
            for (const auto &[reader, s] : by) {
                const StageSource &source = stages_[index(reader)][s];
                const LoopBounds loops = loops_of(dag_.node(reader), s, less);
                require(dag_.node(reader), changed(source, [](const Expr &e) { return BothSides().mutate(e); }), loops,
                        box);
                require(dag_.node(reader), simplified(source), loops, stored);
                require(dag_.node(reader), simplified(with_inlined(source, node)), loops, inlined);
            }
            const auto own = box.find(node.id);
            if (own == box.end() || !require_of_box(node, own->second, stored)) {
                return false;
            }
            if (reaches_further(node, stored, inlined)) {
                return true;
            }
        }
        return false;
    }

    bool require_of_box(const Node &node, const std::vector<std::optional<Interval>> &box, Required &into) const {
        LoopBounds loops;
        for (size_t d = 0; d < box.size(); d++) {
            if (!box[d] || box[d]->empty()) {
                return false;
            }
            loops.add(node.args[d], *box[d]);
        }
        require(node, simplified(stages_[index(node.id)][0]), loops, into);
        return true;
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

    LoopBounds loops_of(const Node &node, size_t s, int64_t less) const {
        LoopBounds bounds;
        for (const Loop &loop : node.stages[s].loops) {
            Interval range = loop.estimate;
            range.max = loop.reduction ? range.max : std::max(range.min, range.max - less);
            bounds.add(loop.name, range);
        }
        return bounds;
    }

    void require(const Node &node, const StageSource &source, const LoopBounds &loops, Required &into) const {
        std::vector<Expr> all = source.values;
        if (node.stages.size() > 1) {
            all.insert(all.end(), source.args.begin(), source.args.end());
        }
        for (const Expr &value : all) {
            const Expr e = common_subexpression_elimination(in_branches(value, source.predicate));
            for (const auto &box : boxes_required(e, loops.scope, from_.values)) {
                if (box.second.maybe_unused() && is_const_zero(simplify(loops.in_numbers(box.second.used)))) {
                    continue;
                }
                const auto id = from_.ids.find(box.first);
                if (id != from_.ids.end()) {
                    add(box.second, loops, into[id->second]);
                }
            }
        }
    }

    void add(const Box &box, const LoopBounds &loops, std::vector<std::optional<Interval>> &into) const {
        const bool first = into.empty();
        into.resize(box.size());
        for (size_t d = 0; d < box.size(); d++) {
            const std::optional<Interval> known = loops.numbers(box[d], from_.estimates);
            into[d] = first ? known : known && into[d] ? std::optional<Interval>(hull(*into[d], *known)) : std::nullopt;
        }
    }
};

}  // namespace

void set_overreads(FunctionDag &dag, const RegionSources &sources) { Overreads(dag, sources).run(); }

}  // namespace warptile
