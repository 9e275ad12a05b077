#include "model/expansion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace warptile {
namespace {

/// `access` of an inner Func whose own loops move as `outer` says.
LoadAxis compose(const AxisAccess &access, const std::vector<LoadAxis> &outer, size_t loops) {
    LoadAxis axis;
    axis.slope.assign(loops, 0.0);
    axis.lo = static_cast<double>(access.lo);
    axis.hi = static_cast<double>(access.hi);
    if (access.kind != AxisAccess::Kind::Affine) {
        axis.known = access.kind == AxisAccess::Kind::Absolute && access.lo == access.hi;
        return axis;
    }
    for (const Term &term : access.terms) {
        const LoadAxis &o = outer[static_cast<size_t>(term.loop)];
        const double n = static_cast<double>(term.numerator);
        axis.known = axis.known && o.known;
        for (size_t i = 0; i < loops; i++) {
            axis.slope[i] += n * o.slope[i];
        }
        axis.lo += n * (n > 0 ? o.lo : o.hi);
        axis.hi += n * (n > 0 ? o.hi : o.lo);
    }
    const double d = static_cast<double>(access.denominator);
    for (double &s : axis.slope) {
        s /= d;
    }
    axis.lo /= d;
    axis.hi /= d;
    return axis;
}

bool moves_alike(const ExpandedLoad &a, const ExpandedLoad &b) {
    if (a.axes.size() != b.axes.size()) {
        return false;
    }
    for (size_t d = 0; d < a.axes.size(); d++) {
        if (a.axes[d].known != b.axes[d].known || a.axes[d].slope != b.axes[d].slope) {
            return false;
        }
    }
    return true;
}

/// What an axis has to be multiplied with to move by whole elements: 4 for an index of x / 4.
double divisor(const LoadAxis &axis) {
    constexpr int kMost = 64;
    for (int d = 1; d < kMost; d++) {
        if (std::all_of(axis.slope.begin(), axis.slope.end(),
                        [&](double s) { return std::abs(s * d - std::round(s * d)) < 1e-9; })) {
            return d;
        }
    }
    return kMost;
}

/// Indices that a compiler can tell apart: x / 2 and (x + 1) / 2 are two, since it does not know whether x is odd.
double taps(const LoadAxis &axis, double more = 0) {
    return std::floor((axis.hi - axis.lo) * divisor(axis) + more) + 1;
}

double box(const ExpandedLoad &load) {
    double points = 1;
    for (const LoadAxis &axis : load.axes) {
        points *= taps(axis);
    }
    return points;
}

/// Adds `load` to those of the same producer; taps that coincide are one.
void merge(std::vector<ExpandedLoad> &loads, const ExpandedLoad &load) {
    for (ExpandedLoad &other : loads) {
        if (!moves_alike(other, load)) {
            continue;
        }
        for (size_t d = 0; d < load.axes.size(); d++) {
            other.axes[d].lo = std::min(other.axes[d].lo, load.axes[d].lo);
            other.axes[d].hi = std::max(other.axes[d].hi, load.axes[d].hi);
        }
        other.count += load.count;
        if (other.known()) {
            other.count = std::min(other.count, box(other));
        }
        return;
    }
    loads.push_back(load);
}

}  // namespace

bool ExpandedLoad::known() const {
    return std::all_of(axes.begin(), axes.end(), [](const LoadAxis &a) { return a.known; });
}

bool ExpandedLoad::divided(size_t loop) const {
    return std::any_of(axes.begin(), axes.end(), [&](const LoadAxis &axis) {
        return axis.known && loop < axis.slope.size() && axis.slope[loop] != std::floor(axis.slope[loop]);
    });
}

bool ExpandedLoad::walks_across(size_t loop) const {
    const auto moves = [&](const LoadAxis &axis) { return loop < axis.slope.size() && axis.slope[loop] != 0; };
    return known() && axes.size() > 1 && !moves(axes[0]) && std::any_of(axes.begin() + 1, axes.end(), moves) &&
           std::any_of(axes[0].slope.begin(), axes[0].slope.end(), [](double s) { return s != 0; });
}

double ExpandedLoad::distinct(const std::vector<double> &unrolled) const {
    double points = 1, apart = 1;
    std::vector<double> side_by_side = unrolled;
    for (size_t i = 0; i < unrolled.size(); i++) {
        points *= unrolled[i];
        if (divided(i)) {
            apart *= unrolled[i];
            side_by_side[i] = 1;
        }
    }
    if (!known()) {
        return count * points;
    }
    double touched = 1;
    for (const LoadAxis &axis : axes) {
        double more = 0;
        for (size_t i = 0; i < unrolled.size(); i++) {
            more += std::abs(axis.slope[i]) * (side_by_side[i] - 1);
        }
        touched *= taps(axis, more);
    }
    const double density = std::min(1.0, count / box(*this));
    return std::min(count * points, apart * std::max(count, touched * density));
}

double ExpandedLoad::repeated(const std::vector<double> &unrolled) const {
    double points = 1;
    for (size_t i = 0; i < unrolled.size(); i++) {
        const bool moves = std::any_of(axes.begin(), axes.end(),
                                       [&](const LoadAxis &axis) { return !axis.known || axis.slope[i] != 0; });
        points *= moves ? unrolled[i] : 1;
    }
    return count * points;
}

double Expansion::load_count() const {
    double n = 0;
    for (const ExpandedLoad &load : loads) {
        n += load.count;
    }
    return n;
}

Expansion expand(const FunctionDag &dag, int node, int stage, const std::vector<bool> &inlined) {
    Expansion result;
    const Stage &root = dag.node(node).stages[static_cast<size_t>(stage)];
    const size_t loops = root.loops.size();
    std::map<int, std::vector<ExpandedLoad>, std::greater<int>> pending;
    const auto visit = [&](int consumer, int s, const std::vector<LoadAxis> &outer, double times) {
        const OpCounts &ops = dag.node(consumer).stages[static_cast<size_t>(s)].ops;
        result.float_ops += times * ops.float_ops;
        result.int_ops += times * ops.int_ops;
        result.special_ops += times * ops.special_ops;
        result.index_ops += times * ops.index_ops;
        for (const int e : dag.edges_into[static_cast<size_t>(consumer)]) {
            const Edge &edge = dag.edges[static_cast<size_t>(e)];
            if (edge.stage != s) {
                continue;
            }
            for (const Access &access : edge.accesses) {
                ExpandedLoad load;
                load.producer = edge.producer;
                load.count = access.loads * times;
                for (const AxisAccess &axis : access.axes) {
                    load.axes.push_back(compose(axis, outer, loops));
                }
                if (load.known()) {
                    load.count = std::min(load.count, box(load));
                }
                merge(pending[edge.producer], load);
            }
        }
    };
    std::vector<LoadAxis> identity(loops);
    for (size_t i = 0; i < loops; i++) {
        identity[i].slope.assign(loops, 0.0);
        identity[i].slope[i] = 1;
    }
    visit(node, stage, identity, 1);
    while (!pending.empty()) {
        const auto [producer, loads] = *pending.begin();
        pending.erase(pending.begin());
        if (producer == node || !inlined[static_cast<size_t>(producer)]) {
            result.loads.insert(result.loads.end(), loads.begin(), loads.end());
            continue;
        }
        double evaluations = 0;
        for (const ExpandedLoad &load : loads) {
            evaluations += load.count;
        }
        result.evaluations.push_back({producer, evaluations});
        for (const ExpandedLoad &load : loads) {
            visit(producer, 0, load.axes, load.count);
        }
    }
    return result;
}

}  // namespace warptile
