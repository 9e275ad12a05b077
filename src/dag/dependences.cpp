// Dependences of an update's loops: see dependences.h.

#include "dag/dependences.h"

#include <algorithm>
#include <cstdlib>

namespace warptile {

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

/// An index that is exactly a sum of multiples of loops and one number.
bool is_exact(const AxisAccess &axis) {
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.lo == axis.hi && !axis.clamped &&
           !axis.estimated && axis.limits == kEverything;
}

bool same_index(const AxisAccess &a, const AxisAccess &b) {
    return is_exact(a) && is_exact(b) && a.terms == b.terms && a.lo == b.lo;
}

/// From the terms of one index whose loops are not all agreed on yet: adds those that its value gives away.
bool agree_on_terms(const Stage &update, std::vector<Term> terms, std::vector<bool> &agreed) {
    terms.erase(std::remove_if(terms.begin(), terms.end(), [&](const Term &t) { return agreed[index(t.loop)]; }),
                terms.end());
    std::sort(terms.begin(), terms.end(),
              [](const Term &a, const Term &b) { return std::abs(a.numerator) < std::abs(b.numerator); });
    int64_t reach = 0;  // how far the smaller terms go
    for (size_t i = 0; i < terms.size(); i++) {
        const Loop &loop = update.loops[index(terms[i].loop)];
        const bool last = i + 1 == terms.size();
        if (std::abs(terms[i].numerator) <= reach || (!last && !loop.extent_known)) {
            return false;
        }
        reach += last ? 0 : std::abs(terms[i].numerator) * (loop.estimate.extent() - 1);
    }
    for (const Term &t : terms) {
        agreed[index(t.loop)] = true;
    }
    return !terms.empty();
}

}  // namespace

std::vector<bool> loops_agreed_on(const Stage &update, const Access &a, const Access &b) {
    std::vector<bool> agreed(update.loops.size(), false);
    for (bool more = true; more;) {  // each round agrees on a loop more, or is the last
        more = false;
        for (size_t d = 0; d < a.axes.size(); d++) {
            more |= same_index(a.axes[d], b.axes[d]) && agree_on_terms(update, a.axes[d].terms, agreed);
        }
    }
    return agreed;
}

void set_dependences(const OwnAccesses &own, Stage &update) {
    std::vector<bool> apart(update.loops.size(), true);
    const auto restrict_to = [&](const Access &a, const Access &b) {
        const std::vector<bool> agreed = loops_agreed_on(update, a, b);
        for (size_t l = 0; l < apart.size(); l++) {
            apart[l] = apart[l] && agreed[l];
        }
    };
    for (const Access &write : own.writes) {
        for (const Access &other : own.writes) {
            restrict_to(write, other);
        }
        for (const Access &read : own.reads) {
            restrict_to(write, read);
        }
    }
    for (size_t l = 0; l < update.loops.size(); l++) {
        Loop &loop = update.loops[l];
        const auto &by_name = own.apart_by_name;
        const bool known = !loop.reduction || std::find(by_name.begin(), by_name.end(), loop.name) != by_name.end();
        loop.promised = !known && apart[l];
        loop.dependence = known || apart[l]                             ? Dependence::Apart
                          : !(update.associative && update.commutative) ? Dependence::Ordered
                          : own.placed[l]                               ? Dependence::Scatter
                                                                        : Dependence::Sum;
    }
}

void keep_given_order(FunctionDag &dag) {
    for (Node &node : dag.nodes) {
        for (Stage &stage : node.stages) {
            if (!stage.rounds) {
                continue;
            }
            stage.associative = stage.commutative = stage.adds = false;
            for (Loop &loop : stage.loops) {
                loop.dependence = loop.dependence == Dependence::Apart ? Dependence::Apart : Dependence::Ordered;
            }
        }
    }
}

bool any_loop(const Stage &update, Dependence dependence) {
    return std::any_of(update.loops.begin(), update.loops.end(),
                       [&](const Loop &loop) { return loop.dependence == dependence; });
}

}  // namespace warptile
