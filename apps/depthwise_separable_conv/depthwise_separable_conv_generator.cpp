// A depthwise separable convolution, as in small neural networks: each input channel is filtered with 3x3 filters of
// its own, zero beyond the image, and a product with a small matrix makes the output channels of the results, pixel by
// pixel; then a bias, and what is negative cut off. The first step is a stencil, the second a reduction over channels,
// and what stands between them is as large as the input: fused, it never leaves the chip. Channels are adjacent in
// memory. `width` and `height` are the image's pixels.
#include "../support/app.h"
#include "../support/usual_size.h"

namespace warptile::apps {

class DepthwiseSeparableConv : public App<DepthwiseSeparableConv> {
public:
    Halide::GeneratorParam<int> in_channels{"in_channels", 32};
    Halide::GeneratorParam<int> multiplier{"multiplier", 1};  // filters for each input channel
    Halide::GeneratorParam<int> out_channels{"out_channels", 16};
    Halide::GeneratorParam<int> batch{"batch", 4};

    Input<Buffer<float, 4>> input{"input"};                        // channel, x, y, image
    Input<Buffer<float, 4>> depthwise_filter{"depthwise_filter"};  // which of a channel's, channel, x, y
    Input<Buffer<float, 2>> pointwise_filter{"pointwise_filter"};  // output channel, filtered channel
    Input<Buffer<float, 1>> bias{"bias"};                          // output channel
    Output<Buffer<float, 4>> output{"output"};

    DepthwiseSeparableConv() : App(112, 112) {}

    void generate() {
        const Expr filters = depthwise_filter.dim(0).extent();
        const Func padded = Halide::BoundaryConditions::constant_exterior(input, 0.0f,
                                                                          {{Expr(), Expr()},
                                                                           {input.dim(1).min(), input.dim(1).extent()},
                                                                           {input.dim(2).min(), input.dim(2).extent()},
                                                                           {Expr(), Expr()}});
        Expr taps = 0.0f;
        for (int dy = 0; dy < 3; dy++) {
            for (int dx = 0; dx < 3; dx++) {
                taps +=
                    depthwise_filter(k % filters, k / filters, dx, dy) * padded(k / filters, x + dx - 1, y + dy - 1, n);
            }
        }
        filtered(k, x, y, n) = taps;
        r = RDom(0, pointwise_filter.dim(1).extent());
        sum(c, x, y, n) = bias(c);
        sum(c, x, y, n) += pointwise_filter(c, r) * filtered(r, x, y, n);
        output(c, x, y, n) = Halide::max(sum(c, x, y, n), 0.0f);

        for (int d = 0; d < 4; d++) {
            depthwise_filter.dim(d).set_min(0);
        }
        pointwise_filter.dim(1).set_min(0);
        input.set_estimates({{0, in_channels}, {0, width}, {0, height}, {0, batch}});
        depthwise_filter.set_estimates({{0, multiplier}, {0, in_channels}, {0, 3}, {0, 3}});
        pointwise_filter.set_estimates({{0, out_channels}, {0, filtered_channels()}});
        bias.set_estimates({{0, out_channels}});
        output.set_estimates({{0, out_channels}, {0, width}, {0, height}, {0, batch}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel: a block filters 32 channels at a time of 8x8 pixels into shared memory, a thread a channel of one
    /// row. For the sums a thread has an output channel and four pixels of a row.
    void expert_schedule() {
        const int channels = filtered_channels();
        const Expr usual = has_size(input, {in_channels, width, height, batch}) &&
                           has_size(depthwise_filter, {multiplier, in_channels, 3, 3}) &&
                           has_size(pointwise_filter, {out_channels, channels}) &&
                           has_size(output, {out_channels, width, height, batch});
        const bool fits = out_channels >= 16 && width >= 8 && height >= 8 && channels % 4 == 0 && channels <= 128;
        if (fits) {
            tile(output.specialize(usual), 16, 8, 8, 4);
        }
        // Other blocks are not guarded, but smaller: what a block keeps must fit its shared memory.
        tile(output.specialize(output.dim(0).extent() >= 16 && output.dim(1).extent() >= 8 &&
                               output.dim(2).extent() >= 8 && pointwise_filter.dim(1).extent() <= 128),
             16, 8, 8, 4);
        tile(output, 1, 1, 1, 1);

        // Rows of four numbers more than a multiple of 32 keep two pixels out of one bank of shared memory.
        filtered.compute_at(output, xo)
            .align_storage(k, 36)
            .split(k, k, channel, 32, TailStrategy::GuardWithIf)
            .split(x, x, pixel, 4, TailStrategy::GuardWithIf)
            .reorder(pixel, x, k, channel, y)
            .gpu_threads(channel, y);
        filtered.specialize(usual).unroll(pixel);
        filtered.never_partition_all();  // else the general loops, three of each, would spill

        sum.compute_at(output, lane).unroll(x);
        Stage update = sum.update();
        if (fits) {
            accumulate(update.specialize(usual), 4);
        }
        accumulate(update, 1);
        Func loaded = filtered.in(sum);
        loaded.compute_at(sum, group).vectorize(k).unroll(x);
    }

private:
    Var k{"k"}, c{"c"}, x{"x"}, y{"y"}, n{"n"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, co{"co"}, ci{"ci"}, lane{"lane"}, image{"image"};
    Var channel{"channel"}, pixel{"pixel"}, quarter{"quarter"};
    RVar group{"group"}, one{"one"};
    RDom r;
    Func filtered{"filtered"}, sum{"sum"};

    int filtered_channels() const { return int(in_channels) * int(multiplier); }

    /// Blocks of `w` by `h` pixels and `channels` output channels, of which a thread makes one at `pixels` pixels. The
    /// output must hold one.
    void tile(Stage stage, int channels, int w, int h, int pixels) {
        stage.tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::ShiftInwards)
            .split(c, co, ci, channels, TailStrategy::ShiftInwards)
            .split(xi, quarter, xi, pixels)
            .fuse(ci, quarter, lane)
            .reorder(xi, lane, yi, xo, yo, co, n)
            .fuse(co, n, image)
            .unroll(xi)
            .gpu_blocks(xo, yo, image)
            .gpu_threads(lane, yi);
    }

    /// Adds up the products, those of `together` channels at a time.
    void accumulate(Stage stage, int together) const {
        stage.split(r, group, one, together).reorder(one, x, c, group).unroll(one).unroll(x);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::DepthwiseSeparableConv, depthwise_separable_conv)
