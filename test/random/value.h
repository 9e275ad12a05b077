#pragma once

// Expressions that know what values they can take, so that a random program never does what Halide leaves undefined
// (overflow of 32- and 64-bit signed integers, a float out of an integer's range) and never turns the last bit of a
// float into a different integer, index or branch: both would make two right schedules disagree.

#include "Halide.h"
#include "prng.h"

namespace warptile::fuzz {

struct Value {
    Halide::Expr expr;
    double lo = 0, hi = 0;  ///< every value lies within
    /// An integer, or a float that holds a whole number which no order of evaluation can round: it may be compared,
    /// cast to an integer and used as an index.
    bool exact = true;

    Halide::Type type() const { return expr.type(); }

    double magnitude() const;
};

/// The type's own range; floats have none, and get one that their sums stay within.
double lowest(Halide::Type t);
double highest(Halide::Type t);

/// What a float or integer of this type may grow to before it is scaled down again.
double comfortable(Halide::Type t);

Value constant(Halide::Type t, int value);

/// The value in another type. Whole numbers out of its range are wrapped where Halide defines that, and brought into
/// range by a remainder or a clamp where not. An inexact float becomes a float only (see `float_of`).
Value convert(const Value &v, Halide::Type t);

/// `t`, or a float type in its stead where one of the values is inexact and `t` is none.
Halide::Type type_for(Halide::Type t, const std::vector<Value> &operands);

/// Within [-limit, limit] and of the same type.
Value limited(const Value &v, double limit);

/// A random operation on two values of one type, which is also the result's.
Value combine(Prng &prng, const Value &a, const Value &b);

/// A random operation on one value.
Value modify(Prng &prng, const Value &v);

Value add(const Value &a, const Value &b);

/// A random condition on two exact values of one type.
Halide::Expr condition(Prng &prng, const Value &a, const Value &b);

/// An index in [0, extent) that depends on the data of an exact value.
Halide::Expr data_index(const Value &v, int extent);

/// Types of what Funcs and buffers hold, and of what is computed with (no float16: it is for storage).
Halide::Type stored_type(Prng &prng);
Halide::Type working_type(Prng &prng);

}  // namespace warptile::fuzz
