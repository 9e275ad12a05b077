// What HL_DEBUG_WARPTILE asks to see: a list of phases between commas, of `dag`, `search`, `verify`, `plan`, `schedule`
// and `all`; with `inline`, everything runs in one process, for a debugger.
#pragma once

#include <set>
#include <string>

namespace warptile {

class Debug {
public:
    /// Reads the environment. Throws Error, which lists the known words, where it holds another.
    static Debug from_environment();

    bool wants(const std::string &phase) const { return phases_.count(phase) || phases_.count("all"); }

    bool in_process() const { return phases_.count("inline") != 0; }

private:
    std::set<std::string> phases_;
};

}  // namespace warptile
