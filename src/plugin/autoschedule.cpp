#include "plugin/autoschedule.h"

#include "machine/error.h"
#include "machine/machine.h"
#include "plugin/analysis.h"
#include "plugin/debug.h"
#include "plugin/output_file.h"
#include "plugin/parameters.h"
#include "plugin/report.h"
#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "schedule/passes/last_passes.h"
#include "schedule/plan_json.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace warptile {

namespace {

/// In one line, whatever the reason quotes.
std::string line_of(const Notice &notice) {
    std::string line = "'" + notice.func + "': " + notice.reason;
    line.erase(line.find_last_not_of(" \n\\") + 1);  // a comment must not go on in the next line
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

void check_target(const Halide::Target &target) {
    if (!target.has_feature(Halide::Target::CUDA)) {
        throw Error("WarpTile schedules for CUDA, and the target '" + target.to_string() +
                    "' has no CUDA; add it, for example x86-64-linux-cuda-cuda_capability_80");
    }
    if (target.features_any_of(
            {Halide::Target::TraceLoads, Halide::Target::TraceStores, Halide::Target::TraceRealizations})) {
        throw Error(
            "the target '" + target.to_string() +
            "' asks for traces (trace_all), which code on a GPU cannot write; leave them out, or do not ask for "
            "an autoscheduler");
    }
}

/// The head of the schedule's text: what it is for, so that a stale copy can be told, and what is not as it should be.
std::string heading(const Analysis &analysis, const Machine &machine) {
    std::string text = "// WarpTile for " + machine.gpu.name + ": " + std::to_string(analysis.groups) +
                       " groups, pipeline " + analysis.plan.fingerprint + "\n";
    for (const Notice &n : analysis.notices) {
        text += "// " + line_of(n) + "\n";
    }
    return text;
}

/// Says what a user might not expect: a line each on stderr, or one error.
void tell(const std::vector<Notice> &notices, Fallback fallback) {
    std::string list;
    for (const Notice &n : notices) {
        list += fallback == Fallback::Warn ? "WarpTile: warning: " + line_of(n) + "\n" : "\n  " + line_of(n);
    }
    if (fallback == Fallback::Error && !notices.empty()) {
        throw Error("this cannot be scheduled as well as it should be:" + list +
                    "\nWrite these Funcs otherwise, or take them as they are with autoscheduler.fallback=warn");
    }
    std::cerr << list;
}

}  // namespace

void autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    const Debug debug = Debug::from_environment();
    const Parameters parameters = parse_parameters(params.extra, parameters_of_environment());
    check_target(target);
    const Machine machine =
        choose_machine(parameters.gpu, parameters.weights_path, target.get_cuda_capability_lower_bound());
    for (const auto &[parameter, path] : {std::pair("plan_out", parameters.plan_out), {"report", parameters.report}}) {
        if (!path.empty()) {
            check_writable(parameter, path);
        }
    }
    const std::vector<Halide::Func> outputs = pipeline.outputs();

    const Analysis analysis = analyse(outputs, target, machine, parameters, debug);
    std::cerr << analysis.log;
    tell(analysis.notices, parameters.fallback);
    if (!parameters.plan_out.empty()) {
        write_file("plan_out", parameters.plan_out, to_json(analysis.plan));
    }
    if (!parameters.report.empty()) {
        write_report(parameters.report, outputs, target,
                     {analysis.plan, machine, parameters.max_registers, analysis.fallbacks, analysis.notices});
    }
    const std::vector<Directive> directives = make_directives(analysis.plan, outputs);
    apply_directives(directives, outputs);
    add_last_passes(pipeline);
    results->schedule_source = heading(analysis, machine) + print(directives);
}

}  // namespace warptile
