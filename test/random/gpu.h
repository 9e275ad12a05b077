#pragma once

// The GPU that CUDA's driver offers: a card, or the emulator of test/emulator where its folder comes first in
// LD_LIBRARY_PATH.

#include <string>

namespace warptile::fuzz {

/// The name of the first device; empty where there is no driver or no device. Loads the driver: call it in a child.
std::string gpu_name();

/// What the emulator said about the last call that failed; empty for a card.
std::string gpu_message();

}  // namespace warptile::fuzz
