#include "dag/extern_reads.h"

#include <algorithm>

namespace warptile {

namespace {

bool read_by_extern(const FunctionDag &dag, const Node &node, bool by_value) {
    const std::vector<int> &edges = dag.edges_out_of[static_cast<size_t>(node.id)];
    return std::any_of(edges.begin(), edges.end(), [&](int e) {
        const Edge &edge = dag.edges[static_cast<size_t>(e)];
        return dag.node(edge.consumer).kind == NodeKind::Extern && (edge.loads > 0) == by_value;
    });
}

}  // namespace

bool handed_whole(const FunctionDag &dag, const Node &node) { return read_by_extern(dag, node, false); }

bool handed_by_value(const FunctionDag &dag, const Node &node) {
    return read_by_extern(dag, node, true) && !handed_whole(dag, node);
}

}  // namespace warptile
