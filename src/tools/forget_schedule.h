// A pipeline as if its generator had made no scheduling call: `--schedule forget` of the generator main. Many
// generators schedule themselves for a CPU whoever else is asked to, and an autoscheduler then has nothing left to
// decide.
//
// What the calls changed of the algorithm stays: an `rfactor` has made a Func of its own. Bounds that were promised
// (`bound`, `align_bounds`) go; the constraints and the estimates of inputs and outputs stay.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// The loops of `definition`, one of `function`'s, in the order in which Halide makes them of an algorithm: RVars, the
/// innermost first, then the pure variables of its left-hand side, then the loop around all.
inline std::vector<Halide::Internal::Dim> unscheduled_loops(const Halide::Internal::Function &function,
                                                            const Halide::Internal::Definition &definition) {
    using namespace Halide::Internal;
    std::vector<Dim> loops;
    const bool is_extern = function.has_extern_definition();
    const auto add = [&](const std::string &name, DimType type, bool by_extern = false) {
        loops.push_back({name, by_extern ? ForType::Extern : ForType::Serial, Halide::DeviceAPI::None, type,
                         Halide::Partition::Auto});
    };
    for (const ReductionVariable &rvar : definition.schedule().rvars()) {
        const bool pure = can_parallelize_rvar(rvar.var, function.name(), definition);
        add(rvar.var, pure ? DimType::PureRVar : DimType::ImpureRVar);
    }
    for (size_t d = 0; d < function.args().size(); d++) {
        const std::string &arg = function.args()[d];
        const Variable *const index = is_extern ? nullptr : definition.args()[d].as<Variable>();
        if (is_extern || (index && index->name == arg)) {
            add(arg, DimType::PureVar, is_extern);
        }
    }
    add(Halide::Var::outermost().name(), DimType::PureVar);
    return loops;
}

inline void forget_schedule(const Halide::Internal::Function &function, Halide::Internal::Definition definition) {
    definition.specializations().clear();
    definition.schedule() =
        Halide::Internal::StageSchedule(definition.schedule().rvars(), {}, unscheduled_loops(function, definition), {},
                                        Halide::FuseLoopLevel(), {}, false, false, false, false);
}

inline void forget_schedule(Halide::Internal::Function function) {
    forget_schedule(function, function.definition());
    for (int i = 0; i < int(function.updates().size()); i++) {
        forget_schedule(function, function.update(i));
    }
    Halide::Internal::FuncSchedule unscheduled;
    unscheduled.estimates() = function.schedule().estimates();
    for (const std::string &arg : function.args()) {
        Halide::Internal::StorageDim dimension{};
        dimension.var = arg;
        unscheduled.storage_dims().push_back(dimension);
    }
    function.schedule() = unscheduled;
}

/// Undoes every scheduling call on the Funcs of `pipeline`.
inline void forget_schedules(const Halide::Pipeline &pipeline) {
    std::vector<Halide::Internal::Function> outputs;
    for (const Halide::Func &output : pipeline.outputs()) {
        outputs.push_back(output.function());
    }
    for (const auto &[name, function] : Halide::Internal::build_environment(outputs)) {
        forget_schedule(function);
    }
}

}  // namespace warptile
