#include "plugin/autoschedule.h"

#include "machine/error.h"
#include "machine/machine.h"
#include "plugin/analysis.h"
#include "plugin/debug.h"
#include "plugin/parameters.h"
#include "plugin/report.h"
#include "schedule/apply.h"
#include "schedule/directives.h"
#include "schedule/plan_json.h"
#include "schedule/print.h"

#include <fstream>
#include <iostream>

namespace warptile {

namespace {

void check_target(const Halide::Target &target) {
    if (!target.has_feature(Halide::Target::CUDA)) {
        throw Error("WarpTile schedules for CUDA, and the target '" + target.to_string() +
                    "' has no CUDA; add it, for example x86-64-linux-cuda-cuda_capability_80");
    }
}

void write_plan(const Plan &plan, const std::string &path) {
    std::ofstream file(path);
    file << to_json(plan);
    if (!file.flush()) {
        throw Error("plan_out: cannot write '" + path + "'");
    }
}

/// The head of the schedule's text: what it is for, so that a stale copy can be told.
std::string heading(const Analysis &analysis, const Machine &machine) {
    return "// WarpTile for " + machine.gpu.name + ": " + std::to_string(analysis.groups) + " groups, pipeline " +
           analysis.plan.fingerprint + "\n";
}

}  // namespace

void autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    const Debug debug = Debug::from_environment();
    const Parameters parameters = parse_parameters(params.extra);
    check_target(target);
    const Machine machine =
        choose_machine(parameters.gpu, parameters.weights_path, target.get_cuda_capability_lower_bound());
    const std::vector<Halide::Func> outputs = pipeline.outputs();

    const Analysis analysis = analyse(outputs, target, machine, parameters, debug);
    std::cerr << analysis.log;
    if (analysis.failed && (debug.wants("verify") || debug.wants("search"))) {
        std::cerr << "WarpTile: plain schedule, since the analysis " << analysis.why_failed << "\n";
    }
    if (!parameters.plan_out.empty()) {
        write_plan(analysis.plan, parameters.plan_out);
    }
    if (!parameters.report.empty()) {
        write_report(parameters.report, outputs, target,
                     {analysis.plan, machine, parameters.max_registers, analysis.fallbacks, analysis.why_failed});
    }
    const std::vector<Directive> directives = make_directives(analysis.plan, outputs);
    apply_directives(directives, outputs);
    results->schedule_source = heading(analysis, machine) + print(directives);
}

}  // namespace warptile
