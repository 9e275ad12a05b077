// Multiscale interpolation: fills what is missing from an image with colours from around it. The image (RGB and an
// alpha that says how much of each pixel is known) is premultiplied, taken down a pyramid of ten levels by 1 2 1,
// and put together again from the coarsest: where alpha is low, a level shows through from the one below it.
// Some fifty stages over ten sizes: the large levels want fusion for traffic, the small ones for launches.
#include "../support/app.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

class Interpolate : public App<Interpolate> {
public:
    Halide::GeneratorParam<int> levels{"levels", 10, 2, 16};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    Interpolate() : App(1536, 2560) {}

    void generate() {
        input.dim(2).set_bounds(0, 4);
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        down.push_back(named("down", 0));
        down[0](x, y, c) = bounded(x, y, c) * Halide::select(c < 3, bounded(x, y, 3), 1.0f);
        down_x.resize(1);
        for (int level = 1; level < levels; level++) {
            push_down(level);
        }

        up_x.resize(levels), up.resize(levels), filled.resize(levels);
        filled[levels - 1] = down[levels - 1];
        for (int level = levels - 2; level >= 0; level--) {
            pull_up(level);
        }
        output(x, y, c) = filled[0](x, y, c) / filled[0](x, y, 3);

        input.set_estimates({{0, width}, {0, height}, {0, 4}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Eight kernels instead of the eighteen that a kernel for each level and direction would take: launches cost as
    /// much as the small levels do. Levels 1 to 5 go down one by one; all above them, down and up again to level 5,
    /// are one kernel with its levels in shared memory; two kernels more go up to level 0, again with the levels
    /// between in shared memory. A thread has all channels of a pixel, which share the loads of alpha.
    void expert_schedule() {
        const int one_kernel_from = std::min(5, levels - 1);
        for (int level = 1; level <= one_kernel_from; level++) {
            whole_pixels(down[level].compute_root(), 16, level < 3 ? 16 : 8);
        }
        if (one_kernel_from + 1 < levels) {
            whole_pixels(filled[one_kernel_from].compute_root(), 16, 16);
        }
        for (int level = one_kernel_from + 1; level < levels; level++) {
            in_block_of(filled[one_kernel_from], down[level]);
            if (level + 1 < levels) {
                in_block_of(filled[one_kernel_from], filled[level]);
            }
        }
        schedule_up(one_kernel_from);
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, column{"column"}, row{"row"};
    Var x{"x"}, y{"y"}, c{"c"};
    Func bounded{"bounded"};
    std::vector<Func> down_x, down;      // [level]: the pyramid, halved along x only, and along both
    std::vector<Func> up_x, up, filled;  // [level]: level + 1 doubled along x, along both; the result there

    static Func named(const std::string &name, int level) { return Func(name + "_" + std::to_string(level)); }

    /// Halves `down[level - 1]` by a 1 2 1 filter, along x and then along y.
    void push_down(int level) {
        Func finer = down[level - 1];
        if (level == 4) {
            // Clamped once more in mid-pyramid: ten halvings would else ask for a rim of 512 pixels.
            finer = named("rim", level);
            const Expr w = input.width() / (1 << (level - 1)), h = input.height() / (1 << (level - 1));
            finer(x, y, c) = down[level - 1](Halide::clamp(x, 0, w), Halide::clamp(y, 0, h), c);
        }
        const auto filter = [](const Expr &a, const Expr &b, const Expr &d) { return (a + 2.0f * b + d) * 0.25f; };
        down_x.push_back(named("down_x", level));
        down.push_back(named("down", level));
        down_x[level](x, y, c) = filter(finer(2 * x - 1, y, c), finer(2 * x, y, c), finer(2 * x + 1, y, c));
        Func &half = down_x[level];
        down[level](x, y, c) = filter(half(x, 2 * y - 1, c), half(x, 2 * y, c), half(x, 2 * y + 1, c));
    }

    /// Doubles `filled[level + 1]` linearly and lays `down[level]` over it.
    void pull_up(int level) {
        const Func &coarser = filled[level + 1];
        up_x[level] = named("up_x", level), up[level] = named("up", level), filled[level] = named("filled", level);
        const auto between = [](const Expr &a, const Expr &b) { return (a + b) * 0.5f; };
        up_x[level](x, y, c) = between(coarser(x / 2, y, c), coarser((x + 1) / 2, y, c));
        up[level](x, y, c) = between(up_x[level](x, y / 2, c), up_x[level](x, (y + 1) / 2, c));
        const Expr missing = 1.0f - down[level](x, y, 3);
        filled[level](x, y, c) = down[level](x, y, c) + missing * up[level](x, y, c);
    }

    /// A kernel of its own for `level`, tiles of `w` by `h`, a thread for each pixel. It may reach beyond what is asked
    /// for: what it reads is clamped to the image.
    void whole_pixels(Func level, int w, int h) {
        level.never_partition_all()
            .tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::RoundUp)
            .reorder(c, xi, yi, xo, yo)
            .unroll(c)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
    }

    void in_block_of(Func kernel, Func member) {
        member.compute_at(kernel, xo).never_partition_all().reorder(c, x, y).unroll(c).gpu_threads(x, y);
    }

    /// From `filled[top]` up to the output, with two levels of every three in shared memory only.
    void schedule_up(int top) {
        const int last_root = std::min(3, top);
        if (last_root < top) {
            whole_pixels(filled[last_root].compute_root(), 16, 16);
        }
        for (int level = last_root + 1; level < top; level++) {
            in_block_of(filled[last_root], filled[level]);
        }
        for (int level = 1; level < last_root; level++) {
            in_block_of(output, filled[level]);
        }
        const int w = 32, h = 16;
        Func(output).bound(c, 0, 3).never_partition_all();
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(xi, xi, column, 2)
                .split(yi, yi, row, 2)
                .reorder(c, column, row, xi, yi, xo, yo)
                .unroll(c)
                .unroll(column)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Interpolate, interpolate)
