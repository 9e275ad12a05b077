#include "schedule/plain_plan.h"

#include <algorithm>

#include "dag/halide/device.h"
#include "dag/halide/order.h"

namespace warptile {

namespace {

/// A tile of 32 by 8 threads over the first two loops of `dims` (numbers as in AxisTile). All others that are named are
/// a block a step.
KernelTile plain_tile(const std::vector<int> &dims) {
    KernelTile tile;
    const int threads[2] = {32, 8};
    for (size_t i = 0; i < dims.size(); i++) {
        AxisTile axis;
        axis.dim = dims[i];
        axis.threads = i < 2 ? threads[i] : 1;
        tile.axes.push_back(axis);
    }
    tile.unroll = false;
    return tile;
}

/// The loops of an update whose steps Halide can tell are apart: the Func's dimensions that it runs over, then,
/// numbered after the dimensions, reduction variables.
std::vector<int> loops_apart(const Halide::Internal::Function &f, const Halide::Internal::Definition &update) {
    std::vector<int> dims;
    for (size_t i = 0; i < f.args().size(); i++) {
        for (const Halide::Internal::Dim &d : update.schedule().dims()) {
            if (d.var == f.args()[i]) {
                dims.push_back(static_cast<int>(i));
            }
        }
    }
    int number = static_cast<int>(f.args().size());
    for (const Halide::Internal::ReductionVariable &r : update.schedule().rvars()) {
        for (const Halide::Internal::Dim &d : update.schedule().dims()) {
            if (d.var == r.var && d.dim_type == Halide::Internal::DimType::PureRVar) {
                dims.push_back(number);
            }
        }
        number++;
    }
    return dims;
}

/// A pure Func that only hands on a value of an input, as Halide makes one for each ImageParam and Buffer input.
bool only_wraps_an_input(const Halide::Internal::Function &f) {
    if (f.has_extern_definition() || f.has_update_definition() || f.values().size() != 1) {
        return false;
    }
    const auto *call = f.values()[0].as<Halide::Internal::Call>();
    return call && call->call_type == Halide::Internal::Call::Image && why_only_on_host(f).empty();
}

}  // namespace

Group plain_group(const Halide::Func &func, FuncRef ref) {
    const Halide::Internal::Function &f = func.function();
    Group group;
    group.output = ref;
    if (!why_only_on_host(f).empty()) {
        group.on_host = true;
        return group;
    }
    std::vector<int> dims;
    for (size_t i = 0; i < f.args().size(); i++) {
        dims.push_back(static_cast<int>(i));
    }
    group.tile = plain_tile(dims);
    for (const Halide::Internal::Definition &update : f.updates()) {
        group.updates.push_back(plain_tile(loops_apart(f, update)));
        group.atomic.push_back(false);
    }
    return group;
}

Plan plain_plan(const std::vector<Halide::Func> &outputs) {
    const auto is_output = [&](const Halide::Func &f) {
        return std::any_of(outputs.begin(), outputs.end(), [&](const Halide::Func &o) { return o.name() == f.name(); });
    };
    Plan plan;
    for (const Halide::Func &f : numbered_funcs(outputs)) {
        const FuncRef ref = plan.funcs++;
        plan.names.push_back(f.name());
        if (is_output(f) || !only_wraps_an_input(f.function())) {
            plan.groups.push_back(plain_group(f, ref));
        }
    }
    return plan;
}

}  // namespace warptile
