// The one exception by which the project reports a user's mistake: a bad option, a malformed file, a pipeline without
// estimates. Its text names the thing that is wrong and how to mend it; the plugin hands it to Halide as a user error.
#pragma once

#include <stdexcept>

namespace warptile {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace warptile
