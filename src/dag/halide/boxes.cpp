#include "dag/halide/boxes.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

class SelectToBranch : public IRGraphMutator {
    using IRGraphMutator::visit;

    Expr visit(const Select *op) override {
        if (!is_pure(op->condition)) {
            return IRGraphMutator::visit(op);
        }
        return Call::make(op->type, Call::if_then_else,
                          {mutate(op->condition), mutate(op->true_value), mutate(op->false_value)},
                          Call::PureIntrinsic);
    }

    /// Of a branch that is pure Halide looks at nothing, and a load of an image is pure to it, one of a Func is not.
    Expr visit(const Call *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Call *call = e.as<Call>();
        return call && call->call_type == Call::Image ? Call::make(call->type, call->name, call->args, Call::Halide)
                                                      : e;
    }
};

/// Halide tests each part of a predicate on its own, and concludes from each what it can.
Expr where_holds(const Expr &predicate, const Expr &value) {
    if (!predicate.defined()) {
        return value;
    }
    if (const And *both = predicate.as<And>()) {
        return where_holds(both->a, where_holds(both->b, value));
    }
    return Call::make(value.type(), Call::if_then_else, {likely(predicate), value}, Call::PureIntrinsic);
}

}  // namespace

void LoopBounds::add(const std::string &loop, const Interval &range) {
    const std::string min = loop + ".warptile_min", max = loop + ".warptile_max";
    scope.push(loop, {Variable::make(Int(32), min), Variable::make(Int(32), max)});
    values.emplace_back(min, range.min);
    values.emplace_back(max, range.max);
}

Expr LoopBounds::in_numbers(Expr e) const {
    for (const auto &value : values) {
        e = Let::make(value.first, IntImm::make(Int(32), value.second), e);
    }
    return e;
}

std::optional<Interval> LoopBounds::numbers(const Halide::Internal::Interval &i, const Estimates &estimates) const {
    if (!i.is_bounded()) {
        return {};
    }
    const auto lo = estimates.constant(in_numbers(i.min)), hi = estimates.constant(in_numbers(i.max));
    return lo && hi ? std::optional<Interval>({*lo, *hi}) : std::nullopt;
}

Expr inferred(const Expr &value, const Expr &predicate) {
    return common_subexpression_elimination(where_holds(predicate, SelectToBranch().mutate(value)));
}

Expr within_where(const Expr &value, const Expr &predicate) {
    return where_holds(predicate, common_subexpression_elimination(SelectToBranch().mutate(value)));
}

}  // namespace warptile
