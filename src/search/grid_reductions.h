#pragma once

// Reductions of a large domain to few points. One kernel fills the card: its threads each reduce a part (`rfactor`),
// and one more, or two, reduce the parts. Each partial result is stored by a copy of its Func (`in()`), so that its
// initialisation is no kernel of its own (DESIGN, Reductions).

#include <optional>

#include "model/cost_model.h"
#include "search/emit.h"
#include "search/reductions.h"

namespace warptile {

/// The candidate for the group of `node` alone; none where its reduction cannot be split, or its points fill the card.
std::optional<Candidate> reduce_over_grid(const RefMap &refs, const Machine &machine, int node, bool reassociate);

/// Its predicted microseconds; infinite where there is none.
double cost_over_grid(const KeptGraph &graph, const Machine &machine, int node, bool reassociate);

}  // namespace warptile
