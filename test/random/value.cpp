#include "value.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warptile::fuzz {

using Halide::Bool;
using Halide::Expr;
using Halide::Float;
using Halide::Int;
using Halide::Type;
using Halide::UInt;

namespace {

/// Overflow is undefined: 32- and 64-bit signed integers.
bool must_not_overflow(Type t) { return t.is_int() && t.bits() >= 32; }

/// The largest whole number up to which a float type holds them all.
double whole_numbers(Type t) { return std::ldexp(1.0, t.bits() == 16 ? 11 : t.bits() == 32 ? 24 : 53); }

/// Gives an integer result its range: its own, or the type's where it wraps.
Value wrapped(Expr e, double lo, double hi) {
    const Type t = e.type();
    if (lo < lowest(t) || hi > highest(t)) {
        return {std::move(e), lowest(t), highest(t), true};
    }
    return {std::move(e), lo, hi, true};
}

Value in_float(Expr e, double lo, double hi, bool exact) {
    const double magnitude = std::max(std::abs(lo), std::abs(hi));
    const bool still_exact = exact && magnitude <= whole_numbers(e.type());
    return {std::move(e), lo, hi, still_exact};
}

Value result(Expr e, double lo, double hi, bool exact) {
    return e.type().is_float() ? in_float(std::move(e), lo, hi, exact) : wrapped(std::move(e), lo, hi);
}

Value product(const Value &a, const Value &b) {
    const double root = std::sqrt(comfortable(a.type()));
    const Value l = limited(a, root), r = limited(b, root);
    const std::vector<double> corners = {l.lo * r.lo, l.lo * r.hi, l.hi * r.lo, l.hi * r.hi};
    return result(l.expr * r.expr, *std::min_element(corners.begin(), corners.end()),
                  *std::max_element(corners.begin(), corners.end()), l.exact && r.exact);
}

Value difference(const Value &a, const Value &b) {
    const double half = comfortable(a.type()) / 2;
    const Value l = limited(a, half), r = limited(b, half);
    if (Halide::Internal::equal(l.expr, r.expr)) {
        return l;  // the simplifier would take the loads away, and with them what the input has to hold
    }
    return result(l.expr - r.expr, l.lo - r.hi, l.hi - r.lo, l.exact && r.exact);
}

Value combine_bools(Prng &prng, const Value &a, const Value &b) {
    switch (prng.below(3)) {
    case 0:
        return {a.expr && b.expr, 0, 1, true};
    case 1:
        return {a.expr || b.expr, 0, 1, true};
    default:
        return {a.expr != b.expr, 0, 1, true};
    }
}

Value remainder(const Value &v, int by) {
    return {v.expr % Halide::Internal::make_const(v.type(), by), 0, by - 1.0, true};
}

Value modify_int(Prng &prng, const Value &v) {
    const int by = prng.between(2, 7);
    switch (prng.below(5)) {
    case 0:
        return {v.expr / Halide::Internal::make_const(v.type(), by), std::floor(v.lo / by), std::ceil(v.hi / by), true};
    case 1:
        return remainder(v, prng.between(2, 100));
    case 2:
        return {v.expr >> Halide::Internal::make_const(v.type().with_code(Halide::Type::UInt), 1), std::floor(v.lo / 2),
                std::floor(v.hi / 2), true};
    case 3:
        return combine(prng, v, constant(v.type(), by));
    default:
        return {~v.expr, v.type().is_int() ? -v.hi - 1 : lowest(v.type()),
                v.type().is_int() ? -v.lo - 1 : highest(v.type()), true};
    }
}

Value modify_float(Prng &prng, const Value &v) {
    const Type t = v.type();
    switch (prng.below(5)) {
    case 0:
        return {v.expr * Halide::Internal::make_const(t, 0.375), v.lo * 0.375, v.hi * 0.375, false};
    case 1:
        return {sqrt(abs(v.expr)), 0, std::sqrt(v.magnitude()), false};
    case 2: {
        const double scale = 2 / std::max(1.0, v.magnitude());
        return {exp(v.expr * Halide::Internal::make_const(t, scale)), 0, 8, false};
    }
    case 3:
        return {abs(v.expr), 0, v.magnitude(), v.exact};
    default:
        return combine(prng, v, constant(t, prng.between(-3, 7)));
    }
}

/// A whole number brought into a type whose range it leaves.
Value integer_to_integer(const Value &v, Type t) {
    if (v.lo >= lowest(t) && v.hi <= highest(t)) {
        return {cast(t, v.expr), v.lo, v.hi, true};
    }
    if (must_not_overflow(t)) {
        return integer_to_integer(remainder(v, 1009), t);
    }
    return {cast(t, v.expr), lowest(t), highest(t), true};
}

}  // namespace

double Value::magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }

double lowest(Type t) { return t.is_float() ? -1e30 : t.is_uint() ? 0 : -std::ldexp(1.0, t.bits() - 1); }

double highest(Type t) {
    return t.is_float() ? 1e30 : t.is_bool() ? 1 : std::ldexp(1.0, t.is_uint() ? t.bits() : t.bits() - 1) - 1;
}

double comfortable(Type t) {
    if (t.is_float()) {
        return t.bits() == 16 ? 1000 : 1e6;
    }
    return must_not_overflow(t) ? std::ldexp(1.0, t.bits() - 2) : 2 * highest(t);
}

Value constant(Type t, int value) {
    return {Halide::Internal::make_const(t, value), double(value), double(value), true};
}

Value limited(const Value &v, double limit) {
    if (v.magnitude() <= limit) {
        return v;
    }
    if (!v.type().is_float()) {
        // Types that wrap have no need of it, and a remainder must fit the type.
        const double fits = std::min(limit, highest(v.type()));
        return must_not_overflow(v.type()) ? remainder(v, static_cast<int>(std::min(fits, 1009.0))) : v;
    }
    if (v.exact) {
        const double whole = std::floor(limit);
        const Expr bound = Halide::Internal::make_const(v.type(), whole);
        return {clamp(v.expr, -bound, bound), std::max(v.lo, -whole), std::min(v.hi, whole), true};
    }
    const double scale = limit / v.magnitude();
    return {v.expr * Halide::Internal::make_const(v.type(), scale), v.lo * scale, v.hi * scale, false};
}

namespace {

/// A float as an integer of type `t` in [lo, hi]. By way of int32 where `t` is wider, of which Halide knows more.
Expr within(const Expr &e, double lo, double hi, Type t) {
    const Type way = t.bits() < 32 ? t : Int(32);
    return cast(t, clamp(cast(way, e), Halide::Internal::make_const(way, std::floor(lo)),
                         Halide::Internal::make_const(way, std::ceil(hi))));
}

}  // namespace

Value convert(const Value &v, Type t) {
    if (v.type() == t) {
        return v;
    }
    if (t.is_float()) {
        const Value small = limited(v, v.exact ? std::min(whole_numbers(t) / 2, 1e6) : comfortable(t));
        const bool fits = small.magnitude() <= whole_numbers(t);
        const Value whole = fits || v.type().is_float() ? small : remainder(small, 251);
        return {cast(t, whole.expr), whole.lo, whole.hi, v.exact};
    }
    if (t.is_bool()) {
        return {v.expr > Halide::Internal::make_const(v.type(), v.type().is_bool() ? 0 : 1), 0, 1, true};
    }
    if (v.type().is_float()) {
        // A float beyond the range of an integer type converts to whatever the machine likes, also on the way through a
        // wider type, which compilers leave out: so it is brought into the range first.
        const Value small = limited(v, std::min(1e6, highest(t)));
        // Halide makes one cast of this and a narrower one that may follow, which then is out of range: bounds that
        // change nothing keep the two apart.
        if (t.is_uint() && small.lo < 0) {
            return {within(abs(small.expr), 0, small.magnitude(), t), 0, small.magnitude(), true};
        }
        return {within(small.expr, small.lo, small.hi, t), small.lo, small.hi, true};
    }
    return integer_to_integer(v, t);
}

Type type_for(Type t, const std::vector<Value> &operands) {
    const bool inexact = std::any_of(operands.begin(), operands.end(), [](const Value &v) { return !v.exact; });
    if (!inexact || (t.is_float() && t.bits() > 16)) {
        return t;
    }
    return Float(t.bits() == 64 ? 64 : 32);
}

Value add(const Value &a, const Value &b) {
    if (a.type().is_bool()) {  // their sum is another thing on every machine
        return {a.expr || b.expr, 0, 1, true};
    }
    const double half = comfortable(a.type()) / 2;
    const Value l = limited(a, half), r = limited(b, half);
    return result(l.expr + r.expr, l.lo + r.lo, l.hi + r.hi, l.exact && r.exact);
}

Value combine(Prng &prng, const Value &a, const Value &b) {
    if (a.type().is_bool()) {
        return combine_bools(prng, a, b);
    }
    switch (prng.below(7)) {
    case 0:
        return product(a, b);
    case 1:
        return difference(a, b);
    case 2:
        return {min(a.expr, b.expr), std::min(a.lo, b.lo), std::min(a.hi, b.hi), a.exact && b.exact};
    case 3:
        return {max(a.expr, b.expr), std::max(a.lo, b.lo), std::max(a.hi, b.hi), a.exact && b.exact};
    case 4:
        if (a.exact && b.exact) {
            const Value other = add(b, constant(a.type(), 1));
            return {select(condition(prng, a, b), a.expr, other.expr), std::min(a.lo, other.lo),
                    std::max(a.hi, other.hi), other.exact};
        }
        return add(a, b);
    default:
        return add(a, b);
    }
}

Value modify(Prng &prng, const Value &v) {
    if (v.type().is_bool()) {
        return {!v.expr, 0, 1, true};
    }
    return v.type().is_float() ? modify_float(prng, v) : modify_int(prng, v);
}

Expr condition(Prng &prng, const Value &a, const Value &b) {
    switch (prng.below(4)) {
    case 0:
        return a.expr < b.expr;
    case 1:
        return a.expr >= b.expr;
    case 2:
        return a.expr == b.expr;
    default:
        return a.expr != b.expr;
    }
}

Expr data_index(const Value &v, int extent) {
    const Value i = convert(v, Int(32));
    return clamp(i.expr, 0, extent - 1);
}

Type stored_type(Prng &prng) {
    static const std::vector<Type> types = {UInt(8),   UInt(8),   UInt(16),  Int(16),   Int(32), Int(32),
                                            Float(32), Float(32), Float(32), Float(32), Int(8),  UInt(32),
                                            Float(16), Float(64), Int(64),   UInt(64),  Bool(),  Int(32)};
    return prng.pick(types);
}

Type working_type(Prng &prng) {
    const Type t = stored_type(prng);
    return t.is_float() && t.bits() == 16 ? Float(32) : t;
}

}  // namespace warptile::fuzz
