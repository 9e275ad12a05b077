// What one load or store of a warp asks of L1 or of shared memory, from where its lanes are: they walk one, two or
// three loops of the stage (a row of 8 columns in each of 4 rows), and a load goes with each of them in its own way.
// Which lanes share a piece of memory, and which come to one bank for different words, is counted lane by lane, since
// no formula in the distance of two neighbours says it: rows of 8 floats are at once where they begin in different
// quarters of the banks, and take 4 turns where they begin in the same.
#pragma once

#include <vector>

#include "model/expansion.h"

namespace warptile {

constexpr double kSector = 32;  ///< bytes

/// Lanes of a warp that walk one loop of a stage.
struct LaneWalk {
    int loop = -1;    ///< -1: none, they have the same points
    double step = 1;  ///< by so many points
    int count = 1;
};

/// Where the elements of a Func or a buffer lie.
struct Layout {
    double element_bytes = 4;
    std::vector<double> strides;  ///< by dimension, in elements
};

/// Rows of `extents`, one behind the other.
Layout dense_layout(const std::vector<int64_t> &extents, double element_bytes);

struct WarpAccess {
    double pieces = 1;  ///< of memory, of `piece` bytes, that the lanes' elements lie in
    double lines = 1;   ///< of 128 bytes
    double turns = 1;   ///< until no bank has to give another word: it gives one of 4 bytes at a time
};

/// `lanes`: innermost first. The tile begins at a whole line.
WarpAccess access_of(const ExpandedLoad &load, const std::vector<LaneWalk> &lanes, const Layout &layout,
                     double piece = kSector);

}  // namespace warptile
