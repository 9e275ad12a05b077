// Loading the plugin registers the autoscheduler under the name `WarpTile`: the one piece of global state. Errors of
// ours become Halide's user errors here, and nowhere else.
#include "machine/error.h"
#include "plugin/autoschedule.h"

#include "Halide.h"

namespace {

void schedule_or_report(const Halide::Pipeline &pipeline, const Halide::Target &target,
                        const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    std::string message;
    try {
        warptile::autoschedule(pipeline, target, params, results);
        return;
    } catch (const warptile::Error &e) {
        message = e.what();
    }
    Halide::Internal::throw_error(Halide::CompileError("Error: WarpTile: " + message + "\n"));
}

struct Registration {
    Registration() { Halide::Pipeline::add_autoscheduler("WarpTile", schedule_or_report); }
};

const Registration registration;

}  // namespace
