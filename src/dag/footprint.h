#pragma once

// What a tile of one Func needs of all the others: the required regions, stage by stage and side by side, from a group's
// output back to its inputs. This is the arithmetic of Halide's bounds inference on plain integers, fast enough to be
// called for every candidate tile (10^5 a second through a dozen stages).

#include <cstdint>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// Computes footprints again and again for one group without allocating: keep one for each group.
class Footprint {
  public:
    /// `members` are the Funcs computed inside the tile (the output excluded), in any order; Funcs that are neither
    /// members nor the output nor reached through `inlined` are the group's inputs. `inlined[id]`: the Func is inlined
    /// into its consumers, so that its region is passed on and costs no storage.
    Footprint(const FunctionDag &dag, int output, const std::vector<int> &members, const std::vector<bool> &inlined);

    /// Regions for the tile `tile` of the output (one interval a dimension of the output). Regions are indexed by node
    /// id; a node that the group does not touch has an empty Region. With update stages, a Func's region is the hull of
    /// what its consumers need and of what its own updates read and write of it.
    const std::vector<Region> &regions(const Region &tile);

    /// The largest extents over every place that the tile can have (for storage bounds), indexed as above.
    const std::vector<std::vector<int64_t>> &max_extents(const std::vector<int64_t> &tile);

    /// Nodes of the group, the output first, then members and inlined Funcs, consumers before producers.
    const std::vector<int> &order() const { return order_; }
    /// Funcs and buffers outside the group that it reads, ascending.
    const std::vector<int> &inputs() const { return inputs_; }

  private:
    const FunctionDag &dag_;
    std::vector<int> order_;
    std::vector<int> inputs_;
    std::vector<Region> regions_;
    std::vector<std::vector<int64_t>> extents_;
};

}  // namespace warptile
