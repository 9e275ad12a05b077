// An app's generator in which the text of a schedule stands in place of the autoscheduler that wrote it. Compiled with
// APP (the app's name), APP_GENERATOR (its source) and SCHEDULE (the `.schedule.h` file); run with
// autoscheduler=Replay.
#include APP_GENERATOR
#include SCHEDULE

namespace {

struct Replay {
    Replay() {
        Halide::Pipeline::add_autoscheduler("Replay", [](const Halide::Pipeline &pipeline, const Halide::Target &target,
                                                         const Halide::AutoschedulerParams &,
                                                         Halide::AutoSchedulerResults *) { APPLY(pipeline, target); });
    }
};

const Replay replay;

}  // namespace
