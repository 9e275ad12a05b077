// Who touched a byte last, and whether that is ordered before who touches it now: the search for data races.
//
// What orders two accesses of one block is a barrier between them, or, within a warp, a shuffle, vote or barrier of the
// warp that all its threads took part in. Nothing else does: from Volta on, the lanes of a warp promise no lockstep.
// Nothing orders two blocks of a launch. Atomics do not race with each other, and neither do the plain loads of
// Halide's loops of compare-and-swap, which load what they have just loaded atomically once more: should that value be
// another one, the swap fails and the loop goes round. Writing the bits that are there already races with nobody
// either: tiles that are shifted inwards compute some elements twice.
//
// Time is a number that grows with every barrier and every meeting of a warp; an access is before the last barrier of
// its block when its time is less than the barrier's.
#pragma once

#include <cstdint>

namespace warptile::emulator {

/// The last access of a kind to a byte. Blocks are numbered from 1 over all launches.
struct Stamp {
    uint32_t block = 0, time = 0;
    uint32_t line : 31, atomic : 1;
    uint16_t thread = 0;
    uint16_t other = 0;  ///< reads: a `Readers`; writes: 1 + another thread of the block that wrote the same

    Stamp() : line(0), atomic(0) {}
};

struct Cell {
    Stamp write, read;
};

enum Readers : uint16_t { OneThread, OneWarp, OneBlock, ManyBlocks };

/// Who accesses, and since when what others of its block and of its warp did is ordered before it.
struct Accessor {
    uint32_t block = 0, first_block = 0;  ///< blocks before the first are of launches that have ended
    uint32_t now = 0, block_since = 0, warp_since = 0;
    uint16_t thread = 0;
    uint32_t line = 0;
    bool atomic = false;
};

/// The access that this one races with; nullptr where there is none. Both note the access.
const Stamp *read_races_with(Cell &cell, const Accessor &by);
const Stamp *write_races_with(Cell &cell, const Accessor &by, bool changes);

}  // namespace warptile::emulator
