// The arithmetic of one axis of an access: see access.h. Every function below takes the loops for independent, as
// Halide's interval arithmetic does.

#include "dag/access.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "dag/saturating.h"

namespace warptile {

Interval covered(const AxisAccess &axis, const Region &loops, const Interval &whole) {
    if (axis.kind == AxisAccess::Kind::Unknown) {
        return whole;
    }
    int64_t low = axis.lo, high = axis.hi;
    for (const Term &t : axis.terms) {
        const Interval &loop = loops[static_cast<size_t>(t.loop)];
        if (loop.empty()) {
            return {};
        }
        low = saturating_add(low, saturating_multiply(t.numerator, t.numerator > 0 ? loop.min : loop.max));
        high = saturating_add(high, saturating_multiply(t.numerator, t.numerator > 0 ? loop.max : loop.min));
    }
    // The ends are clamped, not the intervals intersected: a load beyond its clamp reads the edge.
    return {std::clamp(floor_div(low, axis.denominator), axis.limits.min, axis.limits.max),
            std::clamp(floor_div(high, axis.denominator), axis.limits.min, axis.limits.max)};
}

int64_t max_extent(const AxisAccess &axis, const std::vector<int64_t> &extents, const Interval &whole) {
    if (axis.kind == AxisAccess::Kind::Unknown) {
        return whole.extent();
    }
    int64_t span = axis.hi - axis.lo;
    for (const Term &t : axis.terms) {
        span =
            saturating_add(span, saturating_multiply(std::abs(t.numerator), extents[static_cast<size_t>(t.loop)] - 1));
    }
    // floor((a + span) / d) - floor(a / d) is largest where a is one below a multiple of d.
    const bool moves = !axis.terms.empty();
    return floor_div(span + (moves ? axis.denominator - 1 : 0), axis.denominator) + 1;
}

/// " ~ 2*i0": about so far.
std::string drift_text(const AxisAccess &axis) {
    std::string text;
    for (const Drift &d : axis.drift) {
        std::ostringstream step;
        step << d.step;
        text += (text.empty() ? " ~ " : " + ") + step.str() + "*i" + std::to_string(d.loop);
    }
    return text;
}

std::string to_string(const AxisAccess &axis) {
    if (axis.kind == AxisAccess::Kind::Unknown) {
        return "?" + drift_text(axis);
    }
    std::string sum;
    for (const Term &t : axis.terms) {
        const int64_t n = std::abs(t.numerator);
        sum += t.numerator < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
        sum += (n == 1 ? "" : std::to_string(n) + "*") + "i" + std::to_string(t.loop);
    }
    if (axis.lo != axis.hi) {
        sum += (sum.empty() ? "[" : " + [") + std::to_string(axis.lo) + ".." + std::to_string(axis.hi) + "]";
    } else if (axis.lo != 0 || sum.empty()) {
        sum += axis.lo < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
        sum += std::to_string(std::abs(axis.lo));
    }
    if (axis.denominator != 1) {
        sum = "(" + sum + ")/" + std::to_string(axis.denominator);
    }
    if (axis.limits != kEverything) {
        const std::string low = axis.limits.min == -kFar ? "" : std::to_string(axis.limits.min);
        const std::string high = axis.limits.max == kFar ? "" : std::to_string(axis.limits.max);
        sum += " in [" + low + ".." + high + "]";
    }
    return sum + drift_text(axis);
}

}  // namespace warptile
