// What is known of how long a reduction is, before anything is scheduled.
#pragma once

#include <cstdint>
#include <string>

#include "Halide.h"

namespace warptile {

struct ReductionLength {
    int64_t constant = 0;  ///< the extent; 0: it is none
    int number = -1;       ///< of the variable in its RDom; -1: its extent cannot be tested wherever a schedule can
    /// Where a specialization says that the extent is some constant, Halide puts that constant for it.
    bool one_size = false;
};

/// Of the variable named `rvar` of an update.
ReductionLength reduction_length(const Halide::Internal::StageSchedule &schedule, const std::string &rvar);

}  // namespace warptile
