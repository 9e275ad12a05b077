#include "schedule/passes/last_passes.h"

#include "schedule/passes/add_in_place.h"
#include "schedule/passes/guard_loads.h"
#include "schedule/passes/keep_stored.h"
#include "schedule/passes/launch_in_parts.h"
#include "schedule/passes/room_elsewhere.h"

namespace warptile {

namespace {

class LastPasses : public Halide::Internal::IRMutator {
public:
    using IRMutator::mutate;

    Halide::Internal::Stmt mutate(const Halide::Internal::Stmt &lowered) override {
        return launch_in_parts(room_elsewhere(change_kernels(lowered)));
    }
};

}  // namespace

Halide::Internal::Stmt change_kernels(const Halide::Internal::Stmt &lowered) {
    return keep_stored(guard_loads(add_in_place(lowered)));
}

void add_last_passes(Halide::Pipeline pipeline) { pipeline.add_custom_lowering_pass(new LastPasses); }

}  // namespace warptile
