// The autoscheduler's parameters, `autoscheduler.NAME=VALUE` on a generator's command line or the map given from C++
// or Python, and those of the environment variable WARPTILE_PARAMETERS, which reach also where neither does: Halide
// 21's Python generators drop what their command line says. docs/parameters.md describes them for users.
#pragma once

#include "model/cost_model.h"
#include "search/space.h"

#include <map>
#include <string>

namespace warptile {

/// What is done where a part of the pipeline became less than a user would expect (`schedule/notice.h`).
enum class Fallback {
    Warn,   ///< a line on stderr for each
    Error,  ///< one error that lists them
};

struct Parameters {
    std::string gpu;                             // a shipped card; empty: by the target's compute capability
    std::string weights_path;                    // the user's own weights file; empty: none
    ModelName cost_model = ModelName::Roofline;  // that the search goes by
    Space space;                                 // that it looks through
    int max_registers = 64;   // registers that a thread may use: the cap with which Halide's runtime assembles
    bool reassociate = true;  // may a reduction be cut into partial ones, which changes how a float sum rounds?
    std::string plan_in;      // read the plan from this file and search none; empty: search
    std::string plan_out;     // write the plan to this file; empty: do not
    std::string report;       // write counters of the pipeline and of the plan's kernels here; empty: do not
    Fallback fallback = Fallback::Warn;
};

/// Reads the parameters; what is not given has its default. `environment` is the text of WARPTILE_PARAMETERS: words
/// NAME=VALUE between white space, of which a part in '…' or "…" is taken as it stands. What is `given` wins over it.
/// Throws Error, which names the parameter, the variable where it stands there, and the mend, for an unknown name, for
/// a value that does not fit, and for a text that is no such list.
Parameters parse_parameters(const std::map<std::string, std::string> &given, const std::string &environment = "");

/// The text of WARPTILE_PARAMETERS; empty where it is not set.
std::string parameters_of_environment();

}  // namespace warptile
