#include "verify/trial.h"

#include "verify/lowered/divergent_shuffles.h"
#include "verify/lowered/last_statement.h"
#include "verify/lowered/lowered_ir.h"
#include "verify/lowered/undefined_names.h"
#include "verify/ptx/device_code.h"

#include <chrono>
#include <sstream>

namespace warptile {

using namespace Halide;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string first_failed_check(const Internal::Stmt &lowered, const std::vector<Func> &outputs,
                               const std::vector<PipelineCall> &calls) {
    for (const PipelineCall &call : calls) {
        const HostRun run = run_host(lowered, call);
        if (!run.failed.empty())
            return "for " + outputs_of(call, outputs) + " " + run.failed.front();
    }
    return "";
}

}  // namespace

std::optional<int64_t> TrialKernel::most_threads() const {
    int64_t most = 1;
    for (const TrialNumber &t : threads) {
        if (!t.at_most)
            return std::nullopt;
        most *= *t.at_most;
    }
    return most;
}

Trial lower(const Pipeline &pipeline, const Target &target, const LowerOptions &options) {
    Trial trial;
    const double start = now();
    const Internal::Stmt lowered = last_statement(pipeline, target);
    trial.lower_seconds = now() - start;
    for (const Func &output : pipeline.outputs())
        trial.outputs.push_back(output.name());
    read_lowered(lowered, trial);
    trial.lost_names = undefined_names(lowered, Pipeline(pipeline).infer_arguments());
    const std::vector<bool> divergent = divergent_shuffles(lowered);
    for (size_t i = 0; i < trial.kernels.size() && i < divergent.size(); i++)
        trial.kernels[i].divergent_shuffles = divergent[i];
    trial.failed_check = first_failed_check(lowered, pipeline.outputs(), options.calls);
    const bool code = options.device_code && (!options.worth_code || options.worth_code(trial));
    if (code && target.has_feature(Target::CUDA)) {
        add_device_code(lowered, target, options, trial);
    } else if (code && target.has_gpu_feature()) {
        Internal::inject_gpu_offload(lowered, target);  // only to see that it can be made
    }
    if (options.lowered_text) {
        std::ostringstream text;
        text << lowered;
        trial.lowered_text = text.str();
    }
    return trial;
}

std::string assemble_kernels(Trial &trial, int sm, int max_registers) {
    if (trial.kernels.empty())
        return "";
    if (trial.ptx.empty())
        return "there is no PTX to assemble";
    const double start = now();
    const Assembly assembly = assemble(trial.ptx, sm, max_registers);
    trial.assemble_seconds = now() - start;
    if (!assembly.ok())
        return assembly.error;
    for (size_t i = 0; i < trial.kernels.size() && i < assembly.kernels.size(); i++)
        trial.kernels[i].resources = assembly.kernels[i];
    return "";
}

KnownKernels kernels_of(const Trial &trial) {
    KnownKernels kernels;
    for (const TrialKernel &k : trial.kernels) {
        if (!k.digest.empty())
            kernels[k.digest] = {k.ptx, k.resources};
    }
    return kernels;
}

}  // namespace warptile
