// From an RDom's `where` to inequalities between what its variables make up: of `r.x > r.z && in(r.x) > 0` the first. A
// step that it leaves out touches nothing, so that what holds at all others bounds which of them meet.
#pragma once

#include <vector>

#include "dag/dependences.h"
#include "dag/halide/access.h"

namespace warptile {

/// `where` may be undefined. What is no comparison is left out.
std::vector<Inequality> inequalities(const Halide::Expr &where, AccessReader &reader);

}  // namespace warptile
