// The heat equation on an insulated plate: 24 explicit steps in time, each a five-point stencil. One step does five
// operations on what it moves eight bytes for, so the steps of one kernel decide: the more of them, the less traffic,
// and the wider the rim that neighbouring tiles compute twice.
//
// No heat leaves the plate: a point beyond its edge is as warm as its mirror image within. Since the stencil is
// symmetric, this stays true from step to step if it is so at the start, and only the input needs a boundary condition.
#include "../support/app.h"
#include "../support/lanes.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

class Heat2d : public App<Heat2d> {
public:
    Halide::GeneratorParam<int> steps{"steps", 24, 1, 1000};

    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    Heat2d() : App(4096, 4096) {}

    void generate() {
        Func start("start");
        start = Halide::BoundaryConditions::mirror_image(input);
        after.push_back(start);
        for (int step = 1; step < steps; step++) {
            Func next("step_" + std::to_string(step));
            next(x, y) = one_step(after.back());
            after.push_back(next);
        }
        output(x, y) = one_step(after.back());
        after.push_back(output);

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Six steps a kernel, without a barrier. A warp goes down 16 rows of 64 columns with all six steps on its way,
    /// each one row behind the step before: of a step it keeps three rows in its lanes' registers, two columns a lane,
    /// so every temperature is loaded once and no row but the first few is computed twice.
    void expert_schedule() {
        for (int last = steps; last > 0; last -= steps_a_kernel) {
            kernel(std::max(last - steps_a_kernel, 0), last);
        }
    }

private:
    static constexpr int steps_a_kernel = 6, columns = 2, rows = 16, warps = 4;

    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, warp{"warp"}, lane{"lane"}, column{"column"}, row{"row"};
    Var x{"x"}, y{"y"};
    std::vector<Func> after;  // [step]: the temperatures after so many steps

    Expr one_step(const Func &f) const {
        return 0.5f * f(x, y) + 0.125f * ((f(x - 1, y) + f(x + 1, y)) + (f(x, y - 1) + f(x, y + 1)));
    }

    /// One kernel from the temperatures after `first` steps to those after `last`. Where the output is smaller than a
    /// tile, a warp has one row only.
    void kernel(int first, int last) {
        const int w = 32 * columns - 2 * (last - first), h = warps * rows;
        const int rim = 2 * (steps - last);
        const Expr holds_a_tile = output.width() + rim >= w && output.height() + rim >= h;
        tile_at_any_size(after[last].compute_root(), holds_a_tile, [&](Stage stage, TailStrategy tail) {
            const int rows_a_warp = tail == TailStrategy::ShiftInwards ? rows : 1;
            stage.tile(x, y, xo, yo, xi, yi, w, warps * rows_a_warp, tail)
                .split(xi, lane, column, columns)
                .split(yi, warp, row, rows_a_warp)
                .reorder(column, lane, row, warp, xo, yo)
                .unroll(column)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(warp)
                .gpu_lanes(lane);
        });
        const LaneTile tile{after[last], warp, columns};
        stream_through_lanes(after[first].in(after[first + 1]), tile, row);
        for (int step = first + 1; step < last; step++) {
            stream_through_lanes(after[step], tile, row);
        }
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Heat2d, heat_2d)
