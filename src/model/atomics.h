#pragma once

// What atomic additions cost beyond their instructions: those to one line of the L2 cache wait for each other, so that
// a histogram of few cells is bound by its lines, however many threads there are; in shared memory each SM has its own.

#include "dag/function_dag.h"
#include "machine/machine.h"

namespace warptile {

constexpr double kL2LineBytes = 128;

/// Whether an update adds at places that its reduction leads to, as a histogram does, so that it may run in parallel
/// over all of its loops by atomic additions.
bool runs_atomically(const Stage &update);

/// Microseconds for `additions` to places spread evenly over `bytes`. Lines are served side by side, by about as many
/// parts of the L2 cache as there are SMs.
double atomics_us(const Machine &machine, double additions, double bytes);

/// The same for additions to shared memory, of which every SM has its own.
double shared_atomics_us(const Machine &machine, double additions);

}  // namespace warptile
