#pragma once

// The space of kernels that the search looks through, and what of it can be left out: to see what an idea is worth, by
// the time of the same pipelines without it (docs/results.md has such a table).

#include <cstdint>
#include <string>
#include <vector>

#include "model/kernel.h"

namespace warptile {

/// The most points of a member that a lane or a thread keeps.
constexpr int64_t kMostPointsALane = 32;

struct Space {
    bool block_tiles = true;   ///< members in the shared memory of a block
    bool warp_tiles = true;    ///< members in the lanes of a warp
    bool thread_tiles = true;  ///< members in the registers of a thread
    bool nested = true;        ///< these beside members of a block or a warp, in one kernel
    bool hybrid = true;        ///< members of a block beside members of a warp
    bool streams = true;       ///< tiles that walk along a dimension and keep what is read again
    bool staging = true;       ///< copies of what a kernel reads of its inputs
    bool moves = true;         ///< members tried one by one in other places
    bool beam = true;          ///< several ways to cut the DAG kept while it is cut

    bool allows(const GroupView &view, const Kernel &kernel) const;
};

/// One of the above, by the name that users give it.
struct SpacePart {
    std::string name;
    bool Space::*part;
};

std::vector<SpacePart> space_parts();

}  // namespace warptile
