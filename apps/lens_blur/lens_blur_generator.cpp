// Lens blur from a stereo pair: how well the two images match at each of some dozens of displacements is a cost volume;
// a pyramid spreads the costs of pixels that are sure of theirs over those that are not; the displacement of least cost
// is the depth; and each pixel gathers samples of a disc as wide as it or its neighbours are out of focus.
// Eight levels of a volume, down and up again, with two values a voxel; a reduction that keeps an index; a maximum over
// a window whose size is a parameter; and gathers at random places.
//
// The certainty of a pixel is spread again in every slice: it does not depend on the slice, but an app of its kind
// carries it along, and one that did not would be another measure. Everything up to the last division is an integer,
// and ratios are compared by cross-multiplying, for two schedules of float arithmetic could choose different depths
// where two of them cost nearly the same.
#include "../support/app.h"

#include <string>

namespace warptile::apps {

class LensBlur : public App<LensBlur> {
public:
    Input<Buffer<uint8_t, 3>> left_im{"left_im"};
    Input<Buffer<uint8_t, 3>> right_im{"right_im"};
    Input<int> slices{"slices", 32, 1, 64};                           // displacements, two columns apart
    Input<int> focus_depth{"focus_depth", 13, 1, 32};                 // the one that is in focus
    Input<float> blur_radius_scale{"blur_radius_scale", 0.5f, 0, 1};  // pixels of radius a displacement
    Input<int> aperture_samples{"aperture_samples", 32, 1, 64};       // of each pixel's disc
    Output<Buffer<float, 3>> output{"output"};

    LensBlur() : App(192, 320) {}

    void generate() {
        left = Halide::BoundaryConditions::repeat_edge(left_im);
        right = Halide::BoundaryConditions::repeat_edge(right_im);
        match();
        spread();
        choose_depth();
        sample_discs();

        for (auto *image : {&left_im, &right_im}) {
            image->set_estimates({{0, width}, {0, height}, {0, 3}});
        }
        slices.set_estimate(32);
        focus_depth.set_estimate(13);
        blur_radius_scale.set_estimate(0.5f);
        aperture_samples.set_estimate(32);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Eight kernels, for at the default size a launch costs as much as a level. The costs of a block's pixels are in
    /// shared memory, where their variance is taken before they are weighed; the coarse half of the pyramid, down and
    /// up, is recomputed by each block of level 3 in shared memory; the finest level is part of the choice of depth;
    /// and so is the maximum of the radii part of the last kernel.
    void expert_schedule() {
        push[0]
            .compute_root()
            .tile(x, y, xo, yo, xi, yi, 32, 4, TailStrategy::RoundUp)
            .split(z, turn, zi, 4, TailStrategy::GuardWithIf)
            .reorder(turn, xi, yi, zi, xo, yo)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi, zi);
        cost.compute_at(push[0], xo)
            .split(z, turn, zi, 4, TailStrategy::GuardWithIf)
            .reorder(turn, x, y, zi)
            .gpu_threads(x, y, zi);
        certainty.compute_at(push[0], xo).gpu_threads(x, y);
        moments.compute_at(certainty, x);

        for (int j = 1; j <= coarse; j++) {
            kernel(push[j], 32, 8);
        }
        kernel(pull[coarse], 16, 16);
        for (int j = coarse + 1; j < levels; j++) {
            in_blocks_of(pull[coarse], push[j]);
            if (j + 1 < levels) {
                in_blocks_of(pull[coarse], pull[j]);
            }
        }
        kernel(pull[1], 16, 16);
        in_blocks_of(pull[1], pull[2]);

        depth.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 32, 4, TailStrategy::RoundUp);
        best.compute_at(depth, xi);

        const int w = 32, h = 8;
        Func(output).bound(c, 0, 3);
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .reorder(c, xi, yi, xo, yo)
                .unroll(c)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        largest_down.compute_at(output, xo).split(x, turn, xi, w, TailStrategy::GuardWithIf).gpu_threads(xi, y);
        largest_down.update().split(x, turn, xi, w, TailStrategy::GuardWithIf).gpu_threads(xi, y);
        largest.compute_at(output, xi);
        gathered.compute_at(output, xi).unroll(c).update().reorder(c, sample).unroll(c);
    }

private:
    static constexpr int levels = 8;
    static constexpr int coarse = 3;  // the expert schedule has this level and all coarser ones in one kernel

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, zi{"zi"}, turn{"turn"}, turn_y{"turn_y"};
    RDom sample;
    Func left{"left"}, right{"right"}, cost{"cost"}, moments{"moments"}, certainty{"certainty"};
    Func push[levels], pull[levels];  // (x, y, z): the cost times the certainty, and the certainty
    Func best{"best"}, depth{"depth"}, largest_down{"largest_down"}, largest{"largest"}, gathered{"gathered"};

    /// `cost` is how little the pixels match, in 16 bits, and `certainty`, 1 to 4096, how much that depends on z.
    void match() {
        Expr squares = Halide::cast<uint32_t>(0);
        for (int channel = 0; channel < 3; channel++) {
            const auto distance = [&](const Expr &there) {
                return Halide::cast<uint32_t>(Halide::absd(left(x, y, channel), right(there, y, channel)));
            };
            const Expr d = Halide::min(distance(x + 2 * z), distance(x + 2 * z + 1));
            squares += d * d;
        }
        cost(x, y, z) = Halide::cast<uint16_t>(squares / 4);

        const Halide::RDom r(0, slices, "r");
        const Expr value = Halide::cast<uint64_t>(cost(x, y, r)), count = Halide::cast<uint64_t>(slices);
        moments(x, y) = Halide::Tuple(Halide::cast<uint64_t>(0), Halide::cast<uint64_t>(0));
        moments(x, y) = Halide::Tuple(moments(x, y)[0] + value, moments(x, y)[1] + value * value);
        const Expr sum = moments(x, y)[0], sum_of_squares = moments(x, y)[1];
        const Expr variance = (count * sum_of_squares - sum * sum) / (count * count);
        certainty(x, y) = Halide::cast<uint32_t>(1 + Halide::min(variance >> 17, 4095));
    }

    /// A pair of Exprs, the first made of the first values of the taps, the second of the second ones.
    template<typename Value>
    static Halide::Tuple both(const Value &value) {
        return Halide::Tuple(value(0), value(1));
    }

    /// The pyramid: down by a 1 3 3 1 filter, up linearly, each level the mean of its own and the coarser one.
    void spread() {
        for (int j = 0; j < levels; j++) {
            push[j] = Func("push_" + std::to_string(j));
            pull[j] = Func("pull_" + std::to_string(j));
        }
        push[0](x, y, z) = Halide::Tuple(cost(x, y, z) * certainty(x, y), certainty(x, y));
        for (int j = 1; j < levels; j++) {
            halve(push[j - 1], j - 1, push[j]);
        }
        pull[levels - 1](x, y, z) = both([&](int i) { return within(push[levels - 1], levels - 1, x, y, i); });
        for (int j = levels - 2; j >= 0; j--) {
            const auto next = [](const Expr &at) { return at / 2 + (at % 2) * 2 - 1; };
            const auto blend = [](const Expr &near, const Expr &far) { return (3 * near + far + 2) / 4; };
            Func wide("wide_" + std::to_string(j)), doubled("doubled_" + std::to_string(j));
            wide(x, y, z) =
                both([&](int i) { return blend(pull[j + 1](x / 2, y, z)[i], pull[j + 1](next(x), y, z)[i]); });
            doubled(x, y, z) = both([&](int i) { return blend(wide(x, y / 2, z)[i], wide(x, next(y), z)[i]); });
            pull[j](x, y, z) = both([&](int i) { return (doubled(x, y, z)[i] + within(push[j], j, x, y, i) + 1) / 2; });
        }
    }

    /// Value `i` of a level of `push` at the image's pixel that is nearest to a place. Level 0 is defined everywhere.
    Expr within(const Func &level, int j, const Expr &at_x, const Expr &at_y, int i) {
        const auto inside = [&](const Expr &at, int dimension) {
            const auto size = left_im.dim(dimension);
            return Halide::clamp(at, size.min() >> j, size.max() >> j);
        };
        return j == 0 ? level(at_x, at_y, z)[i] : level(inside(at_x, 0), inside(at_y, 1), z)[i];
    }

    void halve(const Func &fine, int j, Func &result) {
        const auto filter = [](const auto &tap) { return (tap(-1) + 3 * (tap(0) + tap(1)) + tap(2) + 4) / 8; };
        Func half("half_" + std::to_string(j));
        half(x, y, z) = both([&](int i) { return filter([&](int d) { return within(fine, j, x, 2 * y + d, i); }); });
        result(x, y, z) = both([&](int i) { return filter([&](int d) { return half(2 * x + d, y, z)[i]; }); });
    }

    /// The displacement of which the spread cost, a mean weighted by certainty, is the least.
    void choose_depth() {
        const auto wide = [](const Expr &e) { return Halide::cast<uint64_t>(e); };
        const Halide::RDom r(1, slices - 1, "r");
        best(x, y) = Halide::Tuple(0, pull[0](x, y, 0)[0], pull[0](x, y, 0)[1]);
        const Expr weighted = pull[0](x, y, r)[0], weight = pull[0](x, y, r)[1];
        const Expr is_less = wide(weighted) * wide(best(x, y)[2]) < wide(best(x, y)[1]) * wide(weight);
        best(x, y) =
            Halide::Tuple(Halide::select(is_less, r, best(x, y)[0]), Halide::select(is_less, weighted, best(x, y)[1]),
                          Halide::select(is_less, weight, best(x, y)[2]));
        depth(x, y) = Halide::cast<uint8_t>(best(x, y)[0]);
    }

    /// A pixel takes part in another's blur where its own disc covers that one, and where it is in front of it or lies
    /// in that one's disc.
    void sample_discs() {
        const auto depth_at = [&](const Expr &at_x, const Expr &at_y) {
            const auto size_x = left_im.dim(0), size_y = left_im.dim(1);
            return Halide::cast<int>(depth(Halide::clamp(at_x, size_x.min(), size_x.max()),
                                           Halide::clamp(at_y, size_y.min(), size_y.max())));
        };
        const auto radius = [&](const Expr &at_depth) {
            return Halide::abs(at_depth - focus_depth) * blur_radius_scale;
        };
        const auto covers = [&](const Expr &at_depth, const Expr &squared_distance) {
            return squared_distance < radius(at_depth) * radius(at_depth);
        };

        // No disc within reach of a pixel is larger than `largest`, so that it samples no farther.
        const Expr limit = Halide::cast<int>(Halide::max(slices - focus_depth, focus_depth) * blur_radius_scale);
        const Halide::RDom r(-limit, 2 * limit + 1, "r");
        largest_down(x, y) = 0.0f;
        largest_down(x, y) = Halide::max(largest_down(x, y), radius(depth_at(x, y + r)));
        largest(x, y) = 0.0f;
        largest(x, y) = Halide::max(largest(x, y), largest_down(x + r, y));

        sample = RDom(0, aperture_samples, "sample");
        const Expr reach = Halide::min(Halide::cast<int>(largest(x, y)), limit), bits = noise(sample);
        const auto offset = [&](const Expr &sixteen_bits) {
            const Expr steps = (Halide::cast<int>(sixteen_bits) * (2 * reach + 1)) >> 16;
            return Halide::clamp(steps - reach, -limit, limit);
        };
        const Expr dx = offset(bits & 0xffff), dy = offset(bits >> 16);
        const Expr here = depth_at(x, y), there = depth_at(x + dx, y + dy), squared = dx * dx + dy * dy;
        const Expr takes_part = (covers(here, squared) || there < here) && covers(there, squared);
        const auto pixel = [&](const Expr &at_x, const Expr &at_y) {
            const auto channel = [&](int i) { return Halide::cast<int>(left(at_x, at_y, i)); };
            return Halide::mux(c, {channel(0), channel(1), channel(2), 1});
        };
        gathered(x, y, c) = pixel(x, y);
        gathered(x, y, c) += Halide::select(takes_part, pixel(x + dx, y + dy), 0);
        output(x, y, c) = Halide::cast<float>(gathered(x, y, c)) / gathered(x, y, 3);
    }

    /// 32 bits that look random, another number for each pixel and `index`.
    Expr noise(const Expr &index) {
        const auto bits = [](const Expr &e) { return Halide::cast<uint32_t>(e); };
        const Expr a = bits(x) * Expr(0x9e3779b1u) ^ bits(y) * Expr(0x85ebca77u) ^ bits(index) * Expr(0xc2b2ae3du);
        const Expr b = (a ^ (a >> 15)) * Expr(0x2c1b3c6du);
        const Expr d = (b ^ (b >> 12)) * Expr(0x297a2d39u);
        return d ^ (d >> 15);
    }

    /// A kernel of its own for a level, in tiles of one slice. Levels are defined beyond the image.
    void kernel(Func &level, int w, int h) {
        level.compute_root()
            .never_partition_all()
            .tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::RoundUp)
            .gpu_blocks(xo, yo, z)
            .gpu_threads(xi, yi);
    }

    /// A level in the shared memory of `consumer`, whose blocks have 16 by 16 threads.
    void in_blocks_of(Func &consumer, Func &level) {
        level.compute_at(consumer, xo)
            .never_partition_all()
            .split(x, turn, x, 16, TailStrategy::GuardWithIf)
            .split(y, turn_y, y, 16, TailStrategy::GuardWithIf)
            .reorder(turn, turn_y, x, y)
            .gpu_threads(x, y);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::LensBlur, lens_blur)
