// The files that parameters name to be written. Whether they can be is found out before the search, which takes long
// where the mistake is in a path.
#pragma once

#include <string>

namespace warptile {

/// Throws Error, which names the parameter, where no file could be written at `path`. Creates nothing, and leaves a
/// file that is there as it is.
void check_writable(const std::string &parameter, const std::string &path);

/// Throws Error where that fails, and then leaves no part of the text in a file that was not there before.
void write_file(const std::string &parameter, const std::string &path, const std::string &text);

}  // namespace warptile
