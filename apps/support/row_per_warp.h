// The expert schedules of reductions along rows: a warp takes a row, each lane every 32nd of its values, and what the
// lanes found is put together by shuffle. Nothing is kept but one partial result a lane, so that a row of any length
// fits: there is no shared memory and no barrier. For rows as long as the estimates say, all loops are unrolled, and
// the compiler then keeps the row in registers between the passes over it.
#pragma once

#include "Halide.h"

namespace warptile::apps {

class RowPerWarp {
public:
    /// Schedules for `output`, in whose kernel everything else is then computed. `length` is a row's, and the one to
    /// be fast at is `usual`.
    RowPerWarp(const Halide::Func &output, const Halide::Expr &length, int usual)
        : output(output), is_usual(length == usual), usual_chunks((usual + 31) / 32) {}

    /// Deals the output's rows to warps, and the values of a row to lanes. A warp beyond the last row repeats it.
    void deal_rows(const Halide::Var &x, const Halide::Var &y) {
        Halide::Stage stage(output);
        stage.split(x, chunk, lane, 32, Halide::TailStrategy::GuardWithIf)
            .reorder(chunk, lane, y)
            .split(y, block, warp, warps, Halide::TailStrategy::GuardWithIf)
            .gpu_blocks(block)
            .gpu_threads(warp)
            .gpu_lanes(lane);
        unroll(stage, chunk);
    }

    /// Makes the reduction `f` over `r` in two steps, one partial result a lane and then their sum, which each lane of
    /// `reader`, the partial results of a later reduction or by default the output, finds for itself: a scalar has no
    /// place in the registers of a warp. Returns the partial results' Func.
    Halide::Func reduce_in_lanes(Halide::Func f, const Halide::RVar &r) { return reduce_in_lanes(f, r, output, lane); }

    Halide::Func reduce_in_lanes(Halide::Func f, const Halide::RVar &r, const Halide::Func &reader) {
        return reduce_in_lanes(f, r, reader, reader.args().back());
    }

private:
    Halide::Func output;
    Halide::Expr is_usual;
    int usual_chunks;
    static constexpr int warps = 4;
    Halide::Var chunk{"chunk"}, lane{"lane"}, block{"block"}, warp{"warp"};

    Halide::Func reduce_in_lanes(Halide::Func f, const Halide::RVar &r, const Halide::Func &reader,
                                 const Halide::Var &reader_lane) {
        const Halide::RVar along, last;
        const Halide::Var part;
        Halide::Func partial = f.update().split(r, along, last, 32).rfactor(last, part);
        partial.compute_at(output, warp).gpu_lanes(part);
        Halide::Stage update = partial.update();
        update.reorder(along, part).gpu_lanes(part);
        unroll(update, along);
        f.compute_at(reader, reader_lane).update().unroll(last);
        return partial;
    }

    template<typename Loop>
    void unroll(Halide::Stage stage, const Loop &loop) {
        if (usual_chunks <= 32) {
            stage.specialize(is_usual).unroll(loop);
        } else {
            stage.specialize(is_usual).unroll(loop, 8);
        }
    }
};

}  // namespace warptile::apps
