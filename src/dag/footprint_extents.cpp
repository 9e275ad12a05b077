// The largest extents that a group's regions can have, wherever the tile lies. Each dimension's interval is known as a
// function of the tile's origin t, up to rounding: it lies within [slope·t + low, slope·t + high]. One access alone
// gives the tightest extent, composed stage by stage in integers as Halide's symbolic bounds are. Several that move
// together (equal slopes, equal clamps) span the hull of their lows and highs. Several that do not move together have
// no bound but the estimate.

#include "dag/footprint.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dag/saturating.h"

namespace warptile {

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

// The lows and highs are sums of fractions with small denominators; rounding errors are far below this.
constexpr double kRounding = 1e-6;

uint64_t mix(uint64_t seed, uint64_t value) { return (seed ^ (value + 0x9e3779b97f4a7c15)) * 0x100000001b3; }

bool same_slope(const std::vector<double> &a, const std::vector<double> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return std::abs(x - y) < kRounding; });
}

}  // namespace

Footprint::Drift Footprint::drift(const Axis &axis) const {
    Drift result;
    result.set = true;
    result.slope.assign(slopes_, 0.0);
    result.conflict = axis.kind == AxisAccess::Kind::Unknown;
    result.by_data = axis.kind != AxisAccess::Kind::Affine || axis.estimated;
    result.fixed = !axis.estimated;
    double low = static_cast<double>(axis.lo), high = static_cast<double>(axis.hi);
    int64_t span = axis.hi - axis.lo;
    for (int t = axis.first_term; t < axis.last_term; t++) {
        const int64_t n = terms_[index(t)].numerator;
        const Drift &loop = loop_drifts_[index(terms_[index(t)].loop)];
        result.conflict |= loop.conflict;
        result.fixed &= loop.fixed;
        result.by_data |= loop.by_data;
        result.clamps = loop.clamps == 0 ? result.clamps : mix(result.clamps, loop.clamps);
        low += static_cast<double>(n) * (n > 0 ? loop.low : loop.high);
        high += static_cast<double>(n) * (n > 0 ? loop.high : loop.low);
        span = saturating_add(span, saturating_multiply(std::abs(n), loop.extent - 1));
        for (size_t j = 0; j < result.slope.size(); j++) {
            result.slope[j] += static_cast<double>(n) * loop.slope[j] / static_cast<double>(axis.denominator);
        }
    }
    const int64_t rounding = axis.first_term == axis.last_term ? 0 : axis.denominator - 1;
    result.low = (low - static_cast<double>(rounding)) / static_cast<double>(axis.denominator);
    result.high = high / static_cast<double>(axis.denominator);
    result.extent = floor_div(span + rounding, axis.denominator) + 1;
    if (axis.limits != kEverything) {
        result.clamps = mix(mix(mix(result.clamps, 1), static_cast<uint64_t>(axis.limits.min)),
                            static_cast<uint64_t>(axis.limits.max));
    }
    return result;
}

namespace {

// The hull of two that may or may not move together. (A template since the type is the class's own.)
template<typename Drift>
void widen(Drift &into, const Drift &by) {
    if (!into.set) {
        into = by;
        return;
    }
    into.conflict |= by.conflict || into.clamps != by.clamps || !same_slope(into.slope, by.slope);
    into.by_data |= by.by_data;
    into.fixed &= by.fixed;
    into.low = std::min(into.low, by.low);
    into.high = std::max(into.high, by.high);
    into.extent = std::max({into.extent, by.extent, saturating_floor(into.high - into.low + kRounding) + 1});
}

}  // namespace

void Footprint::apply_bounds(int id) {
    for (const BoundRule &rule : dag_.node(id).bounds) {
        Drift &d = drifts_[index(id)][index(rule.dim)];
        const double modulus = static_cast<double>(rule.modulus);
        d.fixed = (d.fixed || rule.kind == BoundRule::Kind::Fixed) && !rule.estimated;
        d.by_data = !d.fixed;
        switch (rule.kind) {
        case BoundRule::Kind::Fixed:
            std::fill(d.slope.begin(), d.slope.end(), 0.0);
            d.set = true;
            d.conflict = false;
            d.clamps = 0;
            d.low = static_cast<double>(rule.range.min);
            d.high = static_cast<double>(rule.range.max);
            d.extent = rule.range.extent();
            break;
        case BoundRule::Kind::Extent:
            d.extent = rule.range.extent();
            d.high += static_cast<double>(d.extent - 1);
            break;
        case BoundRule::Kind::Align:
            d.extent = (floor_div(d.extent - 2, rule.modulus) + 2) * rule.modulus;
            d.low -= modulus - 1;
            d.high += modulus - 1;
            break;
        case BoundRule::Kind::Round:
            d.extent = -floor_div(-d.extent, rule.modulus) * rule.modulus;
            d.high += modulus - 1;
            break;
        }
    }
}

void Footprint::settle(int id) {
    for (size_t d = 0; d < drifts_[index(id)].size(); d++) {
        Drift &drift = drifts_[index(id)][d];
        if (drift.conflict) {
            drift.extent = std::max<int64_t>(0, dag_.node(id).estimate[d].extent());
            drift.fixed = false;
        }
        extents_[index(id)][d] = drift.set ? drift.extent : 0;
        known_[index(id)][d] = drift.fixed ? Known::Fixed : drift.by_data ? Known::AtRunTime : Known::Drifting;
    }
}

void Footprint::find_drifts(const std::vector<int64_t> &tile) {
    for (std::vector<Drift> &node : drifts_) {
        for (Drift &d : node) {
            d.set = false;
        }
    }
    for (size_t j = 0; j < tile.size(); j++) {
        Drift &d = drifts_[index(order_.front())][j];
        d = {};
        d.set = true;
        d.slope.assign(slopes_, 0.0);
        d.slope[j] = 1;
        d.high = static_cast<double>(tile[j] - 1);
        d.extent = tile[j];
    }
    int previous = -1;
    for (const Step &step : steps_) {
        if (step.node != previous && bounded_[index(step.node)]) {
            apply_bounds(step.node);
        }
        previous = step.node;
        settle(step.node);
        for (int l = step.first_loop; l < step.last_loop; l++) {
            const Loop &loop = loops_[index(l)];
            Drift &d = loop_drifts_[index(l - step.first_loop)];
            if (loop.dim >= 0) {
                d = drifts_[index(step.node)][index(loop.dim)];
            } else {
                d = {};
                d.slope.assign(slopes_, 0.0);
                if (loop.slope >= 0) {
                    d.slope[index(loop.slope)] = 1;
                    d.extent = 1;
                    continue;
                }
                d.low = static_cast<double>(loop.range.min);
                d.high = static_cast<double>(loop.range.max);
                d.extent = loop.range.extent();
                d.fixed = loop.known;
                d.by_data = !loop.known;
            }
        }
        for (int a = step.first_axis; a < step.last_axis; a++) {
            const Axis &axis = axes_[index(a)];
            widen(drifts_[index(axis.producer)][index(axis.dim)], drift(axis));
        }
        settle(step.node);
    }
}

const std::vector<std::vector<int64_t>> &Footprint::max_extents(const std::vector<int64_t> &tile) {
    for (std::vector<Known> &known : known_) {
        std::fill(known.begin(), known.end(), Known::Fixed);
    }
    find_drifts(tile);
    for (const int id : inputs_) {
        settle(id);
    }
    return extents_;
}

}  // namespace warptile
