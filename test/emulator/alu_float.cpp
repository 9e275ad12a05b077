// Floating-point arithmetic. What a card approximates is computed in double precision and rounded once: closer than any
// card, so a comparison with a tolerance holds on both. Pairs of halves are computed half by half.
#include <algorithm>

#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

/// The type to compute in: halves in double, where nothing of a sum or a product is lost before the one rounding.
template<class T>
using Exact = std::conditional_t<std::is_same_v<T, Half>, double, T>;

template<class T>
Exact<T> operand(uint64_t slot, const Instruction &i) {
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<float>(value_of<Half>(slot));
    } else {
        return flushed(value_of<T>(slot), i.flush);
    }
}

template<class T>
uint64_t result(Exact<T> value, const Instruction &i) {
    if constexpr (std::is_same_v<T, Half>) {
        return slot_of(saturated(Half(Half::rounded(value, i.rounding)), i.saturate));
    } else {
        return slot_of(saturated(flushed(value, i.flush), i.saturate));
    }
}

template<class F>
struct Unary1 {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const RoundingScope scope(i.rounding);
        r[i.d[0]] = result<T>(F::of(operand<T>(r[i.a], i)), i);
    }
};

template<class F>
struct Binary2 {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const RoundingScope scope(i.rounding);
        r[i.d[0]] = result<T>(F::of(operand<T>(r[i.a], i), operand<T>(r[i.b], i)), i);
    }
};

struct Fma {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const RoundingScope scope(i.rounding);
        r[i.d[0]] = result<T>(std::fma(operand<T>(r[i.a], i), operand<T>(r[i.b], i), operand<T>(r[i.c], i)), i);
    }
};

struct Add {
    template<class T>
    static T of(T a, T b) {
        return a + b;
    }
};

struct Sub {
    template<class T>
    static T of(T a, T b) {
        return a - b;
    }
};

struct Mul {
    template<class T>
    static T of(T a, T b) {
        return a * b;
    }
};

struct Div {
    template<class T>
    static T of(T a, T b) {
        return a / b;
    }
};

/// Of a number and what is none, the number; -0 is less than +0. With .NaN, what is none.
template<bool less, bool propagate>
struct Extreme {
    template<class T>
    static T of(T a, T b) {
        if (std::isnan(a) || std::isnan(b)) {
            return propagate || (std::isnan(a) && std::isnan(b)) ? std::numeric_limits<T>::quiet_NaN()
                   : std::isnan(a)                               ? b
                                                                 : a;
        }
        return (a == b ? std::signbit(a) : a < b) == less ? a : b;
    }
};

/// Sign operations keep all other bits.
template<class F>
struct OnBits {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const uint64_t sign = uint64_t(1) << (8 * sizeof(T) - 1);
        r[i.d[0]] = F::of(slot_of(flushed(value_of<T>(r[i.a]), i.flush)), r[i.b], sign);
    }
};

struct Neg {
    static uint64_t of(uint64_t a, uint64_t, uint64_t sign) { return a ^ sign; }
};

struct Abs {
    static uint64_t of(uint64_t a, uint64_t, uint64_t sign) { return a & ~sign; }
};

/// copysign d, a, b: b with the sign of a.
struct CopySign {
    static uint64_t of(uint64_t a, uint64_t b, uint64_t sign) { return (b & ~sign) | (a & sign); }
};

struct Sqrt {
    template<class T>
    static T of(T a) {
        return std::sqrt(a);
    }
};

struct Reciprocal {
    template<class T>
    static T of(T a) {
        return T(1) / a;
    }
};

/// A function of the mathematics library in double precision.
template<double (*function)(double)>
struct Library {
    template<class T>
    static T of(T a) {
        return static_cast<T>(function(a));
    }
};

double reciprocal_root(double a) { return 1 / std::sqrt(a); }

/// Each half of a pair on its own.
template<Compute one>
void pairwise(uint64_t *r, const Instruction &i) {
    uint64_t halves[2] = {};
    for (int k = 0; k < 2; k++) {
        uint64_t slots[5] = {0, r[i.a] >> (16 * k), r[i.b] >> (16 * k), r[i.c] >> (16 * k), 0};
        Instruction half = i;
        half.d[0] = 0;
        half.a = 1;
        half.b = 2;
        half.c = 3;
        one(slots, half);
        halves[k] = slots[0] & 0xffff;
    }
    r[i.d[0]] = halves[1] << 16 | halves[0];
}

template<class F>
Compute pick_with_pairs(const std::string &type) {
    return type == "f16x2" ? &pairwise<&F::template run<Half>> : pick_float<F>(type);
}

template<bool less>
Compute find_extreme(const OpcodeParts &p) {
    return has(p, "NaN") ? pick_with_pairs<Binary2<Extreme<less, true>>>(p.back())
                         : pick_with_pairs<Binary2<Extreme<less, false>>>(p.back());
}

}  // namespace

Compute find_float(const OpcodeParts &p) {
    const std::string &root = p[0], &type = p.back();
    if (type != "f16" && type != "f32" && type != "f64" && type != "f16x2") {
        return nullptr;
    }
    return root == "add"                    ? pick_with_pairs<Binary2<Add>>(type)
           : root == "sub"                  ? pick_with_pairs<Binary2<Sub>>(type)
           : root == "mul"                  ? pick_with_pairs<Binary2<Mul>>(type)
           : root == "div"                  ? pick_float<Binary2<Div>>(type)
           : root == "fma" || root == "mad" ? pick_with_pairs<Fma>(type)
           : root == "min"                  ? find_extreme<true>(p)
           : root == "max"                  ? find_extreme<false>(p)
           : root == "neg"                  ? pick_with_pairs<OnBits<Neg>>(type)
           : root == "abs"                  ? pick_with_pairs<OnBits<Abs>>(type)
           : root == "copysign"             ? pick_float<OnBits<CopySign>>(type)
           : root == "sqrt"                 ? pick_float<Unary1<Sqrt>>(type)
           : root == "rcp"                  ? pick_float<Unary1<Reciprocal>>(type)
           : root == "rsqrt"                ? pick_float<Unary1<Library<reciprocal_root>>>(type)
           : root == "ex2"                  ? pick_float<Unary1<Library<std::exp2>>>(type)
           : root == "lg2"                  ? pick_float<Unary1<Library<std::log2>>>(type)
           : root == "sin"                  ? pick_float<Unary1<Library<std::sin>>>(type)
           : root == "cos"                  ? pick_float<Unary1<Library<std::cos>>>(type)
           : root == "tanh"                 ? pick_float<Unary1<Library<std::tanh>>>(type)
                                            : nullptr;
}

}  // namespace warptile::emulator
