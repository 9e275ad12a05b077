// Names that the lowered code uses but does not define. Halide's lowering can lift an expression out of the `let` that
// it needs; the mistake shows only when machine code for the host is made, which a trial leaves out.
#pragma once

#include "verify/trial.h"

#include <string>
#include <vector>

#include <Halide.h>

namespace warptile {

// Each once, in the order of their first use. The pipeline's `arguments` are no such names: what is handed to a C
// function reads an image by its name alone.
std::vector<LostName> undefined_names(const Halide::Internal::Stmt &lowered,
                                      const std::vector<Halide::Argument> &arguments);

}  // namespace warptile
