#pragma once

// How a group's last tiles are cut so that the plan is right at every size (docs/architecture.md): rounded up where
// nobody sees it, shifted inwards where the pipeline's outputs are known to be large enough, guarded otherwise.

#include <optional>
#include <vector>

#include "schedule/plan.h"
#include "search/graph/kept_graph.h"

namespace warptile {

struct TailChoice {
    Tail tail = Tail::Guard;
    std::vector<SizeCondition> conditions;
};

/// `block`: points of a block's tile per dimension of `output`.
TailChoice choose_tail(const KeptGraph &graph, int output, const std::vector<int64_t> &block);

/// Whether the group's tiles may be rounded up. Of a copy of a Func with updates too: these run inside the tile.
bool rounds_up(const KeptGraph &graph, int output, const std::vector<int64_t> &block);

/// Per dimension of `output`, whether its tiles are cut without a test where the pipeline's outputs are large: some
/// size of theirs ensures a tile, or none is needed.
std::vector<bool> ensured_dims(const KeptGraph &graph, int output);

/// Whether at the estimates every point of the kernel will be tested: what the cost models have to know. `ensured` is
/// as above.
bool guarded_at_estimates(const KeptGraph &graph, int output, const std::vector<int64_t> &block,
                          const std::vector<bool> &ensured);

/// A size of one of the pipeline's outputs from which on dimension `dim` of `node` is computed over at least `extent`
/// points, wherever the output starts; none where its accesses do not tell. Not always the smallest such size.
std::optional<SizeCondition> size_that_ensures(LeastRegions &least, int node, int dim, int64_t extent);

}  // namespace warptile
