// Casts that inlining loses. Halide takes a cast between integers of a cast between integers for the outer one alone,
// and does not look at what the inner one casts: of int8(uint8(f)), with a float f of 173, it makes int8(f), which no
// longer wraps to -83 but is undefined (a GPU gives 173 or 127). In one expression that is the pipeline's own doing;
// but where the inner cast is a Func's value, it is right as long as the Func is stored, and wrong once it is inlined.
#pragma once

#include <set>
#include <string>

#include "dag/halide/order.h"

namespace warptile {

/// By name, the Funcs whose value is an integer made of a float, and that another Func casts to another integer type of
/// no more bits.
std::set<std::string> casts_lost_inlined(const PipelineOrder &order);

}  // namespace warptile
