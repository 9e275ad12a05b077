// The heat equation in an insulated block: eight explicit steps in time, each a seven-point stencil. In three
// dimensions the rim that a step adds to a tile is dear and so is the storage of a tile, so few steps fit a kernel;
// going through the block plane by plane makes the most of both.
//
// No heat leaves the block: a point beyond its surface is as warm as its mirror image within. Since the stencil is
// symmetric, this stays true from step to step if it is so at the start, and only the input needs a boundary condition.
#include "../support/app.h"
#include "../support/lanes.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

class Heat3d : public App<Heat3d> {
public:
    /// Planes of the block; by default (0) as many as make 2^24 points, but 16 at the least.
    Halide::GeneratorParam<int> depth{"depth", 0, 0, 1 << 28};
    Halide::GeneratorParam<int> steps{"steps", 8, 1, 1000};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    Heat3d() : App(256, 256) {}

    void generate() {
        Func start("start");
        start = Halide::BoundaryConditions::mirror_image(input);
        after.push_back(start);
        for (int step = 1; step < steps; step++) {
            Func next("step_" + std::to_string(step));
            next(x, y, z) = one_step(after.back());
            after.push_back(next);
        }
        output(x, y, z) = one_step(after.back());
        after.push_back(output);

        const int64_t plane = int64_t(width) * height;
        const int planes_in_all = depth > 0 ? int(depth) : std::max(int((1 << 24) / plane), 16);
        input.set_estimates({{0, width}, {0, height}, {0, planes_in_all}});
        output.set_estimates({{0, width}, {0, height}, {0, planes_in_all}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Two steps a kernel, without a barrier. A warp goes through 16 planes with a tile of 32 columns by four rows, the
    /// second step a plane behind the first; of what it loads and of the first step it keeps three planes in its lanes'
    /// registers.
    void expert_schedule() {
        for (int last = steps; last > 0; last -= steps_a_kernel) {
            kernel(std::max(last - steps_a_kernel, 0), last);
        }
    }

private:
    static constexpr int steps_a_kernel = 2, rows = 4, planes = 16, warps = 4;

    Var xo{"xo"}, yo{"yo"}, zo{"zo"}, xi{"xi"}, yi{"yi"}, warp{"warp"}, lane{"lane"}, row{"row"}, plane{"plane"};
    Var x{"x"}, y{"y"}, z{"z"};
    std::vector<Func> after;  // [step]: the temperatures after so many steps

    Expr one_step(const Func &f) const {
        const Expr around =
            (f(x - 1, y, z) + f(x + 1, y, z)) + (f(x, y - 1, z) + f(x, y + 1, z)) + (f(x, y, z - 1) + f(x, y, z + 1));
        return 0.25f * f(x, y, z) + 0.125f * around;
    }

    /// One kernel from the temperatures after `first` steps to those after `last`. Where the output is smaller than a
    /// tile, a warp has one plane only.
    void kernel(int first, int last) {
        const int w = 32 - 2 * (last - first), h = warps * rows;
        const int rim = 2 * (steps - last);
        const Expr holds_a_tile =
            output.width() + rim >= w && output.height() + rim >= h && output.dim(2).extent() + rim >= planes;
        tile_at_any_size(after[last].compute_root(), holds_a_tile, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, lane, yi, w, h, tail)
                .split(z, zo, plane, tail == TailStrategy::ShiftInwards ? planes : 1, tail)
                .split(yi, warp, row, rows)
                .reorder(row, lane, plane, warp, xo, yo, zo)
                .unroll(row)
                .unroll(plane)
                .gpu_blocks(xo, yo, zo)
                .gpu_threads(warp)
                .gpu_lanes(lane);
        });
        const LaneTile tile{after[last], warp, 1};
        stream_through_lanes(after[first].in(after[first + 1]), tile, plane, {rows + 2 * (last - first)});
        for (int step = first + 1; step < last; step++) {
            stream_through_lanes(after[step], tile, plane, {rows + 2 * (last - step)});
        }
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Heat3d, heat_3d)
