#include "verify/lowered/known_numbers.h"

#include "verify/lowered/largest_value.h"

#include <sstream>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

bool is_integer(const Expr &e) { return e.type().is_scalar() && (e.type().is_int() || e.type().is_uint()); }

}  // namespace

std::string expression_text(const Expr &e) {
    std::ostringstream s;
    s << e;
    const std::string text = s.str();
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i > 0 && i + 1 == text.size() ? text.substr(1, i - 1) : text;
    }
    return text;
}

void KnownNumbers::push_let(const std::string &name, const Expr &value) {
    Internal::Interval interval = Internal::Interval::everything();
    if (is_integer(value))
        interval = find_constant_bounds(value, bounds);
    const auto promise = promises.find(name);
    if (promise != promises.end() && !interval.has_upper_bound())
        interval.max = make_const(value.type(), promise->second);
    bounds.push(name, interval);
    values[name].push_back(value);
}

void KnownNumbers::push_loop(const std::string &name, const Expr &min, const Expr &extent) {
    Internal::Interval interval = Internal::Interval::everything();
    interval.min = find_constant_bounds(min, bounds).min;
    interval.max = find_constant_bounds(min + extent - 1, bounds).max;
    bounds.push(name, interval);
    values[name].emplace_back();
}

void KnownNumbers::pop(const std::string &name) {
    bounds.pop(name);
    values[name].pop_back();
}

void KnownNumbers::narrow(const std::string &name, const Internal::Interval &to, std::vector<std::string> &assumed) {
    const Internal::Interval known = bounds.contains(name) ? bounds.get(name) : Internal::Interval::everything();
    const Internal::Interval narrowed = Internal::Interval::make_intersection(known, to);
    bounds.push(name, {simplify(narrowed.min), simplify(narrowed.max)});
    assumed.push_back(name);
}

// `smaller < larger`, or `<=` where they may be `equal`.
void KnownNumbers::assume_comparison(const Expr &smaller, const Expr &larger, bool equal,
                                     std::vector<std::string> &assumed) {
    const Variable *below = smaller.as<Variable>(), *above = larger.as<Variable>();
    const Expr one = make_const(smaller.type(), equal ? 0 : 1);
    if (below && is_const(larger))
        narrow(below->name, {Internal::Interval::neg_inf(), simplify(larger - one)}, assumed);
    else if (above && is_const(smaller))
        narrow(above->name, {simplify(smaller + one), Internal::Interval::pos_inf()}, assumed);
}

std::vector<std::string> KnownNumbers::assume(const Expr &condition, bool holds) {
    std::vector<std::string> assumed;
    const And *both = condition.as<And>();
    if (both && holds) {
        assumed = assume(both->a, true);
        const std::vector<std::string> more = assume(both->b, true);
        assumed.insert(assumed.end(), more.begin(), more.end());
    } else if (const Not *negated = condition.as<Not>()) {
        return assume(negated->a, !holds);
    } else if (const LT *less = condition.as<LT>(); less && is_integer(less->a)) {
        holds ? assume_comparison(less->a, less->b, false, assumed)
              : assume_comparison(less->b, less->a, true, assumed);
    } else if (const LE *most = condition.as<LE>(); most && is_integer(most->a)) {
        holds ? assume_comparison(most->a, most->b, true, assumed)
              : assume_comparison(most->b, most->a, false, assumed);
    } else if (const EQ *equal = condition.as<EQ>(); equal && holds && is_integer(equal->a)) {
        assume_comparison(equal->a, equal->b, true, assumed);
        assume_comparison(equal->b, equal->a, true, assumed);
    }
    return assumed;
}

void KnownNumbers::forget(const std::vector<std::string> &assumed) {
    for (auto name = assumed.rbegin(); name != assumed.rend(); ++name)
        bounds.pop(*name);
}

Expr KnownNumbers::value_of(const std::string &name) const {
    const auto found = values.find(name);
    return found == values.end() || found->second.empty() ? Expr() : found->second.back();
}

Expr KnownNumbers::resolved(Expr e) const {
    constexpr int longest_chain = 16;  // a name that hides another could be bound to itself
    for (int i = 0; i < longest_chain; i++) {
        const Variable *variable = e.as<Variable>();
        const Expr value = variable ? value_of(variable->name) : Expr();
        if (!value.defined())
            break;
        e = value;
    }
    return e;
}

TrialNumber KnownNumbers::number(const Expr &e) const {
    TrialNumber n;
    n.text = expression_text(resolved(e));
    const Internal::Interval interval = find_constant_bounds(e, bounds);
    if (!interval.has_upper_bound() && is_integer(e)) {
        const Extremes found = extremes(
            e, [this](const std::string &name) { return value_of(name); },
            [this](const Expr &part) { return find_constant_bounds(part, bounds); });
        n.at_most = found.largest;
        n.exact = found.always;
        return n;
    }
    const auto max = interval.has_upper_bound() ? as_const_int(interval.max) : std::nullopt;
    const auto min = interval.has_lower_bound() ? as_const_int(interval.min) : std::nullopt;
    n.at_most = max;
    n.exact = max && min && *max == *min;
    return n;
}

std::optional<int64_t> KnownNumbers::size_at_most(const Expr &e) const {
    const Expr size = resolved(e);
    const Mul *mul = size.as<Mul>();
    if (!mul)
        return number(e).at_most;
    const auto a = size_at_most(mul->a), b = size_at_most(mul->b);
    return a && b ? std::optional<int64_t>(*a * *b) : std::nullopt;
}

TrialNumber product(const TrialNumber &a, const TrialNumber &b) {
    TrialNumber n;
    n.text = a.text == "1" ? b.text : b.text == "1" ? a.text : "(" + a.text + ")*(" + b.text + ")";
    if (a.at_most && b.at_most)
        n.at_most = *a.at_most * *b.at_most;
    n.exact = a.exact && b.exact;
    if (n.exact)
        n.text = std::to_string(*n.at_most);
    return n;
}

TrialNumber sum(const TrialNumber &a, const TrialNumber &b) {
    TrialNumber n;
    n.text = a.text == "0" ? b.text : b.text == "0" ? a.text : a.text + " + " + b.text;
    if (a.at_most && b.at_most)
        n.at_most = *a.at_most + *b.at_most;
    n.exact = a.exact && b.exact;
    if (n.exact)
        n.text = std::to_string(*n.at_most);
    return n;
}

TrialNumber constant(int64_t value) { return {std::to_string(value), value, true}; }

}  // namespace warptile
