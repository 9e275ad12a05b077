#include "dag/bounds/where_bounds.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "dag/bounds/required_boxes.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

/// The inputs that the node reads, through whatever other Funcs.
std::set<std::string> inputs_behind(const FunctionDag &dag, const Node &node) {
    std::set<std::string> inputs;
    std::set<int> seen = {node.id};
    std::vector<int> open = node.producers;
    while (!open.empty()) {
        const Node &producer = dag.node(open.back());
        open.pop_back();
        if (!seen.insert(producer.id).second) {
            continue;
        }
        if (producer.kind == NodeKind::Input) {
            inputs.insert(producer.name);
        }
        open.insert(open.end(), producer.producers.begin(), producer.producers.end());
    }
    return inputs;
}

/// An RDom over the one input that is read never leaves it, whatever else the `where` leaves out. Of two, the other may
/// be smaller.
bool is_over_what_it_reads(const FunctionDag &dag, const Node &node, const Definition &update) {
    class FindBuffer : public IRGraphVisitor {
    public:
        std::set<std::string> found;

    private:
        using IRGraphVisitor::visit;

        void visit(const Variable *op) override {
            if (op->param.defined() && op->param.is_buffer()) {
                found.insert(op->param.name());
            }
        }
    };

    const std::set<std::string> inputs = inputs_behind(dag, node);
    const std::vector<ReductionVariable> &rvars = update.schedule().rvars();
    return std::all_of(rvars.begin(), rvars.end(), [&](const ReductionVariable &r) {
        FindBuffer buffer;
        r.extent.accept(&buffer);
        return !buffer.found.empty() && inputs == buffer.found;
    });
}

/// Whether without its `where` the stage would have an input read further, at one of the sizes.
bool where_bounds(const FunctionDag &dag, const RegionSources &from, const std::vector<LoopRanges> &sizes,
                  const Node &node, size_t s) {
    const StageSource &source = from.stages[index(node.id)][s];
    StageSource everywhere = source;
    everywhere.predicate = Expr();
    const Boxes with = boxes_within_where(from, node, s, source),
                without = boxes_within_where(from, node, s, everywhere);
    return std::any_of(sizes.begin(), sizes.end(), [&](const LoopRanges &size) {
        const Region &ranges = size[index(node.id)][s];
        if (std::any_of(ranges.begin(), ranges.end(), [](const Interval &i) { return i.empty(); })) {
            return false;  // nobody needs a point of it
        }
        const LoopBounds loops = loop_bounds(node.stages[s], ranges);
        Required less, more;
        add_required(from, with, loops, less);
        add_required(from, without, loops, more);
        return reaches_further(dag, node, more, less);
    });
}

}  // namespace

bool set_where_bounds(FunctionDag &dag, const RegionSources &sources) {
    std::vector<LoopRanges> sizes;
    bool any = false;
    for (Node &node : dag.nodes) {
        for (size_t s = 1; s < node.stages.size(); s++) {
            Stage &stage = node.stages[s];
            if (!stage.has_predicate || stage.where_bounds ||
                is_over_what_it_reads(dag, node, sources.functions[index(node.id)].updates()[s - 1])) {
                continue;
            }
            if (sizes.empty()) {
                sizes = sizes_to_try(dag, sources);
            }
            stage.where_bounds = where_bounds(dag, sources, sizes, node, s);
            any |= stage.where_bounds;
        }
    }
    return any;
}

}  // namespace warptile
