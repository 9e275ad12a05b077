// What a user might not expect of a plan and should be told without asking: a part of the pipeline that became plain,
// that is computed on the host, or that runs in few threads although nothing in it has to wait.
#pragma once

#include <string>

namespace warptile {

struct Notice {
    std::string func;    ///< the user's name of the Func, never one of a Func that the schedule makes
    std::string reason;  ///< what became of it and why, without the name and without a full stop
};

}  // namespace warptile
