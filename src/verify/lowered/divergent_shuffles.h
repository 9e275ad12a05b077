// Shuffles that only some lanes of a warp reach.
//
// Halide's shuffles name all 32 lanes, so all of them have to come by. Its lowering moves shuffles out from under tests
// of the lane, but not where the value that is shuffled is written under the same test; and when the simplifier joins
// the tests of two members in a row, that is so. The lanes that fail the test wait elsewhere, and the result is
// undefined: wrong on some cards, right on others.
#pragma once

#include <vector>

#include <Halide.h>

namespace warptile {

// For each kernel of the lowered code, in the order in which it is launched: whether a shuffle stands under a test, or
// in a loop, that lanes of one warp may decide differently.
std::vector<bool> divergent_shuffles(const Halide::Internal::Stmt &lowered);

}  // namespace warptile
