// Plans executed by the CUDA driver that there is, the emulated one: what a plan computes is what the unscheduled
// pipeline computes.
#pragma once

#include <vector>

#include "schedule/passes/last_passes.h"
#include "test/support/host_mirror.h"

namespace warptile {

inline Halide::Target card() {
    return Halide::get_host_target().with_feature(Halide::Target::CUDA).with_feature(Halide::Target::CUDACapability80);
}

/// `reference` and `planned` are the same pipeline, built twice; the values of its only output are of type T.
template<typename T>
void expect_card_agrees(const Built &reference, Built planned, const Plan &plan, const std::vector<Call> &calls) {
    apply_directives(make_directives(plan, planned.outputs), planned.outputs);
    Halide::Pipeline pipeline(planned.outputs);
    add_last_passes(pipeline);
    OnHost expected(reference);
    for (const Call &call : calls) {
        SCOPED_TRACE(inputs_of(call));
        for (size_t i = 0; i < call.inputs.size(); i++) {
            Halide::Buffer<> input = call.inputs[i];
            input.set_host_dirty();
            planned.inputs[i].set(input);
        }
        Halide::Buffer<> found(pipeline.realize(call.size, card()));
        found.copy_to_host();
        expect_same_values<T>(expected(call), found);
    }
}

}  // namespace warptile
