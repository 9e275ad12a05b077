// Local Laplacian filter: changes the contrast of detail and of tone apart from each other, without halos. The luma
// is remapped by eight curves, one for each of eight intensities; each remapped image becomes a pyramid; and every
// level of the result takes its Laplacian from the two pyramids whose intensities are nearest to its own.
// About a hundred stages, a table lookup, gathers along a pyramid's third dimension, and eight sizes.
//
// Luma is rounded to 16 bits, and the table's index is computed from it in integers: the index is a step function,
// and two schedules of float arithmetic could fall on different sides of a step.
#include "support/app.h"

#include <string>

namespace warptile::apps {

class LocalLaplacian : public App<LocalLaplacian> {
public:
    Halide::GeneratorParam<int> pyramid_levels{"pyramid_levels", 8, 1, 20};

    Input<Buffer<uint16_t, 3>> input{"input"};
    Input<int> levels{"levels"};   // intensities, from 2 to 256
    Input<float> alpha{"alpha"};   // how much detail is added, already divided by levels - 1
    Input<float> beta{"beta"};     // how much of the tone is kept
    Output<Buffer<uint16_t, 3>> output{"output"};

    LocalLaplacian() : App(1536, 2560) {
    }

    void generate() {
        remap_luma();
        const int count = pyramid_levels;
        for (int j = 1; j < count; j++) {
            gaussian.push_back(halved(gaussian[j - 1], "gaussian", j));
            luma.push_back(halved(luma[j - 1], "luma", j));
        }

        // The result's pyramid, from the coarsest level to the finest.
        result.resize(count);
        for (int j = count - 1; j >= 0; j--) {
            result[j] = named("result", j);
            const Func laplacian = laplacian_at(j);
            result[j](x, y) = j == count - 1 ? laplacian(x, y) : doubled(result[j + 1])(x, y) + laplacian(x, y);
        }

        // The colours follow the luma; the small constant keeps dark noise from being blown up.
        const float dark = 0.01f;
        const Expr gain = (result[0](x, y) + dark) / (luma[0](x, y) + dark);
        output(x, y, c) = Halide::cast<uint16_t>(Halide::clamp(input(x, y, c) * gain, 0.0f, 65535.0f));

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        levels.set_estimate(8);
        alpha.set_estimate(1.0f);
        beta.set_estimate(1.0f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() {
        return {output};
    }

    void expert_schedule() {
        schedule_plainly(outputs());
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, k{"k"};
    Func bounded{"bounded"}, luma16{"luma16"}, remap{"remap"};
    std::vector<Func> luma;      // [level](x, y): the luma's pyramid, 0 to 1
    std::vector<Func> gaussian;  // [level](x, y, k): the pyramid of the luma remapped around intensity k
    std::vector<Func> result;    // [level](x, y): the result's pyramid

    static Func named(const std::string &name, int level) {
        return Func(name + "_" + std::to_string(level));
    }

    /// Level 0 of `luma` and of `gaussian`.
    void remap_luma() {
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        const auto channel = [&](int i) { return Halide::cast<uint32_t>(bounded(x, y, i)); };
        luma16(x, y) =
            Halide::cast<uint16_t>((299 * channel(0) + 587 * channel(1) + 114 * channel(2) + 500) / 1000);
        luma.push_back(named("luma", 0));
        luma[0](x, y) = luma16(x, y) * (1.0f / 65535);

        // 256 entries of the curve for each step between two intensities.
        const Expr distance = x / 256.0f;
        remap(x) = alpha * distance * Halide::exp(-distance * distance * 0.5f);
        const Expr last = (levels - 1) * 256;
        const Expr index = Halide::clamp(
            Halide::cast<int>(luma16(x, y) * Halide::cast<uint32_t>(last) / 65535), 0, last);
        const Expr intensity = k * (1.0f / (levels - 1));
        gaussian.push_back(named("gaussian", 0));
        gaussian[0](x, y, k) = beta * (luma[0](x, y) - intensity) + intensity + remap(index - 256 * k);
    }

    /// The detail of level `j`, between the two remapped pyramids around the luma there.
    Func laplacian_at(int j) {
        Func laplacian = named("laplacian", j), chosen = named("detail", j);
        const bool coarsest = j + 1 == pyramid_levels;
        const Expr fine = gaussian[j](x, y, k);
        laplacian(x, y, k) = coarsest ? fine : fine - doubled(gaussian[j + 1])(x, y, k);
        const Expr position = luma[j](x, y) * Halide::cast<float>(levels - 1);
        const Expr below = Halide::clamp(Halide::cast<int>(position), 0, levels - 2);
        const Expr part = position - Halide::cast<float>(below);
        chosen(x, y) = (1.0f - part) * laplacian(x, y, below) + part * laplacian(x, y, below + 1);
        return chosen;
    }

    /// `f` at half its size, by a 1 3 3 1 filter.
    Func halved(const Func &f, const std::string &name, int level) const {
        using Halide::_;
        const auto filter = [](const auto &tap) { return (tap(-1) + 3.0f * (tap(0) + tap(1)) + tap(2)) * 0.125f; };
        Func half(name + "_y_" + std::to_string(level)), both = named(name, level);
        half(x, y, _) = filter([&](int d) { return f(x, 2 * y + d, _); });
        both(x, y, _) = filter([&](int d) { return half(2 * x + d, y, _); });
        return both;
    }

    /// `f` at twice its size, linearly: three quarters of the nearest value and one of the next one.
    Func doubled(const Func &f) const {
        using Halide::_;
        const auto next = [](const Expr &i) { return i / 2 + (i % 2) * 2 - 1; };
        Func twice_x(f.name() + "_up_x"), twice(f.name() + "_up");
        twice_x(x, y, _) = 0.75f * f(x / 2, y, _) + 0.25f * f(next(x), y, _);
        twice(x, y, _) = 0.75f * twice_x(x, y / 2, _) + 0.25f * twice_x(x, next(y), _);
        return twice;
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::LocalLaplacian, local_laplacian)
