#include "plugin/debug.h"

#include "machine/error.h"
#include "machine/nearest_name.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace warptile {

Debug Debug::from_environment() {
    static const std::vector<std::string> known = {"all", "dag", "inline", "plan", "schedule", "search", "verify"};
    Debug debug;
    const char *text = std::getenv("HL_DEBUG_WARPTILE");
    std::istringstream words(text ? text : "");
    for (std::string word; std::getline(words, word, ',');) {
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            throw Error("HL_DEBUG_WARPTILE holds '" + word + "'" + did_you_mean(word, known) +
                        "; it is a list between commas of: " + comma_list(known));
        }
        debug.phases_.insert(word);
    }
    return debug;
}

}  // namespace warptile
