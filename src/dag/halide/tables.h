// Which Funcs are tables of constants. The weights of a filter are often a Func of the tap's number, which its readers
// call with numbers: inlined, such a call is a constant of the code, whatever the formula behind it, and a copy of the
// table in memory would only have to be made and loaded.
#pragma once

#include <set>
#include <string>

#include "dag/halide/order.h"

namespace warptile {

/// By name, the Funcs every value of which that another Func reads folds to a constant of the code, or goes into such a
/// constant only. Never an output, nor a Func that an extern stage reads.
std::set<std::string> tables_of_constants(const PipelineOrder &order);

}  // namespace warptile
