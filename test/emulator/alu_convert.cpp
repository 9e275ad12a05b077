// cvt: between all widths of integers and floating-point numbers.
#include <algorithm>

#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

/// A number of type S as one that arithmetic knows.
template<class S>
auto number(uint64_t slot, bool flush) {
    if constexpr (std::is_same_v<S, Half>) {
        return static_cast<float>(value_of<Half>(slot));
    } else if constexpr (std::is_same_v<S, float>) {
        return flushed(value_of<float>(slot), flush);
    } else {
        return value_of<S>(slot);
    }
}

template<class T>
T to_whole(T value, Rounding rounding) {
    return rounding == Rounding::Zero   ? std::trunc(value)
           : rounding == Rounding::Down ? std::floor(value)
           : rounding == Rounding::Up   ? std::ceil(value)
                                        : std::nearbyint(value);
}

/// Out of the range of D, its nearest number. What is no number becomes 0, or where 64 bits or double take part the
/// number with only the highest bit set.
template<class D, class T>
D whole_to_integer(T whole, bool wide) {
    if (std::isnan(whole)) {
        return wide || sizeof(D) == 8 ? static_cast<D>(uint64_t(1) << (8 * sizeof(D) - 1)) : D(0);
    }
    // Both ends of the range are powers of two or 0, but for the 1 that the upper lacks.
    const T above = std::ldexp(T(1), 8 * static_cast<int>(sizeof(D)) - (std::is_signed_v<D> ? 1 : 0));
    const T lowest = std::is_signed_v<D> ? -above : T(0);
    return whole >= above    ? std::numeric_limits<D>::max()
           : whole <= lowest ? std::numeric_limits<D>::min()
                             : static_cast<D>(whole);
}

template<class D, class S>
D integer_to_integer(S value, bool saturate) {
    if (saturate) {
        const __int128 low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
        return static_cast<D>(std::min(std::max<__int128>(value, low), high));
    }
    return static_cast<D>(value);
}

template<class D, class S>
D converted(uint64_t slot, const Instruction &i) {
    const auto value = number<S>(slot, i.flush);
    if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
        return integer_to_integer<D, S>(value, i.saturate);
    } else if constexpr (std::is_integral_v<D>) {
        return whole_to_integer<D>(to_whole(value, i.rounding), std::is_same_v<S, double>);
    } else if constexpr (std::is_same_v<D, Half>) {
        return saturated(Half(Half::rounded(static_cast<double>(value), i.rounding)), i.saturate);
    } else {
        const RoundingScope scope(i.to_integer ? Rounding::Nearest : i.rounding);
        const volatile auto source = value;  // read within the scope: the rounding is this conversion's
        volatile D rounded = static_cast<D>(source);
        if (i.to_integer) {
            rounded = to_whole(static_cast<D>(rounded), i.rounding);
        }
        return saturated(flushed(static_cast<D>(rounded), i.flush), i.saturate);
    }
}

template<class D>
struct To {
    template<class S>
    static void run(uint64_t *r, const Instruction &i) {
        r[i.d[0]] = slot_of(converted<D, S>(r[i.a], i));
    }
};

template<class D>
Compute from(const std::string &source) {
    return pick<To<D>, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, Half, float, double>(
        source);
}

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
void to_pair(uint64_t *r, const Instruction &i) {
    const uint64_t high = converted<Half, float>(r[i.a], i).bits, low = converted<Half, float>(r[i.b], i).bits;
    r[i.d[0]] = high << 16 | low;
}

}  // namespace

Compute find_convert(const OpcodeParts &p) {
    if (p[0] != "cvt" || p.size() < 3) {
        return nullptr;
    }
    const std::string &source = p.back(), &result = p[p.size() - 2];
    if (result == "f16x2") {
        return source == "f32" ? &to_pair : nullptr;
    }
    return result == "u8" || result == "b8" ? from<uint8_t>(source)
           : result == "s8"                 ? from<int8_t>(source)
           : result == "u16"                ? from<uint16_t>(source)
           : result == "s16"                ? from<int16_t>(source)
           : result == "u32"                ? from<uint32_t>(source)
           : result == "s32"                ? from<int32_t>(source)
           : result == "u64"                ? from<uint64_t>(source)
           : result == "s64"                ? from<int64_t>(source)
           : result == "f16"                ? from<Half>(source)
           : result == "f32"                ? from<float>(source)
           : result == "f64"                ? from<double>(source)
                                            : nullptr;
}

}  // namespace warptile::emulator
