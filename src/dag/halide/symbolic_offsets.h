// Indices that are exact but for a size: `height - 1 - r` and `height - r` are one apart at every height, of which an
// access knows the estimate alone. Such offsets are told by what they are more than the first that has the same
// symbols.
#pragma once

#include <vector>

#include "Halide.h"
#include "dag/function_dag.h"

namespace warptile {

class SymbolicOffsets {
public:
    /// `loops` must outlive it.
    explicit SymbolicOffsets(const std::vector<Loop> &loops) : loops_(loops) {}

    /// Makes the axes of an access exact where they are so, given the indices that it was read from.
    void settle(const std::vector<Halide::Expr> &indices, Access &access);

private:
    const std::vector<Loop> &loops_;
    std::vector<Halide::Expr> first_;  ///< of each kind; `AxisAccess::symbol` counts them from 1

    void settle(const Halide::Expr &index, AxisAccess &axis);
};

}  // namespace warptile
