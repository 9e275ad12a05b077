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

double box(const ExpandedLoad &load) {
    double points = 1;
    for (const LoadAxis &axis : load.axes) {
        points *= std::floor(axis.hi - axis.lo) + 1;
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

double ExpandedLoad::distinct(const std::vector<double> &unrolled) const {
    double points = 1;
    for (const double u : unrolled) {
        points *= u;
    }
    if (!known()) {
        return count * points;
    }
    double touched = 1;
    for (const LoadAxis &axis : axes) {
        double span = axis.hi - axis.lo + 1;
        for (size_t i = 0; i < unrolled.size(); i++) {
            span += std::abs(axis.slope[i]) * (unrolled[i] - 1);
        }
        touched *= std::max(1.0, std::floor(span));
    }
    const double density = std::min(1.0, count / box(*this));
    return std::min(count * points, std::max(count, touched * density));
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
