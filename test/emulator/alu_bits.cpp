// Logic, shifts and what picks bits apart.
#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

template<class T>
constexpr uint32_t bits_of = 8 * sizeof(T);

struct And {
    template<class T>
    static T of(T a, T b) {
        return a & b;
    }
};

struct Or {
    template<class T>
    static T of(T a, T b) {
        return a | b;
    }
};

struct Xor {
    template<class T>
    static T of(T a, T b) {
        return a ^ b;
    }
};

struct Not {
    template<class T>
    static T of(T a) {
        return static_cast<T>(~a);
    }
};

struct CNot {
    template<class T>
    static T of(T a) {
        return a == 0;
    }
};

/// The amount is a number of 32 bits whatever the type; from the width on, every bit has left.
struct ShiftLeft {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const uint32_t amount = value_of<uint32_t>(r[i.b]);
        r[i.d[0]] = amount >= bits_of<T> ? 0 : slot_of(static_cast<T>(r[i.a] << amount));
    }
};

struct ShiftRight {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const uint32_t amount = value_of<uint32_t>(r[i.b]);
        const T a = value_of<T>(r[i.a]);
        const T all_out = std::is_signed_v<T> && a < T(0) ? static_cast<T>(-1) : T(0);
        r[i.d[0]] = slot_of(amount >= bits_of<T> ? all_out : static_cast<T>(a >> amount));
    }
};

/// shf: the pair b:a shifted, the high word of a left shift, the low word of a right shift.
template<bool left, bool clamp>
void funnel(uint64_t *r, const Instruction &i) {
    const uint64_t pair = static_cast<uint64_t>(value_of<uint32_t>(r[i.b])) << 32 | value_of<uint32_t>(r[i.a]);
    const uint32_t given = value_of<uint32_t>(r[i.c]);
    const uint32_t amount = clamp ? std::min(given, 32u) : given & 31;
    r[i.d[0]] = static_cast<uint32_t>(left ? (pair << amount) >> 32 : pair >> amount);
}

template<class T>
void population(uint64_t *r, const Instruction &i) {
    r[i.d[0]] = static_cast<uint64_t>(__builtin_popcountll(value_of<T>(r[i.a])));
}

template<class T>
void leading_zeros(uint64_t *r, const Instruction &i) {
    const uint64_t a = value_of<T>(r[i.a]);
    r[i.d[0]] = a == 0 ? bits_of<T> : static_cast<uint64_t>(__builtin_clzll(a)) - (64 - bits_of<T>);
}

/// bfind: the place of the highest bit that is not the sign, all bits set where there is none; with .shiftamt its
/// distance from the top.
template<bool distance>
struct FindBit {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const T given = value_of<T>(r[i.a]);
        const uint64_t a = static_cast<std::make_unsigned_t<T>>(given < T(0) ? static_cast<T>(~given) : given);
        const uint32_t place = a == 0 ? ~0u : 63 - static_cast<uint32_t>(__builtin_clzll(a));
        r[i.d[0]] = a == 0 || !distance ? place : bits_of<T> - 1 - place;
    }
};

struct Reverse {
    template<class T>
    static T of(T a) {
        T result = 0;
        for (uint32_t k = 0; k < bits_of<T>; k++) {
            result = static_cast<T>(result | (a >> k & 1) << (bits_of<T> - 1 - k));
        }
        return result;
    }
};

/// bfe: c bits from place b on, with the sign of the highest that exists.
struct Extract {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const T a = value_of<T>(r[i.a]);
        const uint32_t place = r[i.b] & 255, length = r[i.c] & 255;
        const uint32_t top = std::min(place + length - 1, bits_of<T> - 1);
        const bool sign = std::is_signed_v<T> && length > 0 && (a >> top & 1);
        uint64_t result = sign ? ~uint64_t(0) : 0;
        for (uint32_t k = 0; k < std::min(length, bits_of<T>); k++) {
            const bool bit = place + k < bits_of<T> ? (a >> (place + k) & 1) : sign;
            result = (result & ~(uint64_t(1) << k)) | static_cast<uint64_t>(bit) << k;
        }
        r[i.d[0]] = slot_of(static_cast<T>(result));
    }
};

/// bfi: the low e bits of a put into b at place c.
struct Insert {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const uint32_t place = r[i.c] & 255, length = r[i.e] & 255;
        uint64_t result = value_of<T>(r[i.b]);
        for (uint32_t k = 0; k < length && place + k < bits_of<T>; k++) {
            const uint64_t bit = r[i.a] >> k & 1;
            result = (result & ~(uint64_t(1) << (place + k))) | bit << (place + k);
        }
        r[i.d[0]] = slot_of(static_cast<T>(result));
    }
};

/// prmt without a mode: every nibble of c picks a byte of b:a, its high bit asks for copies of that byte's sign.
void permute(uint64_t *r, const Instruction &i) {
    const uint64_t pair = static_cast<uint64_t>(value_of<uint32_t>(r[i.b])) << 32 | value_of<uint32_t>(r[i.a]);
    uint32_t result = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t nibble = r[i.c] >> (4 * k) & 15;
        const uint32_t byte = pair >> (8 * (nibble & 7)) & 255;
        result |= (nibble & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * k);
    }
    r[i.d[0]] = result;
}

/// lop3: the table e, asked for every bit.
void logic3(uint64_t *r, const Instruction &i) {
    uint32_t result = 0;
    for (uint32_t k = 0; k < 32; k++) {
        const uint32_t index = (r[i.a] >> k & 1) << 2 | (r[i.b] >> k & 1) << 1 | (r[i.c] >> k & 1);
        result |= static_cast<uint32_t>(r[i.e] >> index & 1) << k;
    }
    r[i.d[0]] = result;
}

template<class F>
Compute pick_bits(const std::string &type) {
    return pick<F, uint16_t, uint32_t, uint64_t>(type);
}

}  // namespace

Compute find_bits(const OpcodeParts &p) {
    const std::string &root = p[0], &type = p.back();
    const bool wide = type == "b64";
    if (root == "shf" && p.size() == 4) {
        const bool clamp = p[2] == "clamp";
        return p[1] == "l" ? (clamp ? &funnel<true, true> : &funnel<true, false>)
                           : (clamp ? &funnel<false, true> : &funnel<false, false>);
    }
    if (root == "bfind") {
        return has(p, "shiftamt") ? pick_integer<FindBit<true>>(type) : pick_integer<FindBit<false>>(type);
    }
    if (root == "prmt") {
        return p.size() == 2 ? &permute : nullptr;
    }
    return root == "and"    ? pick_bits<Binary<And>>(type)
           : root == "or"   ? pick_bits<Binary<Or>>(type)
           : root == "xor"  ? pick_bits<Binary<Xor>>(type)
           : root == "not"  ? pick_bits<Unary<Not>>(type)
           : root == "cnot" ? pick_bits<Unary<CNot>>(type)
           : root == "shl"  ? pick_bits<ShiftLeft>(type)
           : root == "shr"  ? pick_integer<ShiftRight>(type)
           : root == "popc" ? (wide ? &population<uint64_t> : &population<uint32_t>)
           : root == "clz"  ? (wide ? &leading_zeros<uint64_t> : &leading_zeros<uint32_t>)
           : root == "brev" ? pick_bits<Unary<Reverse>>(type)
           : root == "bfe"  ? pick_integer<Extract>(type)
           : root == "bfi"  ? pick_bits<Insert>(type)
           : root == "lop3" ? &logic3
                            : nullptr;
}

}  // namespace warptile::emulator
