// Agreement of two buffers. Two passes: the tolerance of floats depends on the reference's largest magnitude.
#include "tools/bench/running/agreement.h"

#include "tools/bench/running/small_floats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace warptile::bench {
namespace {

/// The distance of two values, in a type that holds it exactly for the integers in use; two NaNs agree.
template<typename T>
double difference(T a, T b) {
    const double x = double(a), y = double(b);
    if (std::isnan(x) || std::isnan(y)) {
        return std::isnan(x) && std::isnan(y) ? 0 : std::numeric_limits<double>::infinity();
    }
    return x == y ? 0 : std::abs(x - y);
}

/// What of the largest magnitude a float may be off. One of 16 bits is rounded by more than most tolerances.
template<typename T>
double relative_of(const Tolerance &tolerance) {
    if constexpr (std::is_floating_point_v<T>) {
        return tolerance.relative;
    } else {
        return std::max(tolerance.relative, std::ldexp(1.0, -T::kPrecision));
    }
}

template<typename T>
Agreement compare_as(const AnyBuffer &output, const AnyBuffer &reference, const Tolerance &tolerance) {
    const auto &actual = output.as<const T>();
    const auto &expected = reference.as<const T>();
    Agreement result;
    expected.for_each_value([&](T value) {
        if (std::isfinite(double(value))) {
            result.largest_magnitude = std::max(result.largest_magnitude, std::abs(double(value)));
        }
    });
    double allowed = tolerance.integer_step;
    if constexpr (!std::is_integral_v<T>) {
        allowed = relative_of<T>(tolerance) * result.largest_magnitude;
    }
    expected.for_each_element([&](const int *position) {
        const double distance = difference(actual(position), expected(position));
        result.largest_difference = std::max(result.largest_difference, distance);
        if (!(distance > allowed)) {
            return;
        }
        result.values_off++;
        result.not_numbers += std::isnan(double(actual(position)));
        if (result.where.empty()) {
            result.where = "(";
            for (int d = 0; d < expected.dimensions(); d++) {
                result.where += (d ? ", " : "") + std::to_string(position[d]);
            }
            result.where += "): " + std::to_string(double(actual(position))) + " and not " +
                            std::to_string(double(expected(position)));
        }
    });
    result.agrees = result.where.empty();
    return result;
}

}  // namespace

double rounding_of_sums(double terms) { return 4 * std::ldexp(std::sqrt(std::max(terms, 0.0)), -24); }

std::string to_string(const Agreement &agreement) {
    if (agreement.agrees) {
        return {};
    }
    std::string text = std::to_string(agreement.values_off) + " values wrong";
    if (agreement.not_numbers > 0) {
        text += ", " + std::to_string(agreement.not_numbers) + " of them not a number (NaN)";
    }
    return text + ", the first at " + agreement.where;
}

Agreement compare(const AnyBuffer &output, const AnyBuffer &reference, const Tolerance &tolerance) {
    const halide_type_t type = reference.type();
    const bool is_float = type.code == halide_type_float, is_signed = type.code == halide_type_int;
    switch (type.bits) {
    case 1:
        return compare_as<bool>(output, reference, tolerance);
    case 8:
        return is_signed ? compare_as<int8_t>(output, reference, tolerance)
                         : compare_as<uint8_t>(output, reference, tolerance);
    case 16:
        return is_float                          ? compare_as<Half>(output, reference, tolerance)
               : type.code == halide_type_bfloat ? compare_as<BrainFloat>(output, reference, tolerance)
               : is_signed                       ? compare_as<int16_t>(output, reference, tolerance)
                                                 : compare_as<uint16_t>(output, reference, tolerance);
    case 32:
        return is_float    ? compare_as<float>(output, reference, tolerance)
               : is_signed ? compare_as<int32_t>(output, reference, tolerance)
                           : compare_as<uint32_t>(output, reference, tolerance);
    case 64:
        return is_float    ? compare_as<double>(output, reference, tolerance)
               : is_signed ? compare_as<int64_t>(output, reference, tolerance)
                           : compare_as<uint64_t>(output, reference, tolerance);
    }
    throw std::runtime_error("cannot compare outputs of " + std::to_string(int(type.bits)) + " bits");
}

}  // namespace warptile::bench
