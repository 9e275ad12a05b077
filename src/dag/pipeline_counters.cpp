// Counting a pipeline. A stage is counted at its loops' estimates, with each Func at root: the least regions that
// Halide would compute. The points that an RDom's `where` leaves out are counted, since only the data know them.
#include "dag/pipeline_counters.h"

#include "dag/count_ops.h"
#include "dag/halide_order.h"
#include "dag/halide_stages.h"

namespace warptile {
namespace {

int64_t points_of(const Region &region) {
    int64_t points = 1;
    for (const Interval &interval : region) {
        points *= std::max<int64_t>(0, interval.extent());
    }
    return points;
}

double points_of(const std::vector<Loop> &loops) {
    double points = 1;
    for (const Loop &loop : loops) {
        points *= static_cast<double>(std::max<int64_t>(0, loop.estimate.extent()));
    }
    return points;
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
    PipelineCounters counters;
    for (const Node &node : dag.nodes) {
        const BufferBytes buffer{node.name, points_of(node.estimate) * node.bytes()};
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
            const double points = points_of(node.stages[s].loops);
            counters.float_ops += points * ops.float_ops;
            counters.int_ops += points * ops.int_ops;
            counters.special_ops += points * ops.special_ops;
        }
    }
    return counters;
}

}  // namespace warptile
