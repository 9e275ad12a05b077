#include "dag/halide/drift.h"

#include <algorithm>
#include <cmath>

#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Places of all loops together: near an edge, and inside of images that are small and large.
constexpr int kPlaces[] = {8, 64, 300};
/// So many steps of a loop are taken at once, and a step is rounded to such a part: where values are rounded to whole
/// numbers, fewer would show more of that than of the step.
constexpr int kSpan = 64, kParts = 16;
/// An index of more nodes is not tried.
constexpr double kLargestIndex = 1000;

/// Whether the terms of the form name all that moves it, but for little.
bool says_enough(const AxisAccess &form, const std::vector<std::string> &found, const IndexLoops &loops) {
    constexpr int64_t kLittle = 32;
    const bool names_all = std::all_of(found.begin(), found.end(), [&](const std::string &name) {
        const int number = loops.at(name).loop;
        return std::any_of(form.terms.begin(), form.terms.end(), [&](const Term &t) { return t.loop == number; });
    });
    return names_all || (form.kind == AxisAccess::Kind::Affine && !form.terms.empty() && form.hi - form.lo < kLittle);
}

/// An index whose loops are tried one by one.
class Probe {
public:
    Probe(const Expr &index, const std::vector<std::string> &found, const IndexLoops &loops)
        : index_(index), found_(found), loops_(loops) {}

    /// The largest step of a loop; nothing where the index is no number.
    std::optional<double> step(const std::string &loop) const {
        const std::optional<Interval> &range = loops_.at(loop).range;
        const int64_t span = range ? range->extent() - 1 : kSpan;
        double largest = 1.0 / kParts;
        for (const int place : kPlaces) {
            const auto here = value(place, loop, 0), there = value(place, loop, span);
            if (!here || !there) {
                return {};
            }
            const double moved = span > 0 ? (*there - *here) / static_cast<double>(span) : 0;
            const double rounded = std::round(moved * kParts) / kParts;
            largest = std::abs(rounded) > std::abs(largest) ? rounded : largest;
        }
        return largest;
    }

private:
    /// With all loops at `place`, or where a reduction begins, and `moved` so many steps further.
    std::optional<double> value(int place, const std::string &moved, int64_t steps) const {
        std::map<std::string, Expr> numbers;
        for (const std::string &name : found_) {
            const std::optional<Interval> &range = loops_.at(name).range;
            const int64_t begin = range ? range->min : place;
            numbers[name] = make_const(Int(32), begin + (name == moved ? steps : 0));
        }
        const auto number = as_const_int(simplify(Halide::Internal::substitute(numbers, index_)));
        return number ? std::optional<double>(static_cast<double>(*number)) : std::nullopt;
    }

    const Expr &index_;
    const std::vector<std::string> &found_;
    const IndexLoops &loops_;
};

}  // namespace

std::optional<std::vector<Drift>> drift_of(const Expr &index, const AxisAccess &form, const IndexLoops &loops,
                                           const Estimates &estimates) {
    const IndexVariables found = index_variables(index, loops);
    if (says_enough(form, found.loops, loops) || found.loads || tree_size(index) > kLargestIndex) {
        return {};
    }
    const Expr known = estimates.substitute(index);
    const Probe probe(known, found.loops, loops);
    std::vector<Drift> drifts;
    for (const std::string &loop : found.loops) {
        const std::optional<double> step = probe.step(loop);
        if (!step) {
            return {};
        }
        drifts.push_back({loops.at(loop).loop, *step});
    }
    return drifts;
}

}  // namespace warptile
