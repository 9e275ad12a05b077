// Intervals and boxes: see region.h.

#include "dag/region.h"

#include <algorithm>

#include "dag/saturating.h"

namespace warptile {

Interval hull(const Interval &a, const Interval &b) {
    if (a.empty()) {
        return b;
    }
    if (b.empty()) {
        return a;
    }
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

Interval intersect(const Interval &a, const Interval &b) { return {std::max(a.min, b.min), std::min(a.max, b.max)}; }

int64_t volume(const Region &r) {
    int64_t points = 1;
    for (const Interval &i : r) {
        points = saturating_multiply(points, std::max<int64_t>(0, i.extent()));
    }
    return points;
}

Region hull(const Region &a, const Region &b) {
    if (a.empty()) {
        return b;
    }
    Region result = a;
    for (size_t d = 0; d < std::min(a.size(), b.size()); d++) {
        result[d] = hull(a[d], b[d]);
    }
    return result;
}

Interval apply(const BoundRule &rule, const Interval &required) {
    if (rule.kind == BoundRule::Kind::Fixed) {
        return rule.range;
    }
    if (required.empty()) {
        return required;
    }
    switch (rule.kind) {
    case BoundRule::Kind::Extent:
        return {required.min, required.min + rule.range.extent() - 1};
    case BoundRule::Kind::Round:
        return {required.min, required.min - floor_div(-required.extent(), rule.modulus) * rule.modulus - 1};
    default: {
        const int64_t first = floor_div(required.min - rule.remainder, rule.modulus);
        const int64_t past = -floor_div(-(required.max + 1 - rule.remainder), rule.modulus);
        return {first * rule.modulus + rule.remainder, past * rule.modulus + rule.remainder - 1};
    }
    }
}

std::string to_string(const Region &r) {
    std::string text = "[";
    for (size_t d = 0; d < r.size(); d++) {
        text += (d == 0 ? "" : ", ") + std::to_string(r[d].min) + ".." + std::to_string(r[d].max);
    }
    return text + "]";
}

}  // namespace warptile
