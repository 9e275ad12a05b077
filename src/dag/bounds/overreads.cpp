#include "dag/bounds/overreads.h"

#include <algorithm>
#include <optional>

#include "dag/bounds/inlined_stages.h"
#include "dag/bounds/required_boxes.h"
#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Loads of a reader times loads of what is inlined into it: where there are more, the readers' points are taken for a
/// box.
constexpr int64_t kMostLoads = 4000;

size_t index(int i) { return static_cast<size_t>(i); }

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

    void run() {
        std::vector<int> asked;
        for (const Node &node : dag_.nodes) {
            if (may_be_inlined(dag_, node) && node.reads_raw_input) {
                asked.push_back(node.id);
            }
        }
        if (asked.empty()) {
            return;
        }
        sizes_ = sizes_to_try(dag_, from_);
        // Readers first: what is inlined into them is part of them for what it reads itself.
        for (auto id = asked.rbegin(); id != asked.rend(); ++id) {
            Node &node = dag_.nodes[index(*id)];
            if (asks_for_more_than_inlined(node)) {
                node.overreads = true;
                for (const auto &[reader, s] : readers(node)) {
                    StageSource &source = stages_[index(reader)][s];
                    source = with_inlined(source, node, stages_[index(node.id)][0]);
                }
            }
        }
        const InlinedStages inlined(dag_, from_.stages, from_.ids);
        for (const int id : asked) {
            Node &node = dag_.nodes[index(id)];
            node.overreads = node.overreads || asks_for_more_than_all_inlined(node, inlined);
        }
    }

private:
    FunctionDag &dag_;
    const RegionSources &from_;
    Stages stages_;                  // with what has to be inlined
    std::vector<LoopRanges> sizes_;  // that are tried

    /// A stage, with the node stored that is asked of, and with it inlined.
    struct Reader {
        int node;
        size_t stage;
        StageSource storing, inlining;
    };

    /// Larger than what Halide is given to simplify.
    static bool is_large(const StageSource &stage) {
        const std::vector<Expr> all = stage.expressions();
        return std::any_of(all.begin(), all.end(), [](const Expr &e) { return tree_size(e) > kLargestTree; });
    }

    /// With everything else stored that need not be inlined.
    bool asks_for_more_than_inlined(const Node &node) const {
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
        const StageSource &own = stages_[index(node.id)][0];
        std::vector<Reader> asking;
        for (const auto &[reader, s] : by) {
            const StageSource &source = stages_[index(reader)][s];
            asking.push_back({reader, s, source, with_inlined(source, node, own)});
        }
        return asks_for_more(node, own, asking);
    }

    /// With everything else inlined that may be: where several Funcs have to be inlined for Halide to see what is not
    /// read, each of them is one too many to be stored.
    bool asks_for_more_than_all_inlined(const Node &node, const InlinedStages &inlined) const {
        const auto readers = inlined.readers_of(node);
        const std::optional<StageSource> &own = inlined.stage(node.id, 0);
        if (!readers || !own) {
            return false;
        }
        std::vector<Reader> asking;
        for (const InlinedStages::Reader &r : *readers) {
            asking.push_back({r.node, r.stage, r.source, *inlined.stage(r.node, r.stage)});
        }
        return asks_for_more(node, *own, asking);
    }

    bool asks_for_more(const Node &node, const StageSource &own, const std::vector<Reader> &readers) const {
        struct Asking {
            const Reader &reader;
            Boxes box, stored, inlined;
        };

        std::vector<Asking> all;
        for (const Reader &r : readers) {
            const Node &n = dag_.node(r.node);
            const StageSource both_sides = changed(r.storing, [](const Expr &e) { return BothSides().mutate(e); });
            all.push_back({r, required_boxes(from_, n, r.stage, both_sides),
                           required_boxes(from_, n, r.stage, simplified(r.storing)),
                           required_boxes(from_, n, r.stage, simplified(r.inlining))});
        }
        const Boxes of_box = required_boxes(from_, node, 0, simplified(own));
        for (const LoopRanges &size : sizes_) {
            Required box, stored, inlined;
            for (const Asking &a : all) {
                const Region &ranges = size[index(a.reader.node)][a.reader.stage];
                if (std::any_of(ranges.begin(), ranges.end(), [](const Interval &i) { return i.empty(); })) {
                    continue;  // nobody needs a point of it
                }
                const LoopBounds loops = loop_bounds(dag_.node(a.reader.node).stages[a.reader.stage], ranges);
                add_required(from_, a.box, loops, box);
                add_required(from_, a.stored, loops, stored);
                add_required(from_, a.inlined, loops, inlined);
            }
            const auto whole = box.find(node.id);
            if (whole == box.end()) {
                continue;
            }
            LoopBounds loops;
            for (size_t d = 0; d < whole->second.size(); d++) {
                const std::optional<Interval> &range = whole->second[d];
                if (!range || range->empty()) {
                    return false;
                }
                loops.add(node.args[d], *range);
            }
            add_required(from_, of_box, loops, stored);
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

    static StageSource simplified(const StageSource &source) {
        return changed(source, [](const Expr &e) { return simplify(e); });
    }
};

}  // namespace

void set_overreads(FunctionDag &dag, const RegionSources &sources) { Overreads(dag, sources).run(); }

}  // namespace warptile
