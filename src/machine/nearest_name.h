// What a user may have meant by a name that does not exist: the known name with the fewest edits between.
#pragma once

#include <string>
#include <vector>

namespace warptile {

/// " (did you mean 'NAME'?)" with the nearest of the known names, the first of them where several are as near; empty
/// where none is near enough to be a slip of the finger.
std::string did_you_mean(const std::string &wrong, const std::vector<std::string> &known);

/// The names between commas: "a, b, c".
std::string comma_list(const std::vector<std::string> &names);

}  // namespace warptile
