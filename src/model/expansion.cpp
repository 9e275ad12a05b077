#include "model/expansion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace warptile {
namespace {

/// Adds so many of the steps that a loop of an inner Func takes.
void add_moves(const LoadAxis &loop, double steps, LoadAxis &axis) {
    axis.follows = axis.follows && loop.has_way();
    for (size_t i = 0; i < axis.slope.size(); i++) {
        axis.slope[i] += steps * loop.slope[i];
    }
}

/// `access` of an inner Func whose own loops move as `outer` says.
LoadAxis compose(const AxisAccess &access, const std::vector<LoadAxis> &outer, size_t loops) {
    LoadAxis axis;
    axis.slope.assign(loops, 0.0);
    axis.follows = true;
    axis.lo = static_cast<double>(access.lo);
    axis.hi = static_cast<double>(access.hi);
    if (access.kind != AxisAccess::Kind::Affine || access.follows) {
        axis.known = access.kind == AxisAccess::Kind::Absolute && access.lo == access.hi;
        axis.follows = access.follows;
        for (const Drift &drift : access.drift) {
            add_moves(outer[static_cast<size_t>(drift.loop)], drift.step, axis);
        }
        return axis;
    }
    for (const Term &term : access.terms) {
        const LoadAxis &o = outer[static_cast<size_t>(term.loop)];
        const double n = static_cast<double>(term.numerator);
        axis.known = axis.known && o.known;
        add_moves(o, n, axis);
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
        if (a.axes[d].known != b.axes[d].known || a.axes[d].has_way() != b.axes[d].has_way() ||
            a.axes[d].slope != b.axes[d].slope) {
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
    const bool all_have_ways = std::all_of(axes.begin(), axes.end(), [](const LoadAxis &a) { return a.has_way(); });
    return all_have_ways && axes.size() > 1 && !moves(axes[0]) && std::any_of(axes.begin() + 1, axes.end(), moves) &&
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
        return repeated(unrolled);
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
                                       [&](const LoadAxis &axis) { return !axis.has_way() || axis.slope[i] != 0; });
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

namespace {

/// Whether an index moves with this loop of the root, or with any where it is -1.
bool moves(const LoadAxis &axis, int loop) {
    return loop >= 0 ? axis.slope[static_cast<size_t>(loop)] != 0
                     : std::any_of(axis.slope.begin(), axis.slope.end(), [](double s) { return s != 0; });
}

bool moves(const ExpandedLoad &load, int loop) {
    return std::any_of(load.axes.begin(), load.axes.end(),
                       [&](const LoadAxis &axis) { return !axis.has_way() || moves(axis, loop); });
}

/// Multiplies the stages on the way from a root to what it loads.
class Expander {
public:
    /// `channel_loop` of the root: a thread has all `channels` of its steps; -1: none.
    Expander(const FunctionDag &dag, const Stage &root, int channel_loop, int channels)
        : dag_(dag), root_(root), channel_loop_(channel_loop), channels_(channels) {}

    Expansion run(int node, int stage, const std::vector<bool> &inlined) {
        std::vector<LoadAxis> identity(root_.loops.size());
        for (size_t i = 0; i < identity.size(); i++) {
            identity[i].slope.assign(root_.loops.size(), 0.0);
            identity[i].slope[i] = 1;
        }
        visit(node, stage, identity, 1);
        while (!pending_.empty()) {
            const auto [producer, loads] = *pending_.begin();
            pending_.erase(pending_.begin());
            if (producer == node || !inlined[static_cast<size_t>(producer)]) {
                result_.loads.insert(result_.loads.end(), loads.begin(), loads.end());
                continue;
            }
            double evaluations = 0;
            for (const ExpandedLoad &load : loads) {
                evaluations += load.count;
            }
            result_.evaluations.push_back({producer, evaluations});
            for (const ExpandedLoad &load : loads) {
                visit(producer, 0, load.axes, load.count, moves(load, channel_loop_) ? 1 : channels_);
            }
        }
        return std::move(result_);
    }

    /// The loop of the root in which the channel of some stage goes, and how many of them there are.
    int found_loop = -1, found = 1;

private:
    /// Evaluations of a stage whose loops move as `outer` says: `times` for the points that share them, `shared_by` of
    /// the root.
    void visit(int consumer, int s, const std::vector<LoadAxis> &outer, double times, double shared_by = 1) {
        const Stage &stage = dag_.node(consumer).stages[static_cast<size_t>(s)];
        const bool by_number = channel_is_number(stage, outer), all = has_all_channels(stage, outer);
        const double steps = by_number || all ? stage.channel.steps : 1;
        const OpCounts &ops = by_number                                                  ? stage.channel.numbers
                              : !all                                                     ? stage.ops
                              : root_.loops[static_cast<size_t>(channel_loop_)].constant ? stage.channel.numbers
                                                                                         : stage.channel.apart;
        const double each = times / (steps * shared_by);
        result_.float_ops += each * ops.float_ops;
        result_.int_ops += each * ops.int_ops;
        result_.special_ops += each * ops.special_ops;
        result_.index_ops += each * ops.index_ops;
        for (const int e : dag_.edges_into[static_cast<size_t>(consumer)]) {
            const Edge &edge = dag_.edges[static_cast<size_t>(e)];
            if (edge.stage == s) {
                add_loads(edge, outer, times, by_number ? stage.channel.loop : -1, steps);
            }
        }
    }

    /// Of a stage whose `channel` is a number, an evaluation makes those loads alone that go with it.
    void add_loads(const Edge &edge, const std::vector<LoadAxis> &outer, double times, int channel, double steps) {
        for (const Access &access : edge.accesses) {
            const bool chosen =
                channel >= 0 && std::none_of(access.axes.begin(), access.axes.end(), [&](const AxisAccess &a) {
                    return std::any_of(a.terms.begin(), a.terms.end(),
                                       [&](const Term &t) { return t.loop == channel; });
                });
            ExpandedLoad load;
            load.producer = edge.producer;
            load.count = access.loads * times / (chosen ? steps : 1);
            for (const AxisAccess &axis : access.axes) {
                load.axes.push_back(compose(axis, outer, root_.loops.size()));
            }
            if (load.known()) {
                load.count = std::min(load.count, box(load));
            }
            merge(pending_[edge.producer], load);
        }
    }

    /// Whether every evaluation is of one channel, which the code names.
    bool channel_is_number(const Stage &stage, const std::vector<LoadAxis> &outer) const {
        if (stage.channel.loop < 0) {
            return false;
        }
        const LoadAxis &at = outer[static_cast<size_t>(stage.channel.loop)];
        return at.known && !moves(at, -1);
    }

    /// Whether the channels are the steps of the root's loop that a thread has all of. Notes the loop in which they go.
    bool has_all_channels(const Stage &stage, const std::vector<LoadAxis> &outer) {
        if (stage.channel.loop < 0) {
            return false;
        }
        const LoadAxis &at = outer[static_cast<size_t>(stage.channel.loop)];
        for (size_t l = 0; l < at.slope.size() && at.known; l++) {
            std::vector<double> along(at.slope.size(), 0.0);
            along[l] = 1;
            if (at.slope == along && !root_.loops[l].reduction) {
                found_loop = found_loop < 0 ? static_cast<int>(l) : found_loop;
                found = found_loop == static_cast<int>(l) ? std::max(found, stage.channel.steps) : found;
                return channel_loop_ == static_cast<int>(l);
            }
        }
        return false;
    }

    const FunctionDag &dag_;
    const Stage &root_;
    const int channel_loop_, channels_;
    Expansion result_;
    std::map<int, std::vector<ExpandedLoad>, std::greater<int>> pending_;
};

}  // namespace

Expansion expand(const FunctionDag &dag, int node, int stage, const std::vector<bool> &inlined) {
    const Stage &root = dag.node(node).stages[static_cast<size_t>(stage)];
    Expander apart(dag, root, -1, 1);
    Expansion result = apart.run(node, stage, inlined);
    if (apart.found_loop >= 0) {
        result.channel_loop = apart.found_loop;
        result.channels = apart.found;
        Expander together(dag, root, result.channel_loop, result.channels);
        result.together = std::make_shared<const Expansion>(together.run(node, stage, inlined));
    }
    return result;
}

}  // namespace warptile
