// Which loops of an update may run side by side. Two steps of a loop are *apart* where no place that one of them writes
// is read or written by the other, whatever the other loops do: such a loop may be dealt to threads and blocks, be it a
// pure variable or a reduction's. Where steps meet at a place and the update's operator is associative and commutative,
// they may still be taken in any order: as a *sum* at one place, which can be split into partial results, or as a
// *scatter*, where each step has a place of its own to add to. All other loops stay *in order*.
#pragma once

#include <string>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// What an update writes and reads of its own Func.
struct OwnAccesses {
    std::vector<Access> writes;              ///< more than one where an index is one of several
    std::vector<Access> reads;               ///< not merged: the offsets of each are exact
    std::vector<std::string> apart_by_name;  ///< reduction variables that Halide itself can tell are apart
    std::vector<bool> placed;                ///< per loop: the place that is written depends on it
};

/// Sets `dependence` and `promised` of the update's loops. The update's operator is known by now.
void set_dependences(const OwnAccesses &own, Stage &update);

/// Takes the order of updates that round for given: they are no longer known to be associative.
void keep_given_order(FunctionDag &dag);

/// Whether any loop of the update is so.
bool any_loop(const Stage &update, Dependence dependence);

}  // namespace warptile
