#include "schedule/directives/reduction_length.h"

namespace warptile {

namespace {

int64_t constant_value(const Halide::Expr &extent) {
    const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(extent));
    return value ? *value : 0;
}

/// Whether the extent comes from sizes and parameters alone, so that it can be tested anywhere.
bool is_plain(const Halide::Expr &extent) {
    struct Calls : Halide::Internal::IRVisitor {
        bool any = false;
        using IRVisitor::visit;

        void visit(const Halide::Internal::Call *call) override {
            any = any || !call->is_pure() || call->call_type == Halide::Internal::Call::Image;
            IRVisitor::visit(call);
        }
    } calls;

    extent.accept(&calls);
    return !calls.any;
}

/// Whether a test for a constant becomes one of a single parameter.
bool is_one_size(const Halide::Expr &extent) {
    constexpr int kAny = 1000003;
    const Halide::Expr test = Halide::Internal::simplify(extent == kAny);
    const auto *equal = test.as<Halide::Internal::EQ>();
    return equal && equal->a.as<Halide::Internal::Variable>() && Halide::Internal::is_const(equal->b);
}

}  // namespace

ReductionLength reduction_length(const Halide::Internal::StageSchedule &schedule, const std::string &rvar) {
    ReductionLength result;
    const std::vector<Halide::Internal::ReductionVariable> &rvars = schedule.rvars();
    for (size_t i = 0; i < rvars.size(); i++) {
        if (rvars[i].var == rvar) {
            result.constant = constant_value(rvars[i].extent);
            result.number = is_plain(rvars[i].extent) ? static_cast<int>(i) : -1;
            result.one_size = is_one_size(rvars[i].extent);
        }
    }
    return result;
}

}  // namespace warptile
