// How Halide 21 lays out what a kernel keeps in shared memory, as far as plans have to know.
//
// All of it becomes one allocation, whose size is the sum of bytes in whole elements of the widest type; but each part
// begins at a whole multiple of the widest element. Where more than one part is no such multiple, the last sticks out:
// a kernel then writes beyond its shared memory, or, where the index is a constant, Halide takes the store for
// unreachable and leaves out the code around it. So parts are padded.
//
// Shared memory has 32 banks of a word each. What lanes read rows apart comes from one bank after the other only where
// a row is an odd number of words long: a tile that is read across has longer rows than it needs.
#pragma once

#include <vector>

#include "schedule/plan.h"

namespace warptile {

/// Per member of a group, bytes of each element of its tuple. Only those of Placement::Block count.
using ElementBytes = std::vector<std::vector<int>>;

/// Rounds the innermost storage of members in shared memory up, so that each is a whole multiple of the widest element
/// of them all. Members without storage, and points, stay as they are.
void pad_shared_storage(const ElementBytes &elements, std::vector<Member> &members);

/// Points of the shortest row of at least `points` that is an odd number of words long, or, of elements wider than a
/// word, of elements. `elements` are the bytes of each element of a tuple, of which the widest counts.
int64_t padded_row(int64_t points, const std::vector<int> &elements);

/// What rows of any length, `points` at the estimates, are to be rounded up to a multiple of: an odd number of 16
/// bytes, so that four rows next to each other begin in different quarters of the banks' lower half, and eight in all.
int spread_row(int64_t points, const std::vector<int> &elements);

/// Members of which a part may stick out: those whose bytes are no multiple of the widest element, or not known.
std::vector<size_t> unpadded_members(const ElementBytes &elements, const std::vector<Member> &members);

}  // namespace warptile
