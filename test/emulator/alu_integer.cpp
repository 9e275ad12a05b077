// Integer arithmetic. It wraps around, so it is done in unsigned numbers of 64 bits and cut; a division by zero gives
// what cards give: all bits set, and the dividend as the remainder.
#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

template<class T>
uint64_t wide(T value) {
    return static_cast<uint64_t>(value);
}

struct Add {
    template<class T>
    static T of(T a, T b) {
        return static_cast<T>(wide(a) + wide(b));
    }
};

struct Sub {
    template<class T>
    static T of(T a, T b) {
        return static_cast<T>(wide(a) - wide(b));
    }
};

struct MulLow {
    template<class T>
    static T of(T a, T b) {
        return static_cast<T>(wide(a) * wide(b));
    }
};

struct MulHigh {
    template<class T>
    static T of(T a, T b) {
        using Product = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
        return static_cast<T>(static_cast<Product>(a) * static_cast<Product>(b) >> (8 * sizeof(T)));
    }
};

struct Div {
    template<class T>
    static T of(T a, T b) {
        if (b == 0) {
            return static_cast<T>(~uint64_t(0));
        }
        return std::is_signed_v<T> && b == static_cast<T>(-1) ? Sub::of<T>(0, a) : static_cast<T>(a / b);
    }
};

struct Rem {
    template<class T>
    static T of(T a, T b) {
        if (b == 0) {
            return a;
        }
        return std::is_signed_v<T> && b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);
    }
};

struct Min {
    template<class T>
    static T of(T a, T b) {
        return a < b ? a : b;
    }
};

struct Max {
    template<class T>
    static T of(T a, T b) {
        return a < b ? b : a;
    }
};

struct Neg {
    template<class T>
    static T of(T a) {
        return Sub::of<T>(0, a);
    }
};

struct Abs {
    template<class T>
    static T of(T a) {
        return a < T(0) ? Neg::of(a) : a;
    }
};

struct Sad {
    template<class T>
    static T of(T a, T b, T c) {
        return Add::of(c, a < b ? Sub::of(b, a) : Sub::of(a, b));
    }
};

struct MadLow {
    template<class T>
    static T of(T a, T b, T c) {
        return Add::of(MulLow::of(a, b), c);
    }
};

struct MadHigh {
    template<class T>
    static T of(T a, T b, T c) {
        return Add::of(MulHigh::of(a, b), c);
    }
};

/// add.sat.s32 and sub.sat.s32.
template<bool subtract>
void saturating(uint64_t *r, const Instruction &i) {
    const int64_t a = value_of<int32_t>(r[i.a]), b = value_of<int32_t>(r[i.b]);
    const int64_t sum = subtract ? a - b : a + b;
    r[i.d[0]] = slot_of(static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX)));
}

/// mul.wide and mad.wide: factors of T, a result of twice the size.
template<bool with_addend>
struct Wide {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = wide(value_of<T>(r[i.a])) * wide(value_of<T>(r[i.b])) + (with_addend ? r[i.c] : 0);
    }
};

/// mul24 and mad24, the low 32 bits.
template<bool with_addend>
struct Mul24 {
    template<class T>
    static T low(uint64_t slot) {
        return static_cast<T>(value_of<T>(slot << 8)) >> 8;
    }

    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of(static_cast<T>(wide(low<T>(r[i.a])) * wide(low<T>(r[i.b])) + (with_addend ? r[i.c] : 0)));
    }
};

/// The last step of an instruction that takes the carry in (with_carry) or keeps the one that comes out (`set`).
template<bool subtract, bool with_carry, bool set, class T>
T carried(uint64_t *r, T first, T second) {
    using U = std::make_unsigned_t<T>;
    using Sum = unsigned __int128;
    const Sum a = static_cast<U>(first), b = static_cast<U>(second), carry = with_carry ? r[slot_carry] & 1 : 0;
    const Sum sum = subtract ? a - b - carry : a + b + carry;
    if (set) {
        r[slot_carry] = static_cast<uint64_t>(sum >> (8 * sizeof(T)) & 1);
    }
    return static_cast<T>(sum);
}

/// add.cc, addc, addc.cc and the same of sub.
template<bool subtract, bool with_carry, bool set>
struct Carry {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of(carried<subtract, with_carry, set>(r, value_of<T>(r[i.a]), value_of<T>(r[i.b])));
    }
};

/// mad.cc, madc and madc.cc of one half of a product.
template<class Half, bool with_carry, bool set>
struct MadCarry {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const T product = Half::of(value_of<T>(r[i.a]), value_of<T>(r[i.b]));
        r[i.d[0]] = slot_of(carried<false, with_carry, set>(r, product, value_of<T>(r[i.c])));
    }
};

template<class Half>
Compute find_mad_carry(const OpcodeParts &p) {
    const bool carry = p[0] == "madc", set = has(p, "cc");
    return carry && set ? pick_integer<MadCarry<Half, true, true>>(p.back())
           : carry      ? pick_integer<MadCarry<Half, true, false>>(p.back())
                        : pick_integer<MadCarry<Half, false, true>>(p.back());
}

template<bool subtract>
Compute find_carry(const OpcodeParts &p) {
    const bool carry = p[0].back() == 'c', set = has(p, "cc");
    return carry && set ? pick_integer<Carry<subtract, true, true>>(p.back())
           : carry      ? pick_integer<Carry<subtract, true, false>>(p.back())
                        : pick_integer<Carry<subtract, false, true>>(p.back());
}

/// dp4a.A.B and dp2a.lo/hi.A.B.
template<class A, class B, int count, bool high>
void dot(uint64_t *r, const Instruction &i) {
    constexpr int bits = 8 * sizeof(A);
    uint64_t sum = r[i.c];
    for (int k = 0; k < count; k++) {
        sum += wide(value_of<A>(r[i.a] >> (bits * k))) * wide(value_of<B>(r[i.b] >> (8 * k + (high ? 16 : 0))));
    }
    r[i.d[0]] = static_cast<uint32_t>(sum);
}

template<class SA, class UA, int count, bool high>
Compute find_dot(const OpcodeParts &p) {
    const bool a = p[p.size() - 2] == "s32", b = p.back() == "s32";
    return a && b ? &dot<SA, int8_t, count, high>
           : a    ? &dot<SA, uint8_t, count, high>
           : b    ? &dot<UA, int8_t, count, high>
                  : &dot<UA, uint8_t, count, high>;
}

Compute find_product(const OpcodeParts &p) {
    const bool mad = p[0] == "mad";
    if (has(p, "wide")) {
        return mad ? pick_integer<Wide<true>>(p.back()) : pick_integer<Wide<false>>(p.back());
    }
    if (has(p, "hi")) {
        return mad ? pick_integer<Ternary<MadHigh>>(p.back()) : pick_integer<Binary<MulHigh>>(p.back());
    }
    return mad ? pick_integer<Ternary<MadLow>>(p.back()) : pick_integer<Binary<MulLow>>(p.back());
}

}  // namespace

Compute find_integer(const OpcodeParts &p) {
    const std::string &root = p[0], &type = p.back();
    if (root == "addc" || (root == "add" && has(p, "cc"))) {
        return find_carry<false>(p);
    }
    if (root == "subc" || (root == "sub" && has(p, "cc"))) {
        return find_carry<true>(p);
    }
    if (has(p, "sat")) {
        return type != "s32"   ? nullptr
               : root == "add" ? &saturating<false>
               : root == "sub" ? &saturating<true>
                               : nullptr;
    }
    if (root == "madc" || (root == "mad" && has(p, "cc"))) {
        return has(p, "hi") ? find_mad_carry<MulHigh>(p) : find_mad_carry<MulLow>(p);
    }
    if (root == "mul" || root == "mad") {
        return find_product(p);
    }
    if (root == "mul24" || root == "mad24") {
        return has(p, "hi")      ? nullptr
               : root == "mul24" ? pick<Mul24<false>, uint32_t, int32_t>(type)
                                 : pick<Mul24<true>, uint32_t, int32_t>(type);
    }
    if (root == "dp4a" && p.size() == 3) {
        return find_dot<int8_t, uint8_t, 4, false>(p);
    }
    if (root == "dp2a" && p.size() == 4) {
        return p[1] == "hi" ? find_dot<int16_t, uint16_t, 2, true>(p) : find_dot<int16_t, uint16_t, 2, false>(p);
    }
    return root == "add"   ? pick_integer<Binary<Add>>(type)
           : root == "sub" ? pick_integer<Binary<Sub>>(type)
           : root == "div" ? pick_integer<Binary<Div>>(type)
           : root == "rem" ? pick_integer<Binary<Rem>>(type)
           : root == "min" ? pick_integer<Binary<Min>>(type)
           : root == "max" ? pick_integer<Binary<Max>>(type)
           : root == "neg" ? pick_integer<Unary<Neg>>(type)
           : root == "abs" ? pick_integer<Unary<Abs>>(type)
           : root == "sad" ? pick_integer<Ternary<Sad>>(type)
                           : nullptr;
}

}  // namespace warptile::emulator
