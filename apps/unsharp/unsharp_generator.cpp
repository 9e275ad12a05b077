// Unsharp mask: an RGB image is scaled, pixel by pixel, by how much its luma stands out from its own 7x7 Gaussian
// blur. A chain of stencils with a boundary condition, whose last stage reads the whole colour image again: what is
// to be won is fusing luma and both blurs into the kernel that writes the output.
#include "../support/app.h"

#include <cmath>

namespace warptile::apps {

class Unsharp : public App<Unsharp> {
public:
    Halide::GeneratorParam<float> sigma{"sigma", 1.5f};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    Unsharp() : App(1536, 2560) {}

    void generate() {
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        luma(x, y) = 0.299f * bounded(x, y, 0) + 0.587f * bounded(x, y, 1) + 0.114f * bounded(x, y, 2);
        columns(x, y) = gaussian([&](int d) { return luma(x, y + d); });
        blurred(x, y) = gaussian([&](int d) { return columns(x + d, y); });
        ratio(x, y) = (2.0f * luma(x, y) - blurred(x, y)) / luma(x, y);
        output(x, y, c) = ratio(x, y) * input(x, y, c);

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel, with luma and the blur down the columns in shared memory. A thread writes two rows of all three
    /// channels and computes three of luma, so that each of its loads has others beside it in flight.
    void expert_schedule() {
        const int w = 64, rows = 2, luma_rows = 3, h = 4 * rows;
        Func(output).bound(c, 0, 3);
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(c, row, xi, yi, xo, yo)
                .unroll(c)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        ratio.compute_at(output, xi).unroll(y);
        const auto in_shared_memory = [&](Func &member, int rows_a_thread) {
            member.compute_at(output, xo)
                .split(y, y, row, rows_a_thread, TailStrategy::GuardWithIf)
                .reorder(row, x, y)
                .unroll(row)
                .gpu_threads(x, y);
        };
        in_shared_memory(luma, luma_rows);
        in_shared_memory(columns, rows);
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"};
    Var x{"x"}, y{"y"}, c{"c"};
    Func bounded{"bounded"}, luma{"luma"}, columns{"columns"}, blurred{"blurred"}, ratio{"ratio"};

    /// The sum of seven taps at distances -3 to 3, weighted by the normal density of deviation `sigma`. The weights
    /// of a cut-off bell sum to a little less than one; they are used as they are.
    template<typename Tap>
    Expr gaussian(const Tap &tap) const {
        Expr sum;
        for (int d = 0; d <= 3; d++) {
            const double s = float(sigma), pi = 3.14159265358979323846;
            const float weight = float(std::exp(-d * d / (2 * s * s)) / (std::sqrt(2 * pi) * s));
            sum = d == 0 ? weight * tap(0) : sum + weight * (tap(-d) + tap(d));
        }
        return sum;
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Unsharp, unsharp)
