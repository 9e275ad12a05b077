// The weights files of the project, compiled into the plugin so that it is one self-contained file. The definition is
// generated from weights/*.json when the project is built.
#pragma once

#include <string>
#include <vector>

namespace warptile {

struct BuiltinWeights {
    std::string name;  // the card, as `gpu=` takes it: the file's name without ".json"
    std::string json;  // the file's text
};

/// All shipped cards, sorted by name.
const std::vector<BuiltinWeights> &builtin_weights();

}  // namespace warptile
