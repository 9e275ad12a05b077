// Multiscale interpolation: fills what is missing from an image with colours from around it. The image (RGB and an
// alpha that says how much of each pixel is known) is premultiplied, taken down a pyramid of ten levels by 1 2 1,
// and put together again from the coarsest: where alpha is low, a level shows through from the one below it.
// Some fifty stages over ten sizes: the large levels want fusion for traffic, the small ones for launches.
#include "support/app.h"

#include <string>

namespace warptile::apps {

class Interpolate : public App<Interpolate> {
public:
    Halide::GeneratorParam<int> levels{"levels", 10, 2, 16};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    Interpolate() : App(1536, 2560) {
    }

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

    std::vector<Func> outputs() {
        return {output};
    }

    void expert_schedule() {
        schedule_plainly(outputs());
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    Func bounded{"bounded"};
    std::vector<Func> down_x, down;          // [level]: the pyramid, halved along x only, and along both
    std::vector<Func> up_x, up, filled;      // [level]: level + 1 doubled along x, along both; the result there

    static Func named(const std::string &name, int level) {
        return Func(name + "_" + std::to_string(level));
    }

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
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Interpolate, interpolate)
