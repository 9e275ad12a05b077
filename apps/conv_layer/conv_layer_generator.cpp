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
        r = RDom(0, filter.dim(3).extent(), 0, 3, 0, 3);
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

    /// One kernel without shared memory or barriers: a thread has an output channel, and its sums at 4x4 pixels in
    /// registers. A warp has 32 channels and loads a pixel for all of them at once, two input channels at a time; the
    /// warps of a block have a strip of pixels and find the filter that they share in the cache. Blocks are small, so
    /// that all multiprocessors finish together, and 4x4 leave registers to load ahead.
    void expert_schedule() {
        const Expr usual = has_size(input, {in_channels, width + 2, height + 2, batch}) &&
                           has_size(filter, {out_channels, 3, 3, in_channels}) &&
                           has_size(output, {out_channels, width, height, batch});
        const int warps = 2;
        const bool fits = out_channels >= 32 && width >= 4 && height >= 4 * warps && in_channels % 2 == 0;
        if (fits) {
            input.set_host_alignment(8);
            tile(output.specialize(usual), {32, warps}, {4, 4});
        }
        const Expr holds_a_block =
            output.dim(0).extent() >= 32 && output.dim(1).extent() >= 4 && output.dim(2).extent() >= 16;
        tile(output.specialize(holds_a_block), {32, 8}, {4, 2});
        tile(output, {1, 1}, {1, 1});

        sum.compute_at(output, lane).unroll(x).unroll(y);
        Stage update = sum.update();
        if (fits) {
            accumulate(update.specialize(usual), 2);
        }
        accumulate(update, 1);
        Func pixels = input.in(sum);
        pixels.compute_at(sum, channel).vectorize(pixels.args()[0]).unroll(pixels.args()[1]).unroll(pixels.args()[2]);
    }

private:
    Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, warp{"warp"}, lane{"lane"}, co{"co"}, image{"image"};
    RVar channel{"channel"}, one{"one"};
    RDom r;
    Func sum{"sum"};

    struct Threads {
        int lanes, warps;
    };

    struct Pixels {
        int columns, rows;
    };

    /// Blocks of `threads`, each of which makes `pixels` of a channel. The output must hold one block: none is guarded,
    /// since under a guard what a thread keeps would not have a known size.
    void tile(Stage stage, Threads threads, Pixels pixels) {
        stage.tile(x, y, xo, yo, xi, yi, pixels.columns, pixels.rows * threads.warps, TailStrategy::ShiftInwards)
            .split(yi, warp, yi, pixels.rows)
            .split(c, co, lane, threads.lanes, TailStrategy::ShiftInwards)
            .reorder(xi, yi, lane, warp, xo, yo, co, n)
            .unroll(xi)
            .unroll(yi)
            .fuse(co, n, image)
            .gpu_blocks(xo, yo, image)
            .gpu_threads(lane, warp);
    }

    /// Adds up the products, those of `together` input channels at a time.
    void accumulate(Stage stage, int together) const {
        stage.split(r.x, channel, one, together)
            .reorder(c, one, x, y, r.y, r.z, channel)
            .unroll(one)
            .unroll(x)
            .unroll(y)
            .unroll(r.y)
            .unroll(r.z);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::ConvLayer, conv_layer)
