#include "dag/halide/symbolic_offsets.h"

#include <map>
#include <optional>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

void SymbolicOffsets::settle(const std::vector<Expr> &indices, Access &access) {
    for (size_t d = 0; d < access.axes.size(); d++) {
        settle(indices[d], access.axes[d]);
    }
}

void SymbolicOffsets::settle(const Expr &index, AxisAccess &axis) {
    if (axis.kind != AxisAccess::Kind::Affine || !axis.estimated || axis.denominator != 1) {
        return;
    }
    std::map<std::string, Expr> at_zero;
    for (const Loop &loop : loops_) {
        at_zero[loop.name] = 0;
    }
    const Expr offset = substitute(at_zero, index);
    Expr rest = index - offset;
    for (const Term &t : axis.terms) {
        const std::string &loop = loops_[static_cast<size_t>(t.loop)].name;
        rest -= Variable::make(Int(32), loop) * static_cast<int>(t.numerator);
    }
    if (!is_const_zero(simplify(rest))) {
        return;  // a factor depends on a size too
    }
    std::optional<int64_t> ahead;
    for (size_t i = 0; i < first_.size() && !ahead; i++) {
        ahead = as_const_int(simplify(offset - first_[i]));
        axis.symbol = static_cast<int>(i) + 1;
    }
    if (!ahead) {
        first_.push_back(offset);
        axis.symbol = static_cast<int>(first_.size());
    }
    axis.lo = axis.hi = ahead.value_or(0);
    axis.estimated = false;
}

}  // namespace warptile
