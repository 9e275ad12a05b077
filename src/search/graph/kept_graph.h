#pragma once

// The DAG of what has to be computed somewhere, once the inlined Funcs are gone: the nodes that groups are made of.

#include <memory>
#include <optional>
#include <vector>

#include "dag/function_dag.h"
#include "dag/least_regions.h"

namespace warptile {

/// How a Func that starts a group comes to global memory.
enum class RootForm {
    Pure,     ///< one kernel
    Stages,   ///< a kernel each stage: an output with updates, a scatter, a scan, several long sums; no members
    Wrapped,  ///< `f.in()` is the kernel and f with its updates is computed inside
    Host,     ///< by the host
};

struct KeptGraph {
    const FunctionDag *dag = nullptr;
    std::vector<bool> inlined;  ///< by node id
    std::vector<int> nodes;     ///< Funcs and extern stages that a group computes; ascending: producers first
    std::vector<std::vector<int>> readers;  ///< by node id: kept nodes that read it; ascending
    std::vector<bool> must_root;            ///< by node id
    std::vector<RootForm> form;             ///< by node id
    std::shared_ptr<LeastRegions> least;    ///< of `dag`; remembers what it was asked
    bool kept(int node) const;
};

KeptGraph make_kept_graph(const FunctionDag &dag, const std::vector<bool> &inlined);

/// Whether all updates run over all dimensions of the Func and touch only the point itself.
bool updates_in_place(const Node &node);

/// Whether a tile of the Func can be computed, updates and all, wherever the tile is needed: along each dimension they
/// touch the point itself, or constant places where so few are needed that a thread keeps them all (`constant`, a
/// node's entry of `constant_regions`), as the updates that solve a small system for each pixel do.
bool updates_in_tiles(const Node &node, const std::vector<std::optional<Interval>> &constant);

/// Whether a block can compute what it needs of a histogram: along each dimension the updates touch the point itself,
/// or whatever data say, and then the block has all of it in shared memory. Some dimension is of the first kind.
bool updates_in_blocks(const Node &node);

}  // namespace warptile
