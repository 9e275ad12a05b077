#include "verify/trial.h"

#include "verify/lowered_ir.h"
#include "verify/undefined_names.h"

#include <chrono>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace warptile {

using namespace Halide;

namespace {

// Every trial has the same name, since a name is part of what is lowered.
const char *const function_name = "warptile_trial";

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Thrown through Halide's lowering to end it before device code is made.
struct EnoughLowered {};

// Halide's lowering calls this with the last statement before device code is split off.
class LastPass : public Internal::IRMutator {
public:
    explicit LastPass(bool stop) : stop(stop) {}

    using IRMutator::mutate;

    Internal::Stmt mutate(const Internal::Stmt &s) override {
        lowered = s;
        reached = now();
        if (stop)
            throw EnoughLowered();
        return s;
    }

    Internal::Stmt lowered;
    double reached = 0;

private:
    const bool stop;
};

// The same pipeline with a pass of ours, which leaves the user's own untouched: those cannot be taken off one by one.
Pipeline with_pass(const Pipeline &pipeline, LastPass &pass) {
    Pipeline copy(pipeline.outputs(), pipeline.requirements());
    copy.add_custom_lowering_pass(&pass, nullptr);
    return copy;
}

std::string device_text(const Module &module) {
    const Buffer<> code = module.get_cuda_ptx_assembly_buffer();
    if (!code.defined())
        return "";
    const char *text = static_cast<const char *>(code.data());
    return std::string(text, strnlen(text, code.size_in_bytes()));  // Halide ends it with a zero
}

// Kernels stand in the PTX in the order in which the lowered code launches them.
void match_kernels(Trial &trial) {
    const std::vector<PtxKernel> found = read_ptx(trial.ptx);
    if (found.size() != trial.kernels.size()) {
        throw std::runtime_error("the lowered code launches " + std::to_string(trial.kernels.size()) +
                                 " kernels, but its PTX has " + std::to_string(found.size()));
    }
    for (size_t i = 0; i < found.size(); i++)
        trial.kernels[i].ptx = found[i];
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
    LastPass pass(!options.device_code);
    Pipeline copy = with_pass(pipeline, pass);
    const double start = now();
    try {
        const Module module = copy.compile_to_module(copy.infer_arguments(), function_name, target);
        trial.codegen_seconds = now() - pass.reached;
        trial.ptx = device_text(module);
    } catch (const EnoughLowered &) {
    }
    trial.lower_seconds = pass.reached - start;
    read_lowered(pass.lowered, trial);
    trial.lost_names = undefined_names(pass.lowered);
    if (options.device_code && target.has_feature(Target::CUDA))
        match_kernels(trial);
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

}  // namespace warptile
