#include "dag/halide/remainders.h"

#include <optional>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// The form of an index that is one, and exactly a sum of multiples of loops.
std::optional<AxisAccess> exact(const Expr &index, AccessReader &reader) {
    const std::vector<Access> accesses = reader.read({index}, false);
    reader.take_data_dependent();
    const AxisAccess &axis = accesses[0].axes[0];
    const bool sum = accesses.size() == 1 && axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 &&
                     axis.lo == axis.hi && !axis.clamped && !axis.estimated && axis.limits == kEverything;
    return sum ? std::optional<AxisAccess>(axis) : std::nullopt;
}

/// Takes the remainders out of a sum, each with what it is multiplied by.
class TakeOut {
public:
    struct Taken {
        Expr of;
        int64_t by = 1, times = 1;
    };

    std::vector<Taken> taken;

    /// What is left of `times` times the index, in whose place `times` stands too.
    Expr rest(const Expr &e, int64_t times) {
        if (const Mod *op = e.as<Mod>()) {
            const auto by = as_const_int(op->b);
            if (by && *by > 0) {
                taken.push_back({op->a, *by, times});
                return make_zero(e.type());
            }
        }
        if (const Add *op = e.as<Add>()) {
            return rest(op->a, times) + rest(op->b, times);
        }
        if (const Sub *op = e.as<Sub>()) {
            return rest(op->a, times) - rest(op->b, -times);
        }
        if (const Mul *op = e.as<Mul>()) {
            if (const auto factor = as_const_int(op->b)) {
                return rest(op->a, times * *factor) * op->b;
            }
        }
        return e;
    }
};

void settle(const Expr &index, AccessReader &reader, AxisAccess &axis) {
    TakeOut out;
    const Expr rest = out.rest(simplify(index), 1);
    if (out.taken.empty()) {
        return;
    }
    std::optional<AxisAccess> sum = exact(simplify(rest), reader);
    for (const TakeOut::Taken &taken : out.taken) {
        const std::optional<AxisAccess> of = exact(taken.of, reader);
        if (!of || !sum) {
            return;
        }
        sum->remainders.push_back({of->terms, of->lo, taken.by, taken.times});
    }
    axis = *sum;
}

}  // namespace

void settle_remainders(const std::vector<Expr> &indices, AccessReader &reader, Access &access) {
    for (size_t d = 0; d < access.axes.size(); d++) {
        settle(indices[d], reader, access.axes[d]);
    }
}

}  // namespace warptile
