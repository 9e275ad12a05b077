#include "verify/trial.h"

#include "schedule/passes/last_passes.h"
#include "verify/lowered/divergent_shuffles.h"
#include "verify/lowered/lowered_ir.h"
#include "verify/lowered/undefined_names.h"
#include "verify/ptx/device_code.h"

#include <chrono>
#include <sstream>

namespace warptile {

using namespace Halide;

namespace {

// Every trial has the same name, since a name is part of what is lowered.
const char *const function_name = "warptile_trial";

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Thrown through Halide's lowering to end it before device code is made.
struct EnoughLowered {};

// Halide's lowering calls this with the last statement before device code is split off. Device code is made by
// device_code.h, and host code is not of interest.
class LastPass : public Internal::IRMutator {
public:
    using IRMutator::mutate;

    Internal::Stmt mutate(const Internal::Stmt &s) override {
        lowered = s;
        throw EnoughLowered();
    }

    Internal::Stmt lowered;
};

// The same pipeline with a pass of ours, which leaves the user's own untouched: those cannot be taken off one by one.
Pipeline with_pass(const Pipeline &pipeline, LastPass &pass) {
    Pipeline copy(pipeline.outputs(), pipeline.requirements());
    copy.add_custom_lowering_pass(&pass, nullptr);
    return copy;
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
    LastPass pass;
    Pipeline copy = with_pass(pipeline, pass);
    const std::vector<Argument> arguments = copy.infer_arguments();
    const double start = now();
    try {
        copy.compile_to_module(arguments, function_name, target);
    } catch (const EnoughLowered &) {
    }
    trial.lower_seconds = now() - start;
    pass.lowered = change_kernels(pass.lowered);
    for (const Func &output : pipeline.outputs())
        trial.outputs.push_back(output.name());
    read_lowered(pass.lowered, trial);
    trial.lost_names = undefined_names(pass.lowered, arguments);
    const std::vector<bool> divergent = divergent_shuffles(pass.lowered);
    for (size_t i = 0; i < trial.kernels.size() && i < divergent.size(); i++)
        trial.kernels[i].divergent_shuffles = divergent[i];
    const bool code = options.device_code && (!options.worth_code || options.worth_code(trial));
    if (code && target.has_feature(Target::CUDA)) {
        add_device_code(pass.lowered, target, options, trial);
    } else if (code && target.has_gpu_feature()) {
        Internal::inject_gpu_offload(pass.lowered, target);  // only to see that it can be made
    }
    if (options.lowered_text) {
        std::ostringstream text;
        text << pass.lowered;
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
