#include "search/placing/split_parts.h"

namespace warptile {

std::vector<Part> split_parts(int node, int dims, const SplitReduction &split, Placement placement, int factor) {
    Part total;
    total.node = node;
    total.role = Role::Total;
    total.placement = Placement::Thread;
    total.factor = factor;
    Part partial = total;
    partial.role = Role::Partial;
    partial.placement = placement;
    partial.split_loop = split.loop;
    partial.split_rvar = split.rvar;
    partial.usual_extent = split.usual_extent;
    AxisTile axis;
    axis.dim = dims;
    axis.threads = placement == Placement::Block ? factor : 1;
    partial.axes = {axis};
    return {total, partial};
}

Kernel block_reduction(const FunctionDag &dag, int node, const SplitReduction &split, int threads) {
    Kernel kernel;
    kernel.wrapped = true;
    kernel.parts = split_parts(node, dag.node(node).dims(), split, Placement::Block, threads);
    return kernel;
}

}  // namespace warptile
