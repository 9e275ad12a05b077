// Floats of 16 bits as a compiler without a type for them sees them: to make up inputs, and to compare outputs.
#pragma once

#include "HalideRuntime.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace warptile::bench {

/// IEEE's half. Made of a double by truncation, of normal numbers within its range alone.
struct Half {
    static constexpr int kPrecision = 10;  // bits behind the point
    uint16_t bits = 0;

    Half() = default;

    explicit Half(double value) {
        int exponent = 0;
        const double mantissa = std::frexp(std::abs(value), &exponent);  // [0.5, 1)
        if (mantissa > 0) {
            bits = uint16_t(((exponent + 14) << 10) + (int(mantissa * 2048) - 1024));
        }
        bits = uint16_t(bits | (std::signbit(value) ? 0x8000 : 0));
    }

    explicit operator double() const {
        const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
        const double size = exponent == 31 ? (mantissa ? std::numeric_limits<double>::quiet_NaN()
                                                       : std::numeric_limits<double>::infinity())
                            : exponent     ? std::ldexp(1024 + mantissa, exponent - 25)
                                           : std::ldexp(mantissa, -24);
        return bits & 0x8000 ? -size : size;
    }
};

/// The upper half of a float. Made of a double by truncation.
struct BrainFloat {
    static constexpr int kPrecision = 7;
    uint16_t bits = 0;

    BrainFloat() = default;

    explicit BrainFloat(double value) {
        const float single = float(value);
        uint32_t all;
        std::memcpy(&all, &single, sizeof all);
        bits = uint16_t(all >> 16);
    }

    explicit operator double() const {
        const uint32_t all = uint32_t(bits) << 16;
        float single;
        std::memcpy(&single, &all, sizeof single);
        return single;
    }
};

}  // namespace warptile::bench

template<>
HALIDE_ALWAYS_INLINE constexpr halide_type_t halide_type_of<warptile::bench::Half>() {
    return halide_type_t(halide_type_float, 16);
}

template<>
HALIDE_ALWAYS_INLINE constexpr halide_type_t halide_type_of<warptile::bench::BrainFloat>() {
    return halide_type_t(halide_type_bfloat, 16);
}
