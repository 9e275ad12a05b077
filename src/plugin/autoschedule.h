// The autoscheduler as Halide calls it: the order of the phases. The analysis gives a plan; the plan gives directives;
// the same directives are applied to the Funcs and printed for the `.schedule.h` file.
#pragma once

#include "Halide.h"

namespace warptile {

/// Schedules `pipeline` and fills `results->schedule_source`. User mistakes throw `Error`.
void autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results);

}  // namespace warptile
