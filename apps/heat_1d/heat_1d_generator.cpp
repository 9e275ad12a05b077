// The heat equation on an insulated rod: 60 explicit steps in time, each a three-point stencil. One step does three
// operations on what it moves eight bytes for, and a rim of one point a step is little where there is one dimension:
// dozens of steps in one kernel are what is to be won.
//
// No heat leaves the rod: a point beyond its end is as warm as its mirror image within. Since the stencil is symmetric,
// this stays true from step to step if it is so at the start, and only the input needs a boundary condition.
#include "../support/app.h"
#include "../support/lanes.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

/// The rod is `width` points long; `height` is not used.
class Heat1d : public App<Heat1d> {
public:
    Halide::GeneratorParam<int> steps{"steps", 60, 1, 1000};

    Input<Buffer<float, 1>> input{"input"};
    Output<Buffer<float, 1>> output{"output"};

    Heat1d() : App(1 << 24, 1) {}

    void generate() {
        Func start("start");
        start = Halide::BoundaryConditions::mirror_image(input);
        after.push_back(start);
        for (int step = 1; step <= steps; step++) {
            const Func &f = after.back();
            Func next("step_" + std::to_string(step));
            next(x) = 0.5f * f(x) + 0.25f * (f(x - 1) + f(x + 1));
            after.push_back(next);
        }
        output(x) = after.back()(x);

        input.set_estimates({{0, width}});
        output.set_estimates({{0, width}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Twenty steps a kernel. A warp takes 1312 points through all of them in its lanes' registers, 41 adjacent points
    /// a lane, so that a step of them is two shuffles. Adjacent points are not what a warp should load and store:
    /// temperatures come in and go out through shared memory, where an odd number of points a lane meets no bank twice.
    /// So many points a lane that the last lane always has some: were it idle in two steps in a row, LLVM would join
    /// the two tests for that and split the warp around the shuffles between them.
    void expert_schedule() {
        Func source = after[0];
        for (int first = 0; first < steps; first += steps_a_kernel) {
            const int last = std::min(first + steps_a_kernel, int(steps));
            Func stored = last == steps ? Func(output) : after[last].in().compute_root();
            kernel(first, last, source, stored);
            source = stored;
        }
    }

private:
    static constexpr int steps_a_kernel = 20, columns = 41, warps = 2;

    Var xo{"xo"}, xi{"xi"}, warp{"warp"}, lane{"lane"}, column{"column"}, chunk{"chunk"}, turn{"turn"};
    Var x{"x"};
    std::vector<Func> after;  // [step]: the temperatures after so many steps

    /// One kernel from the temperatures after `first` steps to those after `last`, from `source`, which holds the
    /// former in memory, to `stored`, which takes the latter there.
    void kernel(int first, int last, Func source, Func stored) {
        const int points = 32 * columns - 2 * (last - first - 1);  // that a warp has in the last step
        const Expr holds_a_tile = output.width() + 2 * (steps - last) >= warps * points;
        tile_at_any_size(stored, holds_a_tile, [&](Stage stage, TailStrategy tail) {
            const Var along = stored.args()[0];
            stage.split(along, xo, xi, warps * points, tail).gpu_blocks(xo);
            coalesced(stage, xi);
        });

        after[last]
            .compute_at(stored, xo)
            .split(x, warp, xi, points, TailStrategy::GuardWithIf)
            .split(xi, lane, column, columns, TailStrategy::GuardWithIf)
            .reorder(column, lane, warp)
            .unroll(column)
            .gpu_threads(warp)
            .gpu_lanes(lane);
        for (int step = first + 1; step < last; step++) {
            keep_in_lanes(after[step], {after[last], warp, columns}, {});
        }
        Func loaded = source.in(after[first + 1]).compute_at(stored, xo);
        coalesced(loaded, loaded.args()[0]);
    }

    /// Deals the points along `along` to the threads of a block in turn. A thread has seven in flight at a time.
    void coalesced(Stage stage, const Var &along) {
        const int threads = 32 * warps, in_flight = 7;
        stage.split(along, turn, along, in_flight * threads, TailStrategy::GuardWithIf)
            .split(along, chunk, along, threads)
            .split(along, warp, lane, 32)
            .reorder(chunk, turn, lane, warp)
            .unroll(chunk)
            .gpu_threads(lane, warp);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Heat1d, heat_1d)
