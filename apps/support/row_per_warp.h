// The expert schedules of reductions along rows: a warp takes a row, each lane every 32nd of its values, and what the
// lanes found is put together by shuffle. Nothing is kept but one partial result a lane, so that a row of any length
// fits: there is no shared memory and no barrier. Where rows are as long as the estimates say and fit the registers,
// all loops are unrolled, and the compiler then keeps the row there between the passes over it.
#pragma once

#include "Halide.h"

namespace warptile::apps {

/// A Func that has a loop over the warps of a block, a row each, and one over the lanes of a warp.
struct RowLoops {
    Halide::Func func;
    Halide::Var warp, lane;
};

class RowPerWarp {
public:
    using Expr = Halide::Expr;
    using Func = Halide::Func;
    using RVar = Halide::RVar;
    using Stage = Halide::Stage;
    using Var = Halide::Var;

    /// `length` is a row's, and the one to be fast at is `usual`.
    RowPerWarp(const Expr &length, int usual)
        : long_rows(usual > 1024), is_usual(long_rows ? length % 128 == 0 : length == usual) {}

    /// Deals the rows of `output(x, y)` to warps, and the values of a row to lanes.
    RowLoops deal_rows(const Func &output, const Var &x, const Var &y) const {
        const Var chunk, block;
        const RowLoops loops{output, Var(), Var()};
        Stage stage(output);
        stage.split(x, chunk, loops.lane, 32, Halide::TailStrategy::GuardWithIf)
            .reorder(chunk, loops.lane, y)
            .split(y, block, loops.warp, warps, Halide::TailStrategy::GuardWithIf)
            .gpu_blocks(block)
            .gpu_threads(loops.warp)
            .gpu_lanes(loops.lane);
        unroll(stage, chunk);
        return loops;
    }

    /// Makes the reduction `f` over `r` in two steps. The warps of `kernel` find one partial result a lane; the last
    /// step is repeated by each lane of `reader`, since a scalar has no place in the registers of a warp. Returns the
    /// loops of the partial results, which may be the `reader` of another reduction.
    RowLoops reduce(Func f, const RVar &r, const RowLoops &kernel, const RowLoops &reader) const {
        const RVar along, last;
        const RowLoops partial = find_partial_results(f, r, along, last, kernel.warp);
        Func(partial.func).compute_at(kernel.func, kernel.warp).gpu_lanes(partial.lane);
        Stage update = Func(partial.func).update();
        unroll(update.reorder(along, partial.lane).gpu_lanes(partial.lane), along);
        f.compute_at(reader.func, reader.lane).update().unroll(last);
        return partial;
    }

    /// The same for an `output(y)` of one value a row, which has nothing for the lanes to do: the partial results of a
    /// block's rows go through shared memory, and a thread puts together those of a row.
    RowLoops reduce_to_value(Func f, const RVar &r, Func output, const Var &y) const {
        const RVar along, last;
        const Var block, row;
        const RowLoops partial = find_partial_results(f, r, along, last, y);
        output.split(y, block, row, warps, Halide::TailStrategy::GuardWithIf).gpu_blocks(block).gpu_threads(row);
        Func(partial.func).compute_at(output, block).reorder(partial.lane, y).gpu_threads(y).gpu_lanes(partial.lane);
        Stage update = Func(partial.func).update();
        unroll(update.reorder(along, partial.lane, y).gpu_threads(y).gpu_lanes(partial.lane), along);
        f.compute_at(output, row).update().unroll(last);
        return partial;
    }

private:
    bool long_rows;  // too long for a warp's registers
    Expr is_usual;
    static constexpr int warps = 4;

    static RowLoops find_partial_results(Func f, const RVar &r, const RVar &along, const RVar &last, const Var &warp) {
        const Var lane;
        return {f.update().split(r, along, last, 32).rfactor(last, lane), warp, lane};
    }

    template<typename Loop>
    void unroll(Stage stage, const Loop &loop) const {
        if (long_rows) {
            stage.specialize(is_usual).unroll(loop, 4);
        } else {
            stage.specialize(is_usual).unroll(loop);
        }
    }
};

}  // namespace warptile::apps
