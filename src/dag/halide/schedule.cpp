// Reads a user's own directives: see schedule.h.

#include "dag/halide/schedule.h"

#include <algorithm>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

// A LoopLevel tells what it is only once it is locked, and may still be changed until then: ask a copy of its value.
LoopLevel locked(const LoopLevel &level) {
    LoopLevel copy;
    copy.set(level);
    return copy.lock();
}

const char *name_of(ForType type) {
    switch (type) {
    case ForType::Serial:
        return "";
    case ForType::Parallel:
        return "parallel";
    case ForType::Vectorized:
        return "vectorize";
    case ForType::Unrolled:
        return "unroll";
    case ForType::Extern:
        return "";
    case ForType::GPUBlock:
        return "gpu_blocks";
    case ForType::GPUThread:
        return "gpu_threads";
    case ForType::GPULane:
        return "gpu_lanes";
    }
    return "";
}

const char *name_of(Split::SplitType type) {
    switch (type) {
    case Split::SplitVar:
        return "split";
    case Split::RenameVar:
        return "rename";
    case Split::FuseVars:
        return "fuse";
    }
    return "split";
}

struct MadeCall {
    bool made;
    const char *name;
};

std::string first_made(const std::vector<MadeCall> &calls) {
    const auto it = std::find_if(calls.begin(), calls.end(), [](const MadeCall &call) { return call.made; });
    return it == calls.end() ? "" : it->name;
}

/// The first call that left a trace in the schedule of a definition; empty: none did.
std::string call_on(const Definition &definition) {
    const StageSchedule &schedule = definition.schedule();
    for (const Dim &d : schedule.dims()) {
        if (const std::string call = name_of(d.for_type); !call.empty()) {
            return call;
        }
    }
    const auto partitioned = [](const Dim &d) { return d.partition_policy != Partition::Auto; };
    const std::vector<Split> &splits = schedule.splits();
    return first_made({
        {!splits.empty(), splits.empty() ? "" : name_of(splits.front().split_type)},
        {!definition.specializations().empty(), "specialize"},
        {schedule.atomic(), "atomic"},
        {!locked(schedule.fuse_level().level).is_inlined(), "compute_with"},
        {!schedule.prefetches().empty(), "prefetch"},
        {std::any_of(schedule.dims().begin(), schedule.dims().end(), partitioned), "partition"},
        {schedule.allow_race_conditions(), "allow_race_conditions"},
        {schedule.touched(), "rfactor, reorder, unscheduled or the like"},
    });
}

/// The same of how a Func is stored.
std::string call_on_storage(const Function &f) {
    const std::vector<StorageDim> &storage = f.schedule().storage_dims();
    for (size_t d = 0; d < storage.size(); d++) {
        if (storage[d].alignment.defined()) {
            return "align_storage";
        }
        if (storage[d].bound.defined()) {
            return "bound_storage";
        }
        if (storage[d].fold_factor.defined()) {
            return "fold_storage";
        }
        if (d < f.args().size() && storage[d].var != f.args()[d]) {
            return "reorder_storage";
        }
    }
    return "";
}

/// The same of where it is computed and kept, and of what else is said of it as a whole.
std::string call_on_func(const Function &f, bool is_output) {
    const FuncSchedule &schedule = f.schedule();
    const auto placed = [&](const LoopLevel &level) {
        const LoopLevel at = locked(level);
        return !at.is_inlined() && !(is_output && at.is_root());
    };
    const std::vector<Parameter> &buffers = f.output_buffers();
    const auto in_texture = [](const Parameter &p) { return p.defined() && p.memory_type() != MemoryType::Auto; };
    const auto at_root = [](const LoopLevel &level) { return locked(level).is_root(); };
    return first_made({
        {placed(schedule.compute_level()), at_root(schedule.compute_level()) ? "compute_root" : "compute_at"},
        {placed(schedule.store_level()), at_root(schedule.store_level()) ? "store_root" : "store_at"},
        {placed(schedule.hoist_storage_level()), "hoist_storage"},
        {schedule.memoized(), "memoize"},
        {schedule.async(), "async"},
        {schedule.ring_buffer().defined(), "ring_buffer"},
        {schedule.memory_type() != MemoryType::Auto, "store_in"},
        {!schedule.wrappers().empty(), "in or clone_in"},
        {!f.debug_file().empty(), "debug_to_file"},
        {std::any_of(buffers.begin(), buffers.end(), in_texture), "store_in"},
    });
}

}  // namespace

std::string user_schedule(const Function &f, bool is_output) {
    std::string call = call_on_func(f, is_output);
    if (call.empty()) {
        call = call_on_storage(f);
    }
    if (call.empty() && f.has_pure_definition()) {
        call = call_on(f.definition());
    }
    for (size_t u = 0; u < f.updates().size() && call.empty(); u++) {
        call = call_on(f.updates()[u]);
    }
    return call;
}

std::string user_schedule(const Parameter &input) {
    return first_made({{input.memory_type() != MemoryType::Auto, "store_in"}});
}

std::vector<BoundRule> bound_rules(const Function &f, const Estimates &estimates) {
    std::vector<BoundRule> rules;
    for (const Bound &b : f.schedule().bounds()) {
        const auto arg = std::find(f.args().begin(), f.args().end(), b.var);
        BoundRule rule;
        rule.dim = static_cast<int>(arg - f.args().begin());
        const auto min = estimates.constant(b.min), extent = estimates.constant(b.extent);
        const auto modulus = estimates.constant(b.modulus), remainder = estimates.constant(b.remainder);
        const auto is_number = [](const Expr &e) { return !e.defined() || as_const_int(simplify(e)).has_value(); };
        rule.estimated = !is_number(b.min) || !is_number(b.extent) || !is_number(b.modulus) || !is_number(b.remainder);
        if (extent) {
            rule.kind = min ? BoundRule::Kind::Fixed : BoundRule::Kind::Extent;
            rule.range = {min.value_or(0), min.value_or(0) + *extent - 1};
            rules.push_back(rule);
        }
        if (modulus && *modulus > 0) {
            rule.kind = remainder ? BoundRule::Kind::Align : BoundRule::Kind::Round;
            rule.modulus = *modulus;
            rule.remainder = remainder.value_or(0);
            rules.push_back(rule);
        }
    }
    std::reverse(rules.begin(), rules.end());  // Halide wraps each around the ones before it
    return rules;
}

}  // namespace warptile
