// Edge-preserving smoothing with a bilateral grid: each 8x8 cell of the image is a small histogram over intensity
// (the sum and the count of its pixels in each bin), the grid is blurred by 1 4 6 4 1 along intensity, x and y, and
// each pixel reads it back by trilinear interpolation at its own intensity.
// It exercises a reduction whose store goes where the data say, a down-sampled domain, and a gather.
#include "../support/app.h"

namespace warptile::apps {

class BilateralGrid : public App<BilateralGrid> {
public:
    Halide::GeneratorParam<int> s_sigma{"s_sigma", 8};  // pixels along a side of a cell

    Input<Buffer<float, 2>> input{"input"};
    Input<float> r_sigma{"r_sigma"};  // intensity of a bin; intensities run from 0 to 1
    Output<Buffer<float, 2>> output{"output"};

    BilateralGrid() : App(1536, 2560) {}

    void generate() {
        const int cell = s_sigma;
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        r = RDom(0, cell, 0, cell, "r");
        const Expr value = unit(bounded(x * cell + r.x - cell / 2, y * cell + r.y - cell / 2));
        const Expr bin = Halide::cast<int>(value * (1.0f / r_sigma) + 0.5f);
        histogram(x, y, z, c) = 0.0f;
        histogram(x, y, bin, c) += Halide::mux(c, {value, 1.0f});

        blur_z(x, y, z, c) = binomial([&](int d) { return histogram(x, y, z + d, c); });
        blur_x(x, y, z, c) = binomial([&](int d) { return blur_z(x + d, y, z, c); });
        blur_y(x, y, z, c) = binomial([&](int d) { return blur_x(x, y + d, z, c); });

        slice();
        output(x, y) = sliced(x, y, 0) / sliced(x, y, 1);

        input.set_estimates({{0, width}, {0, height}});
        r_sigma.set_estimate(0.1f);
        output.set_estimates({{0, width}, {0, height}});
        // How many bins there are is known at run time only; an autoscheduler goes by r_sigma's estimate.
        histogram.set_estimate(z, -2, 16);
        for (Func *blur : {&blur_z, &blur_x, &blur_y}) {
            blur->set_estimate(z, 0, 12);
        }
    }

    std::vector<Func> outputs() { return {output}; }

    /// Three kernels: histogram and the blur along z, with the histograms of 8x8 cells in shared memory; the blurs
    /// along x and y, the first in shared memory; and the slice, four rows a thread.
    void expert_schedule() {
        blur_z.compute_root().reorder(c, z, x, y).unroll(c).gpu_tile(x, y, xi, yi, 8, 8, TailStrategy::RoundUp);
        histogram.compute_at(blur_z, x).reorder(c, z, x, y).unroll(c).gpu_threads(x, y);
        histogram.update().reorder(c, r.x, r.y, x, y).unroll(c).gpu_threads(x, y);

        blur_y.compute_root()
            .reorder_storage(c, x, y, z)
            .tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::RoundUp)
            .split(yi, yi, row, 2)
            .reorder(c, row, xi, yi, xo, yo, z)
            .vectorize(c)
            .unroll(row)
            .gpu_blocks(xo, yo, z)
            .gpu_threads(xi, yi);
        blur_x.compute_at(blur_y, xo).reorder_storage(c, x, y, z).reorder(c, x, y, z).vectorize(c).gpu_threads(x, y);

        const int w = 32, rows = 4, h = 8 * rows;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(row, xi, yi, xo, yo)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        sliced.compute_at(output, row).vectorize(c);
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"};
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    RDom r;
    Func bounded{"bounded"}, histogram{"histogram"};
    Func blur_z{"blur_z"}, blur_x{"blur_x"}, blur_y{"blur_y"}, sliced{"sliced"};

    static Expr unit(const Expr &value) { return Halide::clamp(value, 0.0f, 1.0f); }

    template<typename Tap>
    static Expr binomial(const Tap &tap) {
        return tap(-2) + 4.0f * tap(-1) + 6.0f * tap(0) + 4.0f * tap(1) + tap(2);
    }

    /// Reads the grid at each pixel's place and intensity: a blend of the eight corners around it.
    void slice() {
        const int cell = s_sigma;
        const Expr depth = unit(input(x, y)) * (1.0f / r_sigma);
        const Expr bin = Halide::cast<int>(depth);
        const auto at = [&](int dx, int dy, int dz) { return blur_y(x / cell + dx, y / cell + dy, bin + dz, c); };
        const auto along_x = [&](int dy, int dz) {
            return Halide::lerp(at(0, dy, dz), at(1, dy, dz), Halide::cast<float>(x % cell) / float(cell));
        };
        const auto along_y = [&](int dz) {
            return Halide::lerp(along_x(0, dz), along_x(1, dz), Halide::cast<float>(y % cell) / float(cell));
        };
        sliced(x, y, c) = Halide::lerp(along_y(0), along_y(1), depth - bin);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::BilateralGrid, bilateral_grid)
