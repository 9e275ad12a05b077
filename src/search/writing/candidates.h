#pragma once

// All candidates of one group, as they are tried one after the other: its fused kernels and what is cut into several,
// by cost, and behind them what is taken only where none of these holds.

#include <vector>

#include "machine/machine.h"
#include "search/graph/group_spec.h"
#include "search/options.h"
#include "search/writing/emit.h"

namespace warptile {

/// Of a group on the device. Never empty: the last is the plain one, or two of them where additions may be atomic or
/// not.
std::vector<Candidate> candidates_of(const RefMap &refs, const Machine &machine, const CostModel &model,
                                     const SearchOptions &options, const GroupSpec &spec);

}  // namespace warptile
