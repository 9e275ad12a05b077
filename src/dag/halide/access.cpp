// Index expressions as rational access matrices: see access.h. The rules keep two promises. A form covers at
// least every value that Halide's interval arithmetic gives the expression, since storage is made of it; and it covers
// no more for the affine indices of stencils, down- and up-sampling, which is all that a tile's cost depends on.

#include "dag/halide/access.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dag/axis_algebra.h"
#include "dag/halide/drift.h"
#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr size_t kMaxForms = 8;

bool is_index_type(const Type &type) { return type.is_int() && type.bits() >= 32 && type.is_scalar(); }

std::optional<int64_t> as_number(const Expr &e) {
    const auto i = as_const_int(e);
    const auto u = as_const_uint(e);
    const int64_t value = i ? *i : u ? static_cast<int64_t>(*u) : 0;
    return (i || u) && value <= kLargestIndex && value >= -kLargestIndex ? std::optional<int64_t>(value) : std::nullopt;
}

}  // namespace

AccessReader::AccessReader(const std::vector<Loop> &loops, const FuncValueBounds &values, const Estimates &estimates)
    : values_(values), estimates_(estimates) {
    for (size_t i = 0; i < loops.size(); i++) {
        const Loop &loop = loops[i];
        const bool constant = loop.reduction && loop.extent_known;
        loops_[loop.name] = {static_cast<int>(i), constant ? std::optional<Interval>(loop.estimate) : std::nullopt};
        const auto end = [](int64_t value) { return IntImm::make(Int(32), value); };
        anywhere_.push(loop.name, Halide::Internal::Interval::everything());
        in_reduction_.push(loop.name, constant
                                          ? Halide::Internal::Interval(end(loop.estimate.min), end(loop.estimate.max))
                                          : Halide::Internal::Interval::everything());
    }
}

bool AccessReader::take_data_dependent() { return std::exchange(data_dependent_, false); }

// The interval of an expression's values, whatever the loops are. The reduction's range is not made use of where it
// need not be: Halide may draw fewer conclusions from it.
std::optional<Interval> AccessReader::bounds(const Expr &e) const {
    for (const auto *scope : {&anywhere_, &in_reduction_}) {
        const auto interval = bounds_of_expr_in_scope(e, *scope, values_);
        if (interval.is_bounded()) {
            const auto lo = as_number(simplify(interval.min)), hi = as_number(simplify(interval.max));
            if (lo && hi) {
                return Interval{*lo, *hi};
            }
        }
    }
    return {};
}

AccessReader::Forms AccessReader::bounded(const Expr &e) {
    constexpr double kLargestBounded = 1000;  // asked of an index and of every part of it
    if (tree_size(e, sizes_) > kLargestBounded) {
        return {unknown()};
    }
    const IndexVariables found = index_variables(e, loops_);
    const auto interval = bounds(estimates_.substitute(e));
    if (!interval) {
        return {unknown()};
    }
    AxisAccess form =
        constant(interval->min, interval->max,
                 found.loads || !found.loops.empty() ? AxisAccess::Kind::Absolute : AxisAccess::Kind::Affine);
    form.estimated = found.parameters;
    return {form};
}

AccessReader::Forms AccessReader::sum(const Expr &a, const Expr &b, int64_t sign, const Expr &whole) {
    const Forms left = form(a), right = form(b);
    Forms result;
    for (const AxisAccess &l : left) {
        for (const AxisAccess &r : right) {
            result.push_back(added(l, sign > 0 || is_unknown(r) ? r : negated(r)));
        }
    }
    return any_unknown(result) || result.size() > kMaxForms ? bounded(whole) : result;
}

AccessReader::Forms AccessReader::product(const Expr &a, const Expr &b, const Expr &whole) {
    Forms left = form(a), right = form(b);
    auto c = number(right);
    if (!c) {
        left.swap(right);
        c = number(right);
    }
    if (!c || any_unknown(left)) {
        return bounded(whole);
    }
    if (*c == 0 && !right[0].estimated) {
        return {constant(0, 0, AxisAccess::Kind::Affine)};
    }
    if (*c == 0) {
        return bounded(whole);
    }
    for (AxisAccess &f : left) {
        f = scaled(*c < 0 ? negated(f) : f, *c < 0 ? -*c : *c);
        f.estimated |= right[0].estimated;
    }
    return any_unknown(left) ? bounded(whole) : left;
}

AccessReader::Forms AccessReader::quotient(const Expr &a, const Expr &b, const Expr &whole) {
    Forms left = form(a);
    const Forms right = form(b);
    const auto c = number(right);
    if (!c || *c == 0 || any_unknown(left)) {
        return bounded(whole);
    }
    for (AxisAccess &f : left) {  // Halide's division rounds so that the remainder is not negative
        f = divided(f, *c < 0 ? -*c : *c);
        f = *c < 0 && !is_unknown(f) ? negated(f) : f;
        f.estimated |= right[0].estimated;
    }
    return any_unknown(left) ? bounded(whole) : left;
}

AccessReader::Forms AccessReader::extremum(const Expr &a, const Expr &b, bool is_min, const Expr &whole) {
    Forms left = form(a), right = form(b);
    if (any_unknown(left) || any_unknown(right)) {
        return bounded(whole);
    }
    auto limit = number(right);
    if (!limit && number(left)) {
        limit = number(left);
        left.swap(right);
    }
    if (!limit) {
        unite(left, right);
        return left.size() > kMaxForms ? bounded(whole) : left;
    }
    for (AxisAccess &f : left) {
        Interval limits = f.limits;
        if (is_min) {
            limits = {std::min(limits.min, *limit), std::min(limits.max, *limit)};
        } else {
            limits = {std::max(limits.min, *limit), std::max(limits.max, *limit)};
        }
        set_limits(f, limits);
        f.sized |= moves(f) && right[0].estimated;
        f.estimated |= !moves(f) && right[0].estimated;
    }
    return left;
}

AccessReader::Forms AccessReader::either(const Expr &a, const Expr &b, const Expr &whole) {
    const bool a_likely = Call::as_tag(a) != nullptr, b_likely = Call::as_tag(b) != nullptr;
    if (is_input_ && a_likely != b_likely) {
        return form(a_likely ? a : b);
    }
    Forms left = form(a);
    unite(left, form(b));
    return any_unknown(left) || left.size() > kMaxForms ? bounded(whole) : left;
}

AccessReader::Forms AccessReader::call(const Call *op, const Expr &whole) {
    if (Call::as_tag(whole)) {
        return form(op->args[0]);
    }
    if (op->is_intrinsic({Call::promise_clamped, Call::unsafe_promise_clamped})) {
        return form(op->args.size() == 3 ? max(min(op->args[0], op->args[2]), op->args[1]) : op->args[0]);
    }
    if (op->is_intrinsic(Call::if_then_else) && op->args.size() == 3) {
        return either(op->args[1], op->args[2], whole);
    }
    if (op->is_intrinsic({Call::shift_left, Call::shift_right}) && op->args.size() == 2) {
        const auto bits = number(form(op->args[1]));
        if (bits && *bits >= 0 && *bits < 31) {
            const Expr power = make_const(op->type, int64_t{1} << *bits);
            return op->is_intrinsic(Call::shift_left) ? product(op->args[0], power, whole)
                                                      : quotient(op->args[0], power, whole);
        }
    }
    return bounded(whole);
}

AccessReader::Forms AccessReader::form(const Expr &e) {
    const auto known = forms_.find(e);
    return known != forms_.end() ? known->second : forms_.emplace(e, find_form(e)).first->second;
}

AccessReader::Forms AccessReader::find_form(const Expr &e) {
    if (const auto value = as_number(e)) {
        return {constant(*value, *value, AxisAccess::Kind::Affine)};
    }
    if (const Cast *op = e.as<Cast>()) {
        const Type from = op->value.type();
        const bool keeps = from.is_int() || (from.is_uint() && from.bits() < 32);
        return is_index_type(op->type) && keeps ? form(op->value) : bounded(e);
    }
    if (!is_index_type(e.type())) {  // arithmetic in narrow types wraps around
        return bounded(e);
    }
    if (const Variable *op = e.as<Variable>()) {
        const auto loop = loops_.find(op->name);
        if (loop == loops_.end()) {
            return bounded(e);
        }
        AxisAccess identity;
        identity.terms = {{loop->second.loop, 1}};
        return {identity};
    }
    if (const Add *op = e.as<Add>()) {
        return sum(op->a, op->b, 1, e);
    }
    if (const Sub *op = e.as<Sub>()) {
        return sum(op->a, op->b, -1, e);
    }
    if (const Mul *op = e.as<Mul>()) {
        return product(op->a, op->b, e);
    }
    if (const Div *op = e.as<Div>()) {
        return quotient(op->a, op->b, e);
    }
    if (const Min *op = e.as<Min>()) {
        return extremum(op->a, op->b, true, e);
    }
    if (const Max *op = e.as<Max>()) {
        return extremum(op->a, op->b, false, e);
    }
    if (const Select *op = e.as<Select>()) {
        return either(op->true_value, op->false_value, e);
    }
    if (const Call *op = e.as<Call>()) {
        return call(op, e);
    }
    return bounded(e);
}

void AccessReader::set_drift(const Expr &index, AxisAccess &form) const {
    if (const auto drift = drift_of(index, form, loops_, estimates_)) {
        form.follows = true;
        form.drift = *drift;
    }
}

std::vector<Access> AccessReader::read(const std::vector<Expr> &indices, bool is_input) {
    is_input_ = is_input;
    forms_.clear();
    sizes_.clear();
    std::vector<Access> accesses{Access{}};
    for (const Expr &index : indices) {
        Forms forms = form(index);
        if (accesses.size() * forms.size() > kMaxForms) {
            forms = {unknown()};
        }
        data_dependent_ |= index_variables(index, loops_).loads || any_unknown(forms);
        if (forms.size() == 1) {
            set_drift(index, forms[0]);
        }
        std::vector<Access> longer;
        for (const Access &access : accesses) {
            for (const AxisAccess &f : forms) {
                longer.push_back(access);
                longer.back().axes.push_back(f);
            }
        }
        accesses = std::move(longer);
    }
    for (size_t i = 1; i < accesses.size(); i++) {
        accesses[i].loads = 0;
    }
    return accesses;
}

void merge(std::vector<Access> &into, const Access &access) {
    for (Access &a : into) {
        const bool same = std::equal(a.axes.begin(), a.axes.end(), access.axes.begin(), access.axes.end(),
                                     [](const AxisAccess &x, const AxisAccess &y) { return x.same_matrix(y); });
        if (same) {
            for (size_t d = 0; d < a.axes.size(); d++) {
                a.axes[d].lo = std::min(a.axes[d].lo, access.axes[d].lo);
                a.axes[d].hi = std::max(a.axes[d].hi, access.axes[d].hi);
                a.axes[d].estimated |= access.axes[d].estimated;
                a.axes[d].sized &= access.axes[d].sized;
            }
            a.loads += access.loads;
            return;
        }
    }
    into.push_back(access);
}

}  // namespace warptile
