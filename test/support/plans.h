// Plans by hand, piece by piece: each test says only what is particular to its own.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "dag/read.h"
#include "schedule/plain_plan.h"
#include "schedule/plan.h"

namespace warptile {

inline const Halide::Target &cuda_80() {
    static const Halide::Target target("x86-64-linux-cuda-cuda_capability_80");
    return target;
}

/// A plan for the pipeline that says nothing yet.
inline Plan empty_plan(const std::vector<Halide::Func> &outputs) {
    Plan plan = plain_plan(outputs);
    plan.groups.clear();
    return plan;
}

/// The number of the Func of this name, as plans count: Halide numbers the Funcs of a pipeline as it likes.
inline FuncRef ref(const Plan &plan, const std::string &name) {
    for (size_t i = 0; i < plan.names.size(); i++) {
        if (plan.names[i].substr(0, plan.names[i].find('$')) == name) {
            return static_cast<FuncRef>(i);
        }
    }
    throw std::runtime_error("no Func '" + name + "'");
}

/// `source.in(consumers)`; for all that read it where none is named.
inline Derived copy_of(FuncRef source, std::vector<FuncRef> consumers = {}) {
    Derived copy;
    copy.source = source;
    copy.consumers = std::move(consumers);
    return copy;
}

/// The partial results of the first update of `source`.
inline Derived partial_of(FuncRef source, int factor = 32, int rvar = 0) {
    Derived partial;
    partial.kind = Derived::Kind::Partial;
    partial.source = source;
    partial.rvar = rvar;
    partial.factor = factor;
    return partial;
}

/// A kernel with threads, or a thread's points, along these dimensions.
inline Group kernel_of(FuncRef output, std::vector<AxisTile> axes = {}) {
    Group group;
    group.output = output;
    group.tile.axes = std::move(axes);
    return group;
}

inline Member member(FuncRef func, Placement placement, FuncRef at, std::vector<AxisTile> axes,
                     std::vector<int64_t> storage) {
    Member m;
    m.func = func;
    m.placement = placement;
    m.at = at;
    m.axes = std::move(axes);
    m.storage = std::move(storage);
    return m;
}

}  // namespace warptile
