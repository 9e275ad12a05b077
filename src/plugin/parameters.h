// The autoscheduler's parameters, `autoscheduler.NAME=VALUE` on a generator's command line or the map given from C++
// or Python. docs/parameters.md describes them for users.
#pragma once

#include <map>
#include <string>

namespace warptile {

struct Parameters {
    std::string gpu;           // a shipped card; empty: by the target's compute capability
    std::string weights_path;  // the user's own weights file; empty: none
    int max_registers = 64;    // registers that a thread may use: the cap with which Halide's runtime assembles
    bool reassociate = true;   // may a reduction be cut into partial ones, which changes how a float sum rounds?
    std::string plan_in;       // read the plan from this file and search none; empty: search
    std::string plan_out;      // write the plan to this file; empty: do not
    std::string report;        // write counters of the pipeline and of the plan's kernels here; empty: do not
};

/// Reads the parameters; what is not given has its default.
/// Throws Error, which names the parameter and the mend, for an unknown name and for a value that does not fit.
Parameters parse_parameters(const std::map<std::string, std::string> &given);

}  // namespace warptile
