// What is surely computed of a Func: the regions that a pipeline needs at least, whatever its size. Where a plan shifts
// the last tile of an intermediate Func inwards, the Func must be known to be as large as the tile.
#pragma once

#include "dag/function_dag.h"

namespace warptile {

class LeastRegions {
public:
    explicit LeastRegions(const FunctionDag &dag) : dag_(dag), regions_(dag.nodes.size()) {}

    /// The extent of `dim` of `node` when `output` covers [start, start + extent) along `along` and one point
    /// elsewhere.
    int64_t extent(int node, size_t dim, int output, size_t along, int64_t start, int64_t extent);

    /// The least of these over the places that the output can have relative to the coarsest grid in between.
    int64_t least_extent(int node, size_t dim, int output, size_t along, int64_t extent);

private:
    const FunctionDag &dag_;
    std::vector<Region> regions_;

    void visit(const Node &node);
    Region loops_of(const Node &node, const Stage &stage) const;
};

}  // namespace warptile
