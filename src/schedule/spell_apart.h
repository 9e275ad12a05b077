// Halide lifts what occurs twice in the value of an update out of it (each of its splits does), but not out of the
// places at which the update stores. Where both are made of the same data, as the places and the weights of a
// resampling's derivative, or of a bin and what is counted in it, the place at which the value reads is then another
// expression than the one at which the update stores: an atomic addition no longer sees that it adds to what it reads.
// So each use of a variable is spelled in its own way, `x + (n - n)`, until Halide simplifies, which is after the last
// split; then both places are the same again.
#pragma once

#include <Halide.h>

namespace warptile {

/// Spells the uses of variables in the places and values of stage `stage` of `f` (and of its specialisations) apart.
/// The values stay what they are. To be called when the stage has its schedule: that its steps may change places Halide
/// only proves of what the user wrote. Of an expression with very many uses the last ones stay as they are.
void spell_apart(const Halide::Func &f, int stage);

/// The same as a lambda in C++, for a printed schedule.
extern const char *const kSpellApart;

}  // namespace warptile
