// Harris corners: the response det(M) - 0.04 trace(M)^2 of the 3x3-summed matrix M of gradient products, from an RGB
// image. Two stencils in a row with many pointwise stages between them: eleven stages of which one kernel should
// remain, and a good schedule computes each gradient once and each product not at all (it is inlined).
// The output is three pixels in from the input on each side; there is no boundary condition.
#include "../support/app.h"

namespace warptile::apps {

class Harris : public App<Harris> {
public:
    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    Harris() : App(1536, 2560) {}

    void generate() {
        gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);
        gradient_x(x, y) = sobel([&](int along, int across) { return gray(x + along, y + across); });
        gradient_y(x, y) = sobel([&](int along, int across) { return gray(x + across, y + along); });

        xx(x, y) = gradient_x(x, y) * gradient_x(x, y);
        xy(x, y) = gradient_x(x, y) * gradient_y(x, y);
        yy(x, y) = gradient_y(x, y) * gradient_y(x, y);
        sum_xx(x, y) = window_sum(xx);
        sum_xy(x, y) = window_sum(xy);
        sum_yy(x, y) = window_sum(yy);

        determinant(x, y) = sum_xx(x, y) * sum_yy(x, y) - sum_xy(x, y) * sum_xy(x, y);
        trace(x, y) = sum_xx(x, y) + sum_yy(x, y);
        output(x, y) = determinant(x, y) - 0.04f * trace(x, y) * trace(x, y);

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{3, width - 6}, {3, height - 6}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel without a barrier: a tile of 28x4 a warp, four warps a block. Grey and both gradients are rows of
    /// 32 in the lanes' registers, read by shuffle; everything pointwise is inlined.
    void expert_schedule() {
        const int w = 28, rows = 4, h = 4 * rows;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, lane, yi, w, h, tail)
                .split(yi, warp, row, rows)
                .reorder(row, lane, warp, xo, yo)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(warp)
                .gpu_lanes(lane);
        });
        const auto in_lanes = [&](Func &member, int halo) {
            // Rows must begin at a lane, hence the alignment; under a guarded output Halide knows neither extent, and
            // would put the member in global memory were they not bounded here.
            member.compute_at(output, warp)
                .align_storage(x, 32)
                .bound_storage(x, 32)
                .bound_storage(y, rows + halo)
                .split(x, chunk, lane, 32, TailStrategy::GuardWithIf)
                .reorder(chunk, y, lane)
                .unroll(chunk)
                .unroll(y)
                .gpu_lanes(lane);
        };
        in_lanes(gray, 4);
        in_lanes(gradient_x, 2);
        in_lanes(gradient_y, 2);
    }

private:
    Var xo{"xo"}, yo{"yo"}, yi{"yi"}, warp{"warp"}, lane{"lane"}, row{"row"}, chunk{"chunk"};
    Var x{"x"}, y{"y"}, c{"c"};
    Func gray{"gray"}, gradient_x{"gradient_x"}, gradient_y{"gradient_y"};
    Func xx{"xx"}, xy{"xy"}, yy{"yy"}, sum_xx{"sum_xx"}, sum_xy{"sum_xy"}, sum_yy{"sum_yy"};
    Func determinant{"determinant"}, trace{"trace"};

    /// The derivative along one axis, smoothed across it by 1 2 1, scaled to a unit step: `pixel(along, across)`.
    template<typename Pixel>
    static Expr sobel(const Pixel &pixel) {
        const auto difference = [&](int across) { return pixel(1, across) - pixel(-1, across); };
        return (difference(-1) + 2.0f * difference(0) + difference(1)) * (1.0f / 12);
    }

    Expr window_sum(const Func &f) const {
        Expr sum;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                const Expr tap = f(x + dx, y + dy);
                sum = sum.defined() ? sum + tap : tap;
            }
        }
        return sum;
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Harris, harris)
