// The machine that a schedule is made for: the card and the weights of the cost models on it, and how the user's
// options and the target choose it.
#pragma once

#include "machine/gpu_spec.h"
#include "machine/weights.h"

#include <string>
#include <vector>

namespace warptile {

struct Machine {
    GpuSpec gpu;
    Weights weights;
};

/// The names that `gpu=` takes: the cards whose weights files come with the project, sorted.
std::vector<std::string> known_gpus();

/// The machine that the options ask for: the shipped card `gpu` (in any case, with or without spaces, hyphens and
/// underscores), or the user's file `weights_path`, or, with both
/// empty, the card that stands for the target's compute capability (times ten; 0 where the target names none).
/// A target names 8.6 at most, so a newer card has to be named.
///
/// Throws Error if both are given, if there is no such card or file, if the file is malformed, or if the card is older
/// than `capability`: code for that target would not run on it.
Machine choose_machine(const std::string &gpu, const std::string &weights_path, int capability);

/// Reads a weights file's text; `file` is what error messages call it.
/// Throws Error, which names the file, the key and the mend, on malformed JSON (with its line), a missing or unknown
/// key, a wrong type, or a number out of range.
Machine parse_machine(const std::string &text, const std::string &file);

}  // namespace warptile
