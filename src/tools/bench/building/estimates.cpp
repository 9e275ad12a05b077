#include "tools/bench/building/estimates.h"

#include "tools/bench/text.h"

#include <filesystem>
#include <stdexcept>

namespace warptile::bench {
namespace {

struct Estimate {
    std::string app;   // empty: of all
    std::string text;  // "NAME=VALUES"
};

std::string trimmed(const std::string &text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

Estimate parse(const std::string &given) {
    const size_t colon = given.find(':');
    const Estimate estimate{colon == std::string::npos ? "" : trimmed(given.substr(0, colon)),
                            trimmed(given.substr(colon == std::string::npos ? 0 : colon + 1))};
    const size_t equals = estimate.text.find('=');
    const bool has_app = colon == std::string::npos || !estimate.app.empty();
    if (!has_app || equals == 0 || equals == std::string::npos || equals + 1 == estimate.text.size()) {
        throw std::invalid_argument("'" + given + "' is no estimate; write NAME=EXTENT,EXTENT or " +
                                    "NAME=MIN,EXTENT,MIN,EXTENT for an image and NAME=VALUE for a scalar, each with "
                                    "'APP: ' before it where it is for one app alone");
    }
    return estimate;
}

/// Whether there is an app that the estimate is for.
bool give(const Estimate &estimate, std::vector<GeneratorSource> &sources) {
    bool given = false;
    for (GeneratorSource &source : sources) {
        if (estimate.app.empty() || estimate.app == source.name) {
            source.arguments.insert(source.arguments.end(), {"--estimate", estimate.text});
            given = true;
        }
    }
    return given;
}

}  // namespace

void give_estimates(std::vector<GeneratorSource> &sources, const std::vector<std::string> &given) {
    for (const std::string &argument : given) {
        const bool is_file = fs::is_regular_file(argument);
        for (const std::string &line : lines_of({argument})) {
            const Estimate estimate = parse(line);
            if (!give(estimate, sources) && !is_file) {
                throw std::invalid_argument("an estimate is for '" + estimate.app + "', which is not built here");
            }
        }
    }
}

}  // namespace warptile::bench
