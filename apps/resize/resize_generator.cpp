// An image at another size, by a separable kernel: box, linear, cubic or Lanczos, stretched where the image shrinks so
// that nothing aliases. Two passes of few taps whose places and weights depend on where an output pixel falls between
// those of the input: rational accesses, and small tables.
//
// The scale is a ratio of integers, `numerator` to `denominator`. The kernels are those of the Halide repository's app
// of this name; beyond its edge the image goes on as its edge.
#include "../support/app.h"
#include "sampling.h"

#include <vector>

namespace warptile::apps {

/// `width` and `height` are the input's.
class Resize : public App<Resize> {
public:
    Halide::GeneratorParam<Kernel> kernel{
        "kernel",
        Kernel::cubic,
        {{"box", Kernel::box}, {"linear", Kernel::linear}, {"cubic", Kernel::cubic}, {"lanczos", Kernel::lanczos}}};
    Halide::GeneratorParam<int> numerator{"numerator", 1, 1, 64};
    Halide::GeneratorParam<int> denominator{"denominator", 2, 1, 64};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    Resize() : App(1536, 2560) {}

    void generate() {
        bounded = Halide::BoundaryConditions::repeat_edge(
            input, {{input.dim(0).min(), input.dim(0).extent()}, {input.dim(1).min(), input.dim(1).extent()}});
        const Sampling sampling{kernel, numerator, denominator};
        define_weights(sampling, raw_x, weights_x);
        define_weights(sampling, raw_y, weights_y);

        // The pass along y first where the image shrinks, and along x first where it grows: the other way round, the
        // pass along x, whose taps are harder to share, would have more to do.
        const auto along_x = [&](const Func &f) {
            return sum_over(sampling.taps(),
                            [&](int tap) { return weights_x(x, tap) * f(sampling.first_tap(x) + tap, y, c); });
        };
        const auto along_y = [&](const Func &f) {
            return sum_over(sampling.taps(),
                            [&](int tap) { return weights_y(y, tap) * f(x, sampling.first_tap(y) + tap, c); });
        };
        half_way(x, y, c) = sampling.shrinks() ? along_y(bounded) : along_x(bounded);
        output(x, y, c) = clamp(sampling.shrinks() ? along_x(half_way) : along_y(half_way), 0.0f, 1.0f);

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, sampling.scaled(width)}, {0, sampling.scaled(height)}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel, with the image half way in shared memory. Where the input is a multiple of the output's size, every
    /// pixel has the same weights and they are constants of the code; else a block makes its own tables of them.
    void expert_schedule() {
        const int w = 64, rows = 4, h = 4 * rows;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(row, xi, yi, xo, yo, c)
                .unroll(row)
                .gpu_blocks(xo, yo, c)
                .gpu_threads(xi, yi);
        });
        half_way.compute_at(output, xo)
            .split(x, turn, x, 48, TailStrategy::GuardWithIf)
            .split(y, y, row, rows, TailStrategy::GuardWithIf)
            .reorder(row, turn, x, y)
            .unroll(row)
            .gpu_threads(x, y);
        if (numerator > 1) {
            for (Func table : {raw_x, weights_x, raw_y, weights_y}) {
                table.compute_at(output, xo)
                    .split(x, turn, x, w, TailStrategy::GuardWithIf)
                    .split(k, yo, k, h / rows, TailStrategy::GuardWithIf)
                    .reorder(turn, yo, x, k)
                    .gpu_threads(x, k);
            }
        }
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"}, turn{"turn"};
    Var x{"x"}, y{"y"}, c{"c"}, k{"k"};
    Func bounded{"bounded"}, half_way{"half_way"};
    Func raw_x{"raw_x"}, raw_y{"raw_y"}, weights_x{"weights_x"}, weights_y{"weights_y"};  // of tap k of a pixel

    void define_weights(const Sampling &sampling, Func &raw, Func &weights) {
        raw(x, k) = sampling.weight(x, k);
        weights(x, k) = raw(x, k) / sum_over(sampling.taps(), [&](int tap) { return raw(x, tap); });
    }

    template<typename Tap>
    static Expr sum_over(int taps, const Tap &tap) {
        Expr sum = tap(0);
        for (int i = 1; i < taps; i++) {
            sum += tap(i);
        }
        return sum;
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Resize, resize)
