#include "dag/overreads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "dag/halide_exprs.h"
#include "dag/required_boxes.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Loads of a reader times loads of what is inlined into it: where there are more, the readers' points are taken for a
/// box.
constexpr int64_t kMostLoads = 4000;

size_t index(int i) { return static_cast<size_t>(i); }

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
        sizes_ = sizes_to_try(dag_, from_);
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

    bool may_be_inlined(const Node &node) const {
        // What only the host can compute has no place in a kernel.
        const auto reads_it_whole = [&](int c) {
            return dag_.node(c).kind == NodeKind::Extern || (node.on_host() && !dag_.node(c).on_host());
        };
        return node.kind == NodeKind::Func && node.stages.size() == 1 && !node.is_output && node.scheduled_by.empty() &&
               !node.loses_cast && !node.consumers.empty() &&
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
            asking.push_back(
                {reader, s,
                 required_boxes(from_, n, s, changed(source, [](const Expr &e) { return BothSides().mutate(e); })),
                 required_boxes(from_, n, s, simplified(source)),
                 required_boxes(from_, n, s, simplified(with_inlined(source, node)))});
        }
        const Boxes of_box = required_boxes(from_, node, 0, simplified(stages_[index(node.id)][0]));
        for (const LoopRanges &size : sizes_) {
            Required box, stored, inlined;
            for (const Reader &r : asking) {
                const Region &ranges = size[index(r.node)][r.stage];
                if (std::any_of(ranges.begin(), ranges.end(), [](const Interval &i) { return i.empty(); })) {
                    continue;  // nobody needs a point of it
                }
                const LoopBounds loops = loop_bounds(dag_.node(r.node).stages[r.stage], ranges);
                add_required(from_, r.box, loops, box);
                add_required(from_, r.stored, loops, stored);
                add_required(from_, r.inlined, loops, inlined);
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
            add_required(from_, of_box, whole, stored);
            if (reaches_further(dag_, node, stored, inlined)) {
                return true;
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
};

}  // namespace

void set_overreads(FunctionDag &dag, const RegionSources &sources) { Overreads(dag, sources).run(); }

}  // namespace warptile
