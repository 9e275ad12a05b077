// The two kernels that measure a card's ceilings, as PTX for any card since Maxwell.
#pragma once

#include <string>

namespace warptile::bench {

constexpr int kCeilingThreads = 256;  // a block, of both

constexpr int kCopyBytes = 16384;  // that a block of `warptile_copy` copies

/// warptile_copy(to, from): block b copies bytes 16384 b ... 16384 (b + 1), four times 16 bytes a thread, all four
/// loads in flight at once.
std::string copy_ptx();

constexpr int kMultiplyAdds = 16 * 4;  // of a thread in each of its rounds

/// warptile_multiply_add(out, rounds): in each round four multiply-adds on each of 16 independent sums, in 32-bit
/// float. The sums go to `out` only if they are a number that they never are, so that they have to be made.
std::string multiply_add_ptx();

}  // namespace warptile::bench
