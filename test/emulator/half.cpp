// Half precision from and to float, with the rounding that an instruction asks for.
#include <cmath>

#include "values.h"

namespace warptile::emulator {

Half::operator float() const {
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31) {
        return fraction ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
    }
    return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                 : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25));
}

uint16_t Half::rounded(double value, Rounding rounding) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (std::isnan(value)) {
        return 0x7fff;
    }
    if (std::isinf(value)) {
        return sign | 0x7c00;
    }
    // The distance of two neighbours at this magnitude is 2^(exponent - 10).
    const int exponent = std::max(magnitude == 0 ? -14 : std::ilogb(magnitude), -14);
    const double steps = std::ldexp(magnitude, 10 - exponent);
    const bool away = rounding == (sign ? Rounding::Down : Rounding::Up);
    const double whole = rounding == Rounding::Nearest ? std::nearbyint(steps)
                         : away                        ? std::ceil(steps)
                                                       : std::floor(steps);
    const double result = std::ldexp(whole, exponent - 10);
    if (result >= 65536) {
        return sign | (rounding == Rounding::Nearest || away ? 0x7c00 : 0x7bff);
    }
    if (result < std::ldexp(1.0, -14)) {
        return static_cast<uint16_t>(sign | static_cast<int>(std::ldexp(result, 24)));
    }
    const int e = std::ilogb(result);
    return static_cast<uint16_t>(sign | (e + 15) << 10 | (static_cast<int>(std::ldexp(result, 10 - e)) - 1024));
}

}  // namespace warptile::emulator
