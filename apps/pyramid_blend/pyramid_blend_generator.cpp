// Two images blended into one by Burt and Adelson's multiresolution spline: each is taken apart into bands, the
// differences between the levels of its Gaussian pyramid; each band is blended by a mask of its own resolution, so that
// coarse features mix over a wide seam and fine ones over a narrow one; and the blended bands are put together again.
// Some fifty stages over four sizes, three pyramids down side by side and one up, bound by the traffic of the largest.
//
// Levels are halved and doubled by 1 3 3 1, whose pixels stay centred.
#include "../support/app.h"

#include <string>
#include <vector>

namespace warptile::apps {

class PyramidBlend : public App<PyramidBlend> {
public:
    Halide::GeneratorParam<int> levels{"levels", 4, 3, 8};

    Input<Buffer<float, 3>> left{"left"};
    Input<Buffer<float, 3>> right{"right"};
    Input<Buffer<float, 2>> mask{"mask"};  // 1 where the left image is wanted
    Output<Buffer<float, 3>> output{"output"};

    PyramidBlend() : App(3840, 2160) {}

    void generate() {
        left_down = pyramid(left, "left");
        right_down = pyramid(right, "right");
        mask_down = pyramid(mask, "mask");
        result.resize(levels);
        for (int level = levels - 1; level >= 0; level--) {
            const Func left_band = band(left_down, level), right_band = band(right_down, level);
            Func blended = named("blended", level);
            const Expr &wanted = mask_down[level](x, y);
            blended(x, y, c) = wanted * left_band(x, y, c) + (1.0f - wanted) * right_band(x, y, c);
            result[level] = blended;
            if (level + 1 < levels) {
                const Func coarser = doubled(result[level + 1]);
                result[level] = named("result", level);
                result[level](x, y, c) = blended(x, y, c) + coarser(x, y, c);
            }
        }
        output(x, y, c) = result[0](x, y, c);

        for (auto *image : {&left, &right}) {
            image->set_estimates({{0, width}, {0, height}, {0, 3}});
        }
        mask.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Eight kernels. Levels 1 and 2 of each pyramid have one each; all that is coarser is made anew in shared memory
    /// by every block of the one that puts level 1 together; the last one reads level 1 and the images once.
    void expert_schedule() {
        for (const std::vector<Func> &down : {left_down, right_down, mask_down}) {
            for (int level = 1; level <= 2; level++) {
                halving(down[level]);
            }
        }
        const int w = 32, h = 8;
        whole_pixels(result[1].compute_root(), w, 2 * h, TailStrategy::RoundUp);  // higher, for less of a rim
        for (int level = 3; level < levels; level++) {
            for (const std::vector<Func> &down : {left_down, right_down, mask_down}) {
                in_block_of(result[1], down[level]);
            }
        }
        for (int level = 2; level < levels; level++) {
            in_block_of(result[1], result[level]);
        }

        Func(output).bound(c, 0, 3).never_partition_all();
        tile_at_any_size(output, output.width() >= w && output.height() >= h,
                         [&](Stage stage, TailStrategy tail) { whole_pixels(stage, w, h, tail); });
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"};
    Var x{"x"}, y{"y"}, c{"c"};
    std::vector<Func> left_down, right_down, mask_down, result;  // [level]

    static Func named(const std::string &name, int level) { return Func(name + "_" + std::to_string(level)); }

    /// A Gaussian pyramid over an image that goes on as its edge.
    template<typename Image>
    std::vector<Func> pyramid(Image &image, const std::string &name) {
        Func bounded(name + "_bounded");
        bounded = Halide::BoundaryConditions::repeat_edge(
            image, {{image.dim(0).min(), image.dim(0).extent()}, {image.dim(1).min(), image.dim(1).extent()}});
        std::vector<Func> down = {bounded};
        for (int level = 1; level < levels; level++) {
            const auto quarters = [](const Expr &a, const Expr &b, const Expr &d, const Expr &e) {
                return (a + 3.0f * (b + d) + e) * 0.125f;
            };
            const Func &finer = down.back();
            Func half = named(name + "_half", level), quarter = named(name + "_down", level);
            half(x, y, Halide::_) = quarters(finer(2 * x - 1, y, Halide::_), finer(2 * x, y, Halide::_),
                                             finer(2 * x + 1, y, Halide::_), finer(2 * x + 2, y, Halide::_));
            quarter(x, y, Halide::_) = quarters(half(x, 2 * y - 1, Halide::_), half(x, 2 * y, Halide::_),
                                                half(x, 2 * y + 1, Halide::_), half(x, 2 * y + 2, Halide::_));
            down.push_back(quarter);
        }
        return down;
    }

    /// Twice as large along both axes.
    Func doubled(const Func &f) const {
        Func wide(f.name() + "_wide"), twice(f.name() + "_doubled");
        const auto beside = [](const Expr &at) { return at / 2 - 1 + 2 * (at % 2); };
        wide(x, y, c) = 0.25f * f(beside(x), y, c) + 0.75f * f(x / 2, y, c);
        twice(x, y, c) = 0.25f * wide(x, beside(y), c) + 0.75f * wide(x, y / 2, c);
        return twice;
    }

    /// What a level has that the coarser one does not.
    Func band(const std::vector<Func> &down, int level) const {
        if (level + 1 == levels) {
            return down[level];
        }
        Func difference(down[level].name() + "_band");
        const Func coarser = doubled(down[level + 1]);
        difference(x, y, c) = down[level](x, y, c) - coarser(x, y, c);
        return difference;
    }

    /// A kernel for one level of a pyramid, a thread four rows of a column. It may reach beyond what is asked for: what
    /// it reads is clamped.
    void halving(Func level) {
        level.compute_root()
            .never_partition_all()
            .tile(x, y, xo, yo, xi, yi, 32, 16, TailStrategy::RoundUp)
            .split(yi, yi, row, 4)
            .reorder(row, xi, yi, xo, yo)
            .unroll(row)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
        if (level.dimensions() > 2) {
            level.gpu_blocks(level.args()[2]);
        }
    }

    /// A kernel whose threads have all channels of a pixel, which share the mask and the places of what they read.
    void whole_pixels(Stage stage, int w, int h, TailStrategy tail) {
        stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
            .reorder(c, xi, yi, xo, yo)
            .unroll(c)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
    }

    void in_block_of(Func kernel, Func member) {
        member.compute_at(kernel, xo).never_partition_all().gpu_threads(x, y);
        if (member.dimensions() > 2) {
            const Var channel = member.args()[2];
            member.reorder(channel, x, y).unroll(channel);
        }
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::PyramidBlend, pyramid_blend)
