#include "verify/lowered/last_statement.h"

#include "schedule/passes/last_passes.h"

namespace warptile {

using namespace Halide;

namespace {

/// Every trial has the same name, since a name is part of what is lowered.
const char *const kFunctionName = "warptile_trial";

/// Thrown through Halide's lowering to end it.
struct EnoughLowered {};

/// Halide's lowering calls this with the last statement.
class LastPass : public Internal::IRMutator {
public:
    using IRMutator::mutate;

    Internal::Stmt mutate(const Internal::Stmt &s) override {
        lowered = s;
        throw EnoughLowered();
    }

    Internal::Stmt lowered;
};

/// The same pipeline with a pass of ours, which leaves the user's own untouched: those cannot be taken off one by one.
Pipeline with_pass(const Pipeline &pipeline, LastPass &pass) {
    Pipeline copy(pipeline.outputs(), pipeline.requirements());
    copy.add_custom_lowering_pass(&pass, nullptr);
    return copy;
}

}  // namespace

Internal::Stmt last_statement(const Pipeline &pipeline, const Target &target) {
    LastPass pass;
    Pipeline copy = with_pass(pipeline, pass);
    try {
        copy.compile_to_module(copy.infer_arguments(), kFunctionName, target);
    } catch (const EnoughLowered &) {
    }
    return change_kernels(pass.lowered);
}

}  // namespace warptile
