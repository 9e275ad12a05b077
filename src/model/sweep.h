#pragma once

// A kernel known by what it does in all, not by its tile: each kernel of a reduction over the whole grid, which reads
// what the one before has left in memory. Its blocks have no tiles of intermediate stages, so that totals say it all.

#include "dag/function_dag.h"
#include "model/expansion.h"

namespace warptile {

/// Threads of an SM that keep the memory busy.
constexpr int kResidentThreads = 1024;

struct Sweep {
    double threads = 1;  ///< of all blocks
    double threads_a_block = 1;
    double threads_an_sm = kResidentThreads;  ///< that run at a time
    double moved = 0;                         ///< bytes that all threads load and store
    double compulsory = 0;                    ///< of these, each once
    double held = 0;                          ///< bytes of what they lie in: found in the L2 cache where it fits there
    double at_once = 0;                       ///< bytes that a thread has under way together; 0: no fewer than can be
    double waits = 0;                         ///< times that a thread waits for what it loads, one after the other …
    double waits_in_l2 = 0;                   ///< … and for what is in the L2 cache however much there is
    double instructions = 0;                  ///< of all warps
    double additions = 0;                     ///< atomic ones …
    double cells = 0;                         ///< … to places of so many bytes; 0: of each SM's own shared memory
    double tree_bytes = 0;  ///< of a block's shared memory, in which its threads find one result; 0: they do not
};

/// Stage `stage` of `node`, an update with its expansion, reduced to `parts` results for each point of the Func by
/// `threads` in all, each of which takes `together` steps at a time. Where threads share a result there is a tree.
Sweep reducing_sweep(const FunctionDag &dag, const Node &node, int stage, const Expansion &update, double parts,
                     double threads, double threads_a_block, int together);

/// Reduces `parts` results for each point of `node` to `results`, by `threads` each, `together` of them at a time.
Sweep adding_sweep(const Node &node, double parts, double results, double threads, int together);

/// Gives `parts` results for each point of `node` their first values.
Sweep first_values_sweep(const Node &node, double parts);

}  // namespace warptile
