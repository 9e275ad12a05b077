// Counting a pipeline. A stage is counted at its loops' estimates, with each Func at root: the least regions that
// Halide would compute. Where a gather makes such a region larger than the number of values that are read from it, as
// an interpolated lookup in a table does, the reads count. The points that an RDom's `where` leaves out are counted,
// since only the data know them.
#include "dag/pipeline_counters.h"

#include "dag/halide/count_ops.h"
#include "dag/halide/order.h"
#include "dag/halide/stages.h"
#include "dag/saturating.h"

#include <algorithm>

namespace warptile {
namespace {

double points_of(const std::vector<Loop> &loops) {
    double points = 1;
    for (const Loop &loop : loops) {
        points *= static_cast<double>(std::max<int64_t>(0, loop.estimate.extent()));
    }
    return points;
}

/// By node id: how much of its region each Func has to be computed on, as a share: no more than the values that its
/// readers read. Funcs with updates and what extern stages read count in full.
std::vector<double> needed_shares(const FunctionDag &dag) {
    std::vector<double> shares(dag.nodes.size(), 1);
    for (size_t id = dag.nodes.size(); id-- > 0;) {
        const Node &node = dag.nodes[id];
        const auto reads_all = [&](int edge) {
            return dag.node(dag.edges[static_cast<size_t>(edge)].consumer).kind == NodeKind::Extern;
        };
        const std::vector<int> &readers = dag.edges_out_of[id];
        if (node.is_output || node.stages.size() != 1 || std::any_of(readers.begin(), readers.end(), reads_all)) {
            continue;
        }
        double reads = 0;
        for (const int e : readers) {
            const Edge &edge = dag.edges[static_cast<size_t>(e)];
            const Stage &reader = dag.node(edge.consumer).stages[static_cast<size_t>(edge.stage)];
            reads += shares[static_cast<size_t>(edge.consumer)] * points_of(reader.loops) * edge.loads;
        }
        shares[id] = std::min(1.0, reads / std::max(1.0, points_of(node.stages[0].loops)));
    }
    return shares;
}

}  // namespace

int64_t PipelineCounters::compulsory_bytes() const {
    int64_t bytes = 0;
    for (const std::vector<BufferBytes> *buffers : {&inputs, &outputs}) {
        for (const BufferBytes &buffer : *buffers) {
            bytes += buffer.bytes;
        }
    }
    return bytes;
}

PipelineCounters count_pipeline(const std::vector<Halide::Func> &outputs, const FunctionDag &dag) {
    const PipelineOrder order = pipeline_order(outputs);
    const std::vector<double> shares = needed_shares(dag);
    PipelineCounters counters;
    for (const Node &node : dag.nodes) {
        const BufferBytes buffer{node.name, saturating_multiply(volume(node.estimate), node.bytes())};
        if (node.kind == NodeKind::Input) {
            counters.inputs.push_back(buffer);
        } else if (node.is_output) {
            counters.outputs.push_back(buffer);
        }
        const auto function = order.env.find(node.name);
        if (node.kind != NodeKind::Func || function == order.env.end()) {
            continue;
        }
        const std::vector<StageSource> sources = stages_of(function->second);
        for (size_t s = 0; s < sources.size(); s++) {
            const OpCounts ops = count_value_ops(sources[s]);
            const double points = shares[static_cast<size_t>(node.id)] * points_of(node.stages[s].loops);
            counters.float_ops += points * ops.float_ops;
            counters.int_ops += points * ops.int_ops;
            counters.special_ops += points * ops.special_ops;
        }
    }
    return counters;
}

}  // namespace warptile
