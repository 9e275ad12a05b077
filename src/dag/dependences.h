// Which loops of an update may run side by side. Two steps of a loop are *apart* where no place that one of them writes
// is read or written by the other, whatever the other loops do: such a loop may be dealt to threads and blocks, be it a
// pure variable or a reduction's. Where steps meet at a place and the update's operator is associative and commutative,
// they may still be taken in any order: as a *sum* at one place, which can be split into partial results, or as a
// *scatter*, where each step has a place of its own to add to. All other loops stay *in order*.
//
// What keeps a loop in order may be another one around it: a point of a grid at one time is made of others at the time
// before. Where the loops around it are taken in *turns*, one step after the other, it is apart within each.
#pragma once

#include <string>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// What an RDom's `where` says of its variables: an index that is at most, or less than, another one.
struct Inequality {
    AxisAccess at_most, other;
    bool less = false;
};

/// What an update writes and reads of its own Func.
struct OwnAccesses {
    std::vector<Access> writes;              ///< more than one where an index is one of several
    std::vector<Access> reads;               ///< not merged: the offsets of each are exact
    std::vector<std::string> apart_by_name;  ///< reduction variables that Halide itself can tell are apart
    std::vector<bool> placed;                ///< per loop: the place that is written depends on it
    std::vector<Inequality> where;           ///< all of them hold at every step that is taken
};

/// Sets `dependence`, `promised` and `apart_in_turn` of the update's loops, and its `turns`. The update's operator is
/// known by now.
void set_dependences(const OwnAccesses &own, Stage &update);

/// Takes the order of updates that round for given: they are no longer known to be associative.
void keep_given_order(FunctionDag &dag);

/// The same of updates that choose and read an input without a boundary condition through a Func. They compare what
/// they store, so that it occurs twice; and in parts a test says where the reduction ends, which Halide's bounds do not
/// see of what occurs twice: the Func, and with it the input, would be read further. `reads_raw_input` of the nodes is
/// known.
void keep_order_of_choices(FunctionDag &dag);

/// Whether any loop of the update is so.
bool any_loop(const Stage &update, Dependence dependence);

}  // namespace warptile
