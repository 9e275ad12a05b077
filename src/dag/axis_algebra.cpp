// The arithmetic of access forms: see axis_algebra.h.

#include "dag/axis_algebra.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dag/saturating.h"

namespace warptile {

namespace {

// Divides out what numerators and denominator have in common: floor((g*a + o) / (g*d)) = floor((a + floor(o/g)) / d).
AxisAccess reduced(AxisAccess form) {
    int64_t g = form.denominator;
    for (const Term &t : form.terms) {
        g = std::gcd(g, t.numerator);
    }
    if (g > 1) {
        for (Term &t : form.terms) {
            t.numerator /= g;
        }
        form.lo = floor_div(form.lo, g);
        form.hi = floor_div(form.hi, g);
        form.denominator /= g;
    }
    const auto large = [](int64_t v) { return v > kLargestIndex || v < -kLargestIndex; };
    const auto far = [&](int64_t limit) { return large(limit) && limit != kFar && limit != -kFar; };
    const bool overflows =
        large(form.lo) || large(form.hi) || large(form.denominator) || far(form.limits.min) || far(form.limits.max) ||
        std::any_of(form.terms.begin(), form.terms.end(), [&](const Term &t) { return large(t.numerator); });
    return overflows ? unknown() : form;
}

// A finite end of the limits moved along; an infinite one stays.
int64_t shifted(int64_t limit, int64_t by) { return limit <= -kFar || limit >= kFar ? limit : limit + by; }

// Terms of the same loop are added where both grow it the same way, and kept apart where they do not: Halide's interval
// arithmetic does not cancel them either.
std::vector<Term> joined(const std::vector<Term> &a, const std::vector<Term> &b) {
    std::vector<Term> terms = a;
    for (const Term &t : b) {
        const auto same = std::find_if(terms.begin(), terms.end(), [&](const Term &o) {
            return o.loop == t.loop && (o.numerator > 0) == (t.numerator > 0);
        });
        if (same != terms.end()) {
            same->numerator += t.numerator;
        } else {
            terms.push_back(t);
        }
    }
    std::sort(terms.begin(), terms.end(), [](const Term &x, const Term &y) {
        return x.loop != y.loop ? x.loop < y.loop : x.numerator > y.numerator;
    });
    return terms;
}

std::vector<Term> times(std::vector<Term> terms, int64_t c) {
    for (Term &t : terms) {
        t.numerator *= c;
    }
    return terms;
}

}  // namespace

AxisAccess unknown() {
    AxisAccess form;
    form.kind = AxisAccess::Kind::Unknown;
    return form;
}

AxisAccess constant(int64_t lo, int64_t hi, AxisAccess::Kind kind) {
    AxisAccess form;
    form.kind = kind;
    form.lo = lo;
    form.hi = hi;
    return form;
}

bool moves(const AxisAccess &form) { return !form.terms.empty(); }

bool is_unknown(const AxisAccess &form) { return form.kind == AxisAccess::Kind::Unknown; }

bool any_unknown(const std::vector<AxisAccess> &forms) { return std::any_of(forms.begin(), forms.end(), is_unknown); }

// The value of an index that is one number whatever the loops.
std::optional<int64_t> number(const std::vector<AxisAccess> &forms) {
    if (forms.size() == 1 && !is_unknown(forms[0]) && !moves(forms[0]) && forms[0].lo == forms[0].hi) {
        return forms[0].lo;
    }
    return {};
}

void set_limits(AxisAccess &form, Interval limits) {
    limits.min = std::max(limits.min, -kFar);
    limits.max = std::min(limits.max, kFar);
    if (!moves(form)) {  // a constant is clamped at once
        form.lo = std::clamp(form.lo, limits.min, limits.max);
        form.hi = std::clamp(form.hi, limits.min, limits.max);
        return;
    }
    form.limits = limits;
    form.clamped = limits.min > -kFar && limits.max < kFar;
}

AxisAccess negated(AxisAccess form) {
    // -floor(a / d) = floor((-a + d - 1) / d)
    for (Term &t : form.terms) {
        t.numerator = -t.numerator;
    }
    const int64_t rounding = form.denominator - 1;
    const int64_t lo = rounding - form.hi, hi = rounding - form.lo;
    form.lo = lo;
    form.hi = hi;
    form.limits = {-form.limits.max, -form.limits.min};
    return form;
}

// c * floor(a / d) for c > 0: within [(c*a - c*(d-1)) / d, c*a / d].
AxisAccess scaled(AxisAccess form, int64_t c) {
    for (Term &t : form.terms) {
        t.numerator *= c;
    }
    form.lo = saturating_multiply(c, form.lo - (form.denominator - 1));
    form.hi = saturating_multiply(c, form.hi);
    const auto times = [&](int64_t limit) { return limit <= -kFar || limit >= kFar ? limit : limit * c; };
    form.limits = {times(form.limits.min), times(form.limits.max)};
    return reduced(form);
}

// floor(floor(a / d) / c) = floor(a / (d*c)), for c > 0.
AxisAccess divided(AxisAccess form, int64_t c) {
    if (!moves(form)) {
        form.lo = floor_div(form.lo, c);
        form.hi = floor_div(form.hi, c);
        return form;
    }
    form.denominator *= c;
    const auto over = [&](int64_t limit) { return limit <= -kFar || limit >= kFar ? limit : floor_div(limit, c); };
    form.limits = {over(form.limits.min), over(form.limits.max)};
    return reduced(form);
}

AxisAccess added(AxisAccess a, AxisAccess b) {
    if (is_unknown(a) || is_unknown(b)) {
        return unknown();
    }
    if (!moves(a)) {
        std::swap(a, b);
    }
    if (!moves(b)) {
        if (moves(a) && a.limits != kEverything && b.lo != b.hi) {
            // Beyond its clamp, a sum of intervals is no clamp of the sum: what is left are the limits, if there are
            // two.
            AxisAccess within = constant(a.limits.min + b.lo, a.limits.max + b.hi, AxisAccess::Kind::Absolute);
            within.estimated = true;  // the limits may be
            return a.clamped ? within : unknown();
        }
        a.estimated |= b.estimated;
        const bool absolute = a.kind == AxisAccess::Kind::Absolute || b.kind == AxisAccess::Kind::Absolute;
        a.kind = !moves(a) && absolute ? AxisAccess::Kind::Absolute : AxisAccess::Kind::Affine;
        a.lo = saturating_add(a.lo, saturating_multiply(b.lo, a.denominator));
        a.hi = saturating_add(a.hi, saturating_multiply(b.hi, a.denominator));
        a.limits = {shifted(a.limits.min, b.lo), shifted(a.limits.max, b.hi)};
        return reduced(a);
    }
    // The sum of a clamped index and one that moves is no clamp of a sum.
    if (a.limits != kEverything || b.limits != kEverything) {
        return unknown();
    }
    AxisAccess s;
    s.denominator = std::lcm(a.denominator, b.denominator);
    const int64_t ca = s.denominator / a.denominator, cb = s.denominator / b.denominator;
    s.terms = joined(times(a.terms, ca), times(b.terms, cb));
    s.estimated = a.estimated || b.estimated;
    s.lo = saturating_add(saturating_multiply(ca, a.lo), saturating_multiply(cb, b.lo));
    s.hi = saturating_add(saturating_multiply(ca, a.hi), saturating_multiply(cb, b.hi));
    if (a.denominator > 1 && b.denominator > 1) {  // both have been rounded down already
        s.lo = saturating_add(s.lo, -(ca * (a.denominator - 1)) - cb * (b.denominator - 1));
    }
    return reduced(s);
}

// Two alternatives of the same matrix are one.
void unite(std::vector<AxisAccess> &into, const std::vector<AxisAccess> &forms) {
    for (const AxisAccess &f : forms) {
        const auto same = std::find_if(into.begin(), into.end(), [&](const AxisAccess &o) { return o.same_matrix(f); });
        if (same == into.end()) {
            into.push_back(f);
        } else {
            same->lo = std::min(same->lo, f.lo);
            same->hi = std::max(same->hi, f.hi);
            same->estimated |= f.estimated;
            same->sized &= f.sized;
        }
    }
}

}  // namespace warptile
