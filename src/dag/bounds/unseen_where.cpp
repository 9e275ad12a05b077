#include "dag/bounds/unseen_where.h"

#include <algorithm>
#include <set>

#include "dag/bounds/inlined_stages.h"
#include "dag/bounds/required_boxes.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

using Reader = InlinedStages::Reader;

class UnseenWhere {
public:
    UnseenWhere(FunctionDag &dag, const RegionSources &sources)
        : dag_(dag), from_(sources), inlined_(dag, sources.stages, sources.ids), sizes_(sizes_to_try(dag, sources)) {}

    void run() {
        for (Node &node : dag_.nodes) {
            // Of what is computed without a schedule too, as much is asked for there.
            if (node.kind == NodeKind::Func && node.reads_raw_input && !node.is_output && node.scheduled_by.empty() &&
                !may_be_inlined(dag_, node)) {
                const std::set<int> readers = who_asks_for_more(node);
                node.unseen_where = {readers.begin(), readers.end()};
            }
        }
    }

private:
    FunctionDag &dag_;
    const RegionSources &from_;
    const InlinedStages inlined_;
    const std::vector<LoopRanges> sizes_;

    /// Stages that read the node in the end, or those that do so directly where the others are large.
    std::vector<Reader> readers(const Node &node) const {
        if (const auto all_inlined = inlined_.readers_of(node)) {
            return *all_inlined;
        }
        std::vector<Reader> direct;
        for (const int e : dag_.edges_out_of[index(node.id)]) {
            const Edge &edge = dag_.edges[index(e)];
            if (dag_.node(edge.consumer).kind == NodeKind::Func) {
                const size_t s = index(edge.stage);
                direct.push_back({edge.consumer, s, from_.stages[index(edge.consumer)][s]});
            }
        }
        return direct;
    }

    bool where_bounds(const Reader &r) const { return dag_.node(r.node).stages[r.stage].where_bounds; }

    std::set<int> who_asks_for_more(const Node &node) const {
        const std::vector<Reader> by = readers(node);
        if (std::none_of(by.begin(), by.end(), [&](const Reader &r) { return where_bounds(r); })) {
            return {};
        }
        std::vector<Boxes> inferred, read;
        for (const Reader &r : by) {
            inferred.push_back(of(node, required_boxes(from_, dag_.node(r.node), r.stage, r.source)));
            read.push_back(of(node, boxes_within_where(from_, dag_.node(r.node), r.stage, r.source)));
        }
        std::set<int> result;
        for (const LoopRanges &size : sizes_) {
            Required needed;
            for (size_t i = 0; i < by.size(); i++) {
                require(by[i], size, read[i], needed);
            }
            for (size_t i = 0; i < by.size(); i++) {
                Required asked;
                require(by[i], size, inferred[i], asked);
                if (where_bounds(by[i]) && reaches_further(dag_, dag_.node(by[i].node), asked, needed)) {
                    result.insert(by[i].node);
                }
            }
        }
        return result;
    }

    static Boxes of(const Node &node, Boxes boxes) {
        boxes.erase(std::remove_if(boxes.begin(), boxes.end(), [&](const auto &box) { return box.first != node.id; }),
                    boxes.end());
        return boxes;
    }

    void require(const Reader &r, const LoopRanges &size, const Boxes &boxes, Required &required) const {
        const Region &ranges = size[index(r.node)][r.stage];
        if (std::none_of(ranges.begin(), ranges.end(), [](const Interval &i) { return i.empty(); })) {
            add_required(from_, boxes, loop_bounds(dag_.node(r.node).stages[r.stage], ranges), required);
        }
    }
};

}  // namespace

void set_unseen_where(FunctionDag &dag, const RegionSources &sources) {
    const bool any = std::any_of(dag.nodes.begin(), dag.nodes.end(), [](const Node &node) {
        return std::any_of(node.stages.begin(), node.stages.end(), [](const Stage &s) { return s.where_bounds; });
    });
    if (any) {
        UnseenWhere(dag, sources).run();
    }
}

}  // namespace warptile
