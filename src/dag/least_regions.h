// What is surely computed of a Func: the regions that a pipeline needs at least, whatever its size. Where a plan shifts
// the last tile of an intermediate Func inwards, the Func must be known to be as large as the tile.
//
// One walk from an output down to the inputs answers for all Funcs, and the same few extents are asked about again and
// again: every answer is remembered.
#pragma once

#include <map>
#include <tuple>

#include "dag/function_dag.h"

namespace warptile {

class LeastRegions {
public:
    explicit LeastRegions(const FunctionDag &dag);

    const FunctionDag &dag() const { return dag_; }

    /// The extent of `dim` of `node` when `output` covers [start, start + extent) along `along` and one point
    /// elsewhere.
    int64_t extent(int node, size_t dim, int output, size_t along, int64_t start, int64_t extent);

    /// The least of these over the places that the output can have relative to the coarsest grid in between.
    int64_t least_extent(int node, size_t dim, int output, size_t along, int64_t extent);

private:
    /// Of all dimensions of all nodes, one after the other.
    using Extents = std::vector<int64_t>;

    const FunctionDag &dag_;
    std::vector<size_t> first_dim_;                                          ///< by node: where its dimensions begin
    std::map<std::tuple<int, size_t, int64_t, int64_t>, Extents> at_start_;  ///< by output, `along`, start, extent
    std::map<std::tuple<int, size_t, int64_t>, Extents> anywhere_;           ///< by output, `along`, extent

    const Extents &extents(int output, size_t along, int64_t start, int64_t extent);
};

}  // namespace warptile
