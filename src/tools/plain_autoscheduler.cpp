// The autoscheduler `Plain`: every Func at root, its outermost pure dimension in parallel, as the algorithm says it.
// Its result is what warptile-bench holds other schedules against where a pipeline has no reference of its own: a
// generator that schedules itself by hand leaves that out under an autoscheduler, so that any generator has an
// unscheduled form. It also counts the pipeline, with `autoscheduler.report=FILE`.
#include "machine/error.h"
#include "plugin/report.h"

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {
namespace {

using namespace Halide;

void put_at_root(Func func) {
    if (func.function().has_extern_definition()) {
        func.compute_root();
        return;
    }
    func.compute_root();
    if (!func.args().empty()) {
        func.parallel(func.args().back());
    }
    for (int update = 0; update < func.num_update_definitions(); update++) {
        func.update(update).unscheduled();
    }
}

void schedule_plainly(const Pipeline &pipeline, const Target &target, const AutoschedulerParams &params) {
    const std::vector<Func> outputs = pipeline.outputs();
    for (const auto &[name, value] : params.extra) {
        if (name != "report") {
            throw Error("Plain has no parameter '" + name + "'; it has report alone");
        }
        write_report(value, outputs, target);
    }
    std::vector<Internal::Function> functions;
    for (const Func &output : outputs) {
        functions.push_back(output.function());
    }
    for (const auto &[name, function] : Internal::build_environment(functions)) {
        put_at_root(Func(function));
    }
}

void schedule_or_report(const Pipeline &pipeline, const Target &target, const AutoschedulerParams &params,
                        AutoSchedulerResults *) {
    std::string message;
    try {
        return schedule_plainly(pipeline, target, params);
    } catch (const Error &error) {
        message = error.what();
    }
    Internal::throw_error(CompileError("Error: Plain: " + message + "\n"));
}

struct Registration {
    Registration() { Pipeline::add_autoscheduler("Plain", schedule_or_report); }
};

const Registration registration;

}  // namespace
}  // namespace warptile
