// Slots read and written as values of a type, and functions chosen by the name of a type.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "program.h"

namespace warptile::emulator {

/// IEEE half precision; computed with as float.
struct Half {
    uint16_t bits;
    Half() = default;

    explicit Half(uint16_t b) : bits(b) {}

    explicit Half(float value) : bits(rounded(value, Rounding::Nearest)) {}

    explicit operator float() const;
    static uint16_t rounded(double value, Rounding rounding);
};

template<class T>
constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// The low bits of a slot.
template<class T>
T value_of(uint64_t slot) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(slot);
    } else {
        T value;
        std::memcpy(&value, &slot, sizeof(T));  // little-endian, like the card
        return value;
    }
}

template<class T>
uint64_t slot_of(T value) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<uint64_t>(value);
    } else {
        uint64_t slot = 0;
        std::memcpy(&slot, &value, sizeof(T));
        return slot;
    }
}

template<class T>
bool is_type(const std::string &name) {
    constexpr const char *bits = sizeof(T) == 1 ? "8" : sizeof(T) == 2 ? "16" : sizeof(T) == 4 ? "32" : "64";
    if (is_floating<T>) {
        return name == std::string("f") + bits;
    }
    return name == std::string(std::is_signed_v<T> ? "s" : "u") + bits ||
           (std::is_unsigned_v<T> && name == std::string("b") + bits);
}

/// `F::run<T>` for the one of Ts that `name` names; nullptr where it is none of them.
template<class F, class... Ts>
Compute pick(const std::string &name) {
    Compute found = nullptr;
    ((found = is_type<Ts>(name) ? &F::template run<Ts> : found), ...);
    return found;
}

template<class F>
Compute pick_integer(const std::string &name) {
    return pick<F, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(name);
}

template<class F>
Compute pick_float(const std::string &name) {
    return pick<F, Half, float, double>(name);
}

/// D d = F::of(a), F::of(a, b) or F::of(a, b, c) of values of one type.
template<class F>
struct Unary {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of<T>(F::template of<T>(value_of<T>(r[i.a])));
    }
};

template<class F>
struct Binary {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of<T>(F::template of<T>(value_of<T>(r[i.a]), value_of<T>(r[i.b])));
    }
};

template<class F>
struct Ternary {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of<T>(F::template of<T>(value_of<T>(r[i.a]), value_of<T>(r[i.b]), value_of<T>(r[i.c])));
    }
};

/// Floating-point arithmetic is rounded as an instruction says while this lives. Values must be read from the slots and
/// written back within its life: the compiler moves no access to memory over the calls.
class RoundingScope {
public:
    explicit RoundingScope(Rounding rounding) : changed_(rounding != Rounding::Nearest) {
        if (changed_) {
            std::fesetround(rounding == Rounding::Zero   ? FE_TOWARDZERO
                            : rounding == Rounding::Down ? FE_DOWNWARD
                                                         : FE_UPWARD);
        }
    }

    ~RoundingScope() {
        if (changed_) {
            std::fesetround(FE_TONEAREST);
        }
    }

    RoundingScope(const RoundingScope &) = delete;
    RoundingScope &operator=(const RoundingScope &) = delete;

private:
    bool changed_;
};

/// Subnormal numbers become zero under .ftz, which is for single precision.
template<class T>
T flushed(T value, bool flush) {
    if constexpr (std::is_same_v<T, float>) {
        return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
    } else {
        return value;
    }
}

/// .sat brings a result into [0, 1]; what is not a number becomes 0.
template<class T>
T saturated(T value, bool saturate) {
    if constexpr (std::is_floating_point_v<T>) {
        return !saturate ? value : value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
    } else {
        return saturate ? Half(saturated(static_cast<float>(value), true)) : value;
    }
}

}  // namespace warptile::emulator
