#include "machine/machine.h"

#include "machine/builtin_weights.h"
#include "machine/error.h"
#include "machine/nearest_name.h"

#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

namespace warptile {

namespace {

// The card that stands for each range of compute capabilities where the user names none: the first whose own is not
// below the target's. docs/parameters.md has the same table. A target of Halide 21 says 86 at most.
struct DefaultCard {
    int capability;
    const char *gpu;
};

constexpr std::array<DefaultCard, 7> default_cards = {{
    {61, "gtx1080ti"},
    {70, "v100"},
    {75, "rtx2080ti"},
    {80, "a100"},
    {86, "rtx3090"},
    {89, "rtx4090"},
    {90, "h100"},
}};

std::string dotted(int capability) { return std::to_string(capability / 10) + "." + std::to_string(capability % 10); }

std::string default_gpu(int capability) {
    for (const DefaultCard &card : default_cards) {
        if (capability <= card.capability) {
            return card.gpu;
        }
    }
    throw Error("No shipped card has compute capability " + dotted(capability) +
                ", which the target asks for. Give the machine's weights file with weights_path=FILE.");
}

/// A card's name without what people write differently: "RTX 4090", "rtx4090" and "rtx-4090" are one.
std::string folded(const std::string &gpu) {
    std::string letters;
    for (const unsigned char c : gpu) {
        if (c != ' ' && c != '-' && c != '_') {
            letters += static_cast<char>(std::tolower(c));
        }
    }
    return letters;
}

Machine shipped_machine(const std::string &gpu) {
    for (const BuiltinWeights &file : builtin_weights()) {
        if (folded(file.name) == folded(gpu)) {
            return parse_machine(file.json, "weights/" + file.name + ".json");
        }
    }
    throw Error("There is no card named '" + gpu + "'" + did_you_mean(folded(gpu), known_gpus()) +
                ". gpu= takes one of " + comma_list(known_gpus()) +
                "; for any other card give its weights file with weights_path=FILE.");
}

Machine machine_of_file(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    // This fails for a folder too, which opens but does not read, and for an empty file.
    if (!file || !(text << file.rdbuf())) {
        throw Error("The weights file '" + path + "' cannot be read, or is empty. weights_path= takes the path of a " +
                    "JSON file like those in weights/, which docs/weights.md describes.");
    }
    return parse_machine(text.str(), path);
}

}  // namespace

std::vector<std::string> known_gpus() {
    std::vector<std::string> names;
    for (const BuiltinWeights &file : builtin_weights()) {
        names.push_back(file.name);
    }
    return names;
}

Machine choose_machine(const std::string &gpu, const std::string &weights_path, int capability) {
    if (!gpu.empty() && !weights_path.empty()) {
        throw Error("Both gpu=" + gpu + " and weights_path=" + weights_path +
                    " are given. Give one of them: a weights file describes its own card.");
    }
    const Machine machine = !weights_path.empty() ? machine_of_file(weights_path)
                                                  : shipped_machine(gpu.empty() ? default_gpu(capability) : gpu);
    if (machine.gpu.capability < capability) {
        throw Error("The card " + machine.gpu.name + " has compute capability " + dotted(machine.gpu.capability) +
                    ", but the target asks for " + dotted(capability) +
                    ": its code would not run there. Name a newer card, or use a target with cuda_capability_" +
                    std::to_string(machine.gpu.capability) + " or lower.");
    }
    return machine;
}

}  // namespace warptile
