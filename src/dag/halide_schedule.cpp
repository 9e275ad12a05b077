// Reads a user's own directives: see halide_schedule.h.

#include "dag/halide_schedule.h"

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

bool is_touched(const Definition &definition) {
    const StageSchedule &schedule = definition.schedule();
    // The loops of an extern stage are of a kind of their own from the beginning.
    const auto special_loop = [](const Dim &d) {
        return d.for_type != ForType::Serial && d.for_type != ForType::Extern;
    };
    return schedule.touched() || !schedule.splits().empty() || !schedule.prefetches().empty() || schedule.atomic() ||
           !definition.specializations().empty() || !locked(schedule.fuse_level().level).is_inlined() ||
           std::any_of(schedule.dims().begin(), schedule.dims().end(), special_loop);
}

}  // namespace

bool is_user_scheduled(const Function &f, bool is_output) {
    const FuncSchedule &schedule = f.schedule();
    const auto placed = [&](const LoopLevel &level) {
        const LoopLevel at = locked(level);
        return !at.is_inlined() && !(is_output && at.is_root());
    };
    if (placed(schedule.compute_level()) || placed(schedule.store_level()) || schedule.memoized() || schedule.async() ||
        schedule.ring_buffer().defined() || schedule.memory_type() != MemoryType::Auto ||
        !schedule.wrappers().empty()) {
        return true;
    }
    const auto special_storage = [](const StorageDim &d) {
        return d.alignment.defined() || d.bound.defined() || d.fold_factor.defined();
    };
    const std::vector<StorageDim> &storage = schedule.storage_dims();
    if (std::any_of(storage.begin(), storage.end(), special_storage)) {
        return true;
    }
    for (size_t d = 0; d < storage.size() && d < f.args().size(); d++) {
        if (storage[d].var != f.args()[d]) {  // reorder_storage
            return true;
        }
    }
    if (f.has_pure_definition() && is_touched(f.definition())) {
        return true;
    }
    return std::any_of(f.updates().begin(), f.updates().end(), is_touched);
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
