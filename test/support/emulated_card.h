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
void expect_card_agrees(const Built &reference, Built planned, const Plan &plan,
                        const std::vector<Halide::Buffer<>> &inputs, const std::vector<int> &size) {
    apply_directives(make_directives(plan, planned.outputs), planned.outputs);
    for (size_t i = 0; i < inputs.size(); i++) {
        Halide::Buffer<> input = inputs[i];
        input.set_host_dirty();
        planned.inputs[i].set(input);
    }
    Halide::Pipeline pipeline(planned.outputs);
    add_last_passes(pipeline);
    Halide::Buffer<> found(pipeline.realize(size, card()));
    found.copy_to_host();
    expect_same_values<T>(realized(reference, inputs, size), found);
}

}  // namespace warptile
