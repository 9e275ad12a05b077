#include "verify/lowered/largest_value.h"

#include "dag/linear_system.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

// A larger system takes too long, and is that of no tile.
constexpr int most_variables = 64;

LinearForm number(int64_t value) { return {value, {}}; }

LinearForm times(const LinearForm &f, int64_t factor) { return factor == 0 ? number(0) : plus({}, f, factor); }

// At most 0 where a <= b.
LinearForm not_above(const LinearForm &a, const LinearForm &b) { return plus(a, b, -1); }

// Sums stay as they are in a linear form, all else becomes a variable of its own with what is known of it.
class Linearised {
public:
    Linearised(const ValueOf &value_of, const BoundsOf &bounds_of) : value_of(value_of), bounds_of(bounds_of) {}

    LinearForm form(const Expr &e) {
        if (const auto value = as_const_int(e))
            return number(*value);
        if (!e.type().is_scalar() || !e.type().is_int() || e.type().bits() < 32)
            return unknown(e);
        if (const Variable *op = e.as<Variable>())
            return variable(op);
        if (const Add *op = e.as<Add>())
            return plus(form(op->a), form(op->b));
        if (const Sub *op = e.as<Sub>())
            return plus(form(op->a), form(op->b), -1);
        if (const Min *op = e.as<Min>())
            return extreme(form(op->a), form(op->b), -1);
        if (const Max *op = e.as<Max>())
            return extreme(form(op->a), form(op->b), 1);
        if (const Mul *op = e.as<Mul>()) {
            const auto factor = as_const_int(op->b);
            return factor ? times(form(op->a), *factor) : unknown(e);
        }
        if (const Div *op = e.as<Div>()) {
            const auto divisor = as_const_int(op->b);
            return divisor && *divisor > 0 ? quotient(form(op->a), *divisor) : unknown(e);
        }
        if (const Mod *op = e.as<Mod>()) {
            const auto divisor = as_const_int(op->b);
            if (!divisor || *divisor <= 0)
                return unknown(e);
            const LinearForm a = form(op->a);
            return plus(a, quotient(a, *divisor), -*divisor);
        }
        if (const Select *op = e.as<Select>())
            return selected(op);
        if (const Let *op = e.as<Let>())
            return with_let(op);
        return unknown(e);
    }

    LinearSystem system;

private:
    LinearForm new_variable() {
        if (system.count() >= most_variables)
            throw std::overflow_error("too many variables");
        return {0, {{system.add_variable(), 1}}};
    }

    void bound(const LinearForm &f, const Interval &interval) {
        if (const auto least = interval.has_lower_bound() ? as_const_int(interval.min) : std::nullopt)
            system.require(not_above(number(*least), f));
        if (const auto most = interval.has_upper_bound() ? as_const_int(interval.max) : std::nullopt)
            system.require(not_above(f, number(*most)));
    }

    // Equal expressions have one value.
    LinearForm unknown(const Expr &e) {
        const auto known = unknowns.find(e);
        if (known != unknowns.end())
            return known->second;
        const LinearForm f = new_variable();
        bound(f, bounds_of(e));
        unknowns.emplace(e, f);
        return f;
    }

    LinearForm variable(const Variable *op) {
        if (const auto known = names.find(op->name); known != names.end())
            return known->second;
        const Expr value = value_of(op->name);
        if (!value.defined())
            return names[op->name] = unknown(op);
        // Inside its own value a name is that of another variable, which it hides.
        if (!open.insert(op->name).second)
            return new_variable();
        const LinearForm f = form(value);
        open.erase(op->name);
        bound(f, bounds_of(op));
        return names[op->name] = f;
    }

    LinearForm with_let(const Let *op) {
        const LinearForm value = op->value.type().is_int() ? form(op->value) : new_variable();
        const std::map<std::string, LinearForm> outside = names;
        names[op->name] = value;
        const LinearForm body = form(op->body);
        names = outside;
        return body;
    }

    // The larger of two (`sign` 1) or the smaller (-1).
    LinearForm extreme(const LinearForm &a, const LinearForm &b, int sign) {
        const LinearForm difference = not_above(a, b);
        if (difference.factors.empty())
            return difference.constant * sign > 0 ? a : b;
        LinearForm &f = extremes_of[{sign, std::min(a, b), std::max(a, b)}];
        if (f.factors.empty()) {
            f = new_variable();
            system.require(times(not_above(a, f), sign));
            system.require(times(not_above(b, f), sign));
            system.require_one_of({times(not_above(f, a), sign)}, {times(not_above(f, b), sign)});
        }
        return f;
    }

    // Rounded down. What the divisor divides anyway is exact.
    LinearForm quotient(const LinearForm &f, int64_t divisor) {
        LinearForm whole, rest;
        for (const auto &[variable, factor] : f.factors) {
            if (factor % divisor == 0)
                whole.factors[variable] = factor / divisor;
            else
                rest.factors[variable] = factor;
        }
        rest.constant = (f.constant % divisor + divisor) % divisor;
        whole.constant = (f.constant - rest.constant) / divisor;
        if (rest.factors.empty())
            return whole;
        // Of numbers less than a divisor apart the quotients are the same or neighbours: where only fractions of a
        // whole are left, the inequalities of each do not say so.
        std::map<int64_t, LinearForm> &by_constant = quotients[{divisor, rest.factors}];
        if (const auto known = by_constant.find(rest.constant); known != by_constant.end())
            return plus(whole, known->second);
        const LinearForm q = new_variable();
        system.require(not_above(times(q, divisor), rest));
        system.require(not_above(rest, plus(times(q, divisor), number(divisor - 1))));
        for (const auto &[constant, other] : by_constant) {
            const bool above = constant > rest.constant;
            const LinearForm &lower = above ? q : other, &upper = above ? other : q;
            system.require(not_above(lower, upper));
            system.require(not_above(upper, plus(lower, number(1))));
        }
        by_constant[rest.constant] = q;
        return plus(whole, q);
    }

    LinearForm selected(const Select *op) {
        const LinearForm a = form(op->true_value), b = form(op->false_value), f = new_variable();
        LinearSystem::Inequalities first = {not_above(f, a), not_above(a, f)},
                                   second = {not_above(f, b), not_above(b, f)};
        if (const LT *less = op->condition.as<LT>(); less && less->a.type().is_int()) {
            const LinearForm left = form(less->a), right = form(less->b);
            first.push_back(plus(not_above(left, right), number(1)));
            second.push_back(not_above(right, left));
        } else if (const LE *most = op->condition.as<LE>(); most && most->a.type().is_int()) {
            const LinearForm left = form(most->a), right = form(most->b);
            first.push_back(not_above(left, right));
            second.push_back(plus(not_above(right, left), number(1)));
        }
        system.require_one_of(first, second);
        return f;
    }

    const ValueOf &value_of;
    const BoundsOf &bounds_of;
    std::map<std::string, LinearForm> names;
    std::set<std::string> open;  // whose values are being read
    std::map<Expr, LinearForm, IRGraphDeepCompare> unknowns;
    std::map<std::tuple<int, LinearForm, LinearForm>, LinearForm> extremes_of;
    // By the divisor and what is divided but for its constant, by that.
    std::map<std::pair<int64_t, std::map<int, int64_t>>, std::map<int64_t, LinearForm>> quotients;
};

}  // namespace

Extremes extremes(const Expr &e, const ValueOf &value_of, const BoundsOf &bounds_of) {
    Linearised linear(value_of, bounds_of);
    Extremes result;
    try {
        const LinearForm f = linear.form(e);
        const auto at_most = [&](int64_t most) { return linear.system.excludes(not_above(number(most + 1), f)); };
        const int64_t limit = std::numeric_limits<int32_t>::max();
        if (!at_most(limit))
            return result;
        int64_t most = 1;
        while (most < limit && !at_most(most))
            most *= 4;
        for (int64_t low = most > 1 ? most / 4 : -1; most - low > 1;) {
            const int64_t middle = low + (most - low) / 2;
            (at_most(middle) ? most : low) = middle;
        }
        result.largest = most;
        result.always = linear.system.excludes(not_above(f, number(most - 1)));
    } catch (const std::overflow_error &) {
        return {};
    }
    return result;
}

}  // namespace warptile
