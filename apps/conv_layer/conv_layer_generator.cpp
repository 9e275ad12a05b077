// A layer of a neural network: a 3x3 convolution from all input channels to all output channels, a bias, and what is
// negative cut off. The channels of a pixel are adjacent in memory, in and out. Six billion multiplications over a few
// megabytes: bound by arithmetic, if what is loaded is used often enough. `width` and `height` are the output's pixels.
#include "../support/app.h"
#include "../support/usual_size.h"

namespace warptile::apps {

class ConvLayer : public App<ConvLayer> {
public:
    Halide::GeneratorParam<int> in_channels{"in_channels", 128};
    Halide::GeneratorParam<int> out_channels{"out_channels", 128};
    Halide::GeneratorParam<int> batch{"batch", 5};

    Input<Buffer<float, 4>> input{"input"};    // channel, x, y, image; two pixels wider and higher than the output
    Input<Buffer<float, 4>> filter{"filter"};  // output channel, x, y, input channel
    Input<Buffer<float, 1>> bias{"bias"};      // output channel
    Output<Buffer<float, 4>> output{"output"};

    ConvLayer() : App(100, 80) {}

    void generate() {
        const Expr depth = Halide::max(filter.dim(3).extent(), 1);  // known not to be zero, a schedule needs no guard
        r = RDom(0, depth, 0, 3, 0, 3);
        sum(c, x, y, n) = bias(c);
        sum(c, x, y, n) += filter(c, r.y, r.z, r.x) * input(r.x, x + r.y, y + r.z, n);
        output(c, x, y, n) = Halide::max(sum(c, x, y, n), 0.0f);

        for (auto dimension : {input.dim(0), filter.dim(0), filter.dim(1), filter.dim(2), filter.dim(3)}) {
            dimension.set_min(0);
        }
        input.set_estimates({{0, in_channels}, {0, width + 2}, {0, height + 2}, {0, batch}});
        filter.set_estimates({{0, out_channels}, {0, 3}, {0, 3}, {0, in_channels}});
        bias.set_estimates({{0, out_channels}});
        output.set_estimates({{0, out_channels}, {0, width}, {0, height}, {0, batch}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel of blocks of one warp, for 32 output channels or more. A lane has one, and its sums at 6x4 pixels in
    /// registers. Sixteen channels of the input under these are loaded into shared memory, from where each number goes
    /// to all lanes at once and to up to nine sums; a filter's number goes to all 24 sums of its lane.
    void expert_schedule() {
        const bool even = in_channels % 16 == 0 && out_channels % 32 == 0;
        const Expr usual = has_size(input, {in_channels, width + 2, height + 2, batch}) &&
                           has_size(filter, {out_channels, 3, 3, in_channels}) &&
                           has_size(output, {out_channels, width, height, batch});
        if (even) {
            tile(output.specialize(usual), 6, 4);
        }
        tile(output.specialize(output.dim(1).extent() >= 6 && output.dim(2).extent() >= 4), 6, 4);
        tile(output, 1, 1);

        sum.compute_at(output, xo).store_in(Halide::MemoryType::Register).gpu_lanes(c).unroll(x).unroll(y);
        Stage update = sum.update();
        if (even) {
            accumulate(update.specialize(usual), 16, 2);
        }
        accumulate(update, 1, 1);

        Func staged = input.in(sum);
        const Var channel = staged.args()[0], column = staged.args()[1], line = staged.args()[2];
        Var pixel, odd, lane;
        staged.compute_at(sum, channels)
            .fuse(column, line, pixel)
            .split(pixel, pixel, odd, 2, TailStrategy::GuardWithIf)
            .fuse(channel, odd, lane)
            .gpu_lanes(lane)
            .unroll(pixel);
    }

private:
    Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, lane{"lane"}, co{"co"}, image{"image"};
    RVar channels{"channels"}, channel{"channel"}, one{"one"};
    RDom r;
    Func sum{"sum"};

    /// Blocks of one warp that makes `w` by `h` pixels of 32 channels. The output must hold one: none is guarded, since
    /// under a guard what a lane keeps would not have a known size.
    void tile(Stage stage, int w, int h) {
        stage.tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::ShiftInwards)
            .split(c, co, lane, 32, TailStrategy::ShiftInwards)
            .reorder(xi, yi, lane, xo, yo, co, n)
            .unroll(xi)
            .unroll(yi)
            .fuse(co, n, image)
            .gpu_blocks(xo, yo, image)
            .gpu_lanes(lane);
    }

    /// Adds up `staged` channels at a time, `together` of which are read at once.
    void accumulate(Stage stage, int staged, int together) const {
        stage.split(r.x, channels, channel, staged)
            .split(channel, channel, one, together)
            .reorder(c, one, x, y, r.y, r.z, channel, channels)
            .gpu_lanes(c)
            .unroll(one)
            .unroll(x)
            .unroll(y)
            .unroll(r.y)
            .unroll(r.z);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::ConvLayer, conv_layer)
