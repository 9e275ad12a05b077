#include "plugin/halide_version.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Halide.h"

namespace warptile {

std::string built_for_halide() {
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
           std::to_string(HALIDE_VERSION_PATCH);
}

bool runs_in_that_halide() {
    Halide::Func probe;
    probe() = 0;
    std::vector<uint8_t> bytes;
    try {
        Halide::serialize_pipeline(Halide::Pipeline(probe), bytes);
    } catch (const Halide::Error &) {
        return true;
    }
    // A string in the serialised form: its length in four bytes, the text, a zero.
    const std::string version = built_for_halide();
    std::string wanted(4, '\0');
    wanted[0] = static_cast<char>(version.size());
    wanted += version + '\0';
    return std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end(),
                       [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }) != bytes.end();
}

}  // namespace warptile
