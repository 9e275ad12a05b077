// NVIDIA's PTX compiler as a library, as a function from text to text. The only file that knows its interface, and
// whether the build found it.
#pragma once

#include <string>
#include <vector>

namespace warptile {

// Whether the library is part of this build.
bool has_ptx_library();

// Compiles with the given options, as of `ptxas`. Returns the information log; throws std::runtime_error with the
// error log where the PTX or an option is refused, and where there is no library. The library may also end the process.
std::string compile_with_ptx_library(const std::string &ptx, const std::vector<std::string> &options);

}  // namespace warptile
