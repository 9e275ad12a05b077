// Local Laplacian filter: changes the contrast of detail and of tone apart from each other, without halos. The luma
// is remapped by eight curves, one for each of eight intensities; each remapped image becomes a pyramid; and every
// level of the result takes its Laplacian from the two pyramids whose intensities are nearest to its own.
// About a hundred stages, a table lookup, gathers along a pyramid's third dimension, and eight sizes.
//
// Luma is rounded to 16 bits, and the table's index is computed from it in integers: the index is a step function,
// and two schedules of float arithmetic could fall on different sides of a step.
#include "../support/app.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

class LocalLaplacian : public App<LocalLaplacian> {
public:
    Halide::GeneratorParam<int> pyramid_levels{"pyramid_levels", 8, 1, 20};

    Input<Buffer<uint16_t, 3>> input{"input"};
    Input<int> levels{"levels"};  // intensities, from 2 to 256
    Input<float> alpha{"alpha"};  // how much detail is added, already divided by levels - 1
    Input<float> beta{"beta"};    // how much of the tone is kept
    Output<Buffer<uint16_t, 3>> output{"output"};

    LocalLaplacian() : App(1536, 2560) {}

    void generate() {
        remap_luma();
        const int count = pyramid_levels;
        half_gaussian.resize(count), half_luma.resize(count);
        for (int j = 1; j < count; j++) {
            gaussian.push_back(halved(gaussian[j - 1], "gaussian", j, half_gaussian[j]));
            luma.push_back(halved(luma[j - 1], "luma", j, half_luma[j]));
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

    std::vector<Func> outputs() { return {output}; }

    /// Twenty kernels. Each costs a launch, and the first Gaussian level as much as most of the others together: it is
    /// computed from tiles in shared memory, intensity by intensity, so that each pixel is remapped once and not by
    /// each of the four pixels it is a tap of. The result's levels go two or three to a kernel.
    void expert_schedule() {
        kernel(luma16.compute_root(), 128, 8, 4);
        remap.compute_root().gpu_tile(x, xi, 128, TailStrategy::RoundUp);
        for (int j = 1; j < pyramid_levels; j++) {
            kernel(luma[j].compute_root(), 16, 8);
        }
        schedule_gaussians();
        schedule_results();
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, k{"k"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, column{"column"}, row{"row"};
    Func bounded{"bounded"}, luma16{"luma16"}, remap{"remap"};
    std::vector<Func> luma;      // [level](x, y): the luma's pyramid, 0 to 1
    std::vector<Func> gaussian;  // [level](x, y, k): the pyramid of the luma remapped around intensity k
    std::vector<Func> half_luma, half_gaussian;  // [level]: halved along y only, on the way to `luma` and `gaussian`
    std::vector<Func> result;                    // [level](x, y): the result's pyramid

    static Func named(const std::string &name, int level) { return Func(name + "_" + std::to_string(level)); }

    /// Level 0 of `luma` and of `gaussian`.
    void remap_luma() {
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        const auto channel = [&](int i) { return Halide::cast<uint32_t>(bounded(x, y, i)); };
        luma16(x, y) = Halide::cast<uint16_t>((299 * channel(0) + 587 * channel(1) + 114 * channel(2) + 500) / 1000);
        luma.push_back(named("luma", 0));
        luma[0](x, y) = luma16(x, y) * (1.0f / 65535);

        // 256 entries of the curve for each step between two intensities.
        const Expr distance = x / 256.0f;
        remap(x) = alpha * distance * Halide::exp(-distance * distance * 0.5f);
        const Expr last = (levels - 1) * 256;
        const Expr index =
            Halide::clamp(Halide::cast<int>(luma16(x, y) * Halide::cast<uint32_t>(last) / 65535), 0, last);
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

    /// `f` at another place of the plane, and at the same `k` where it has one.
    Expr moved(const Func &f, const Expr &to_x, const Expr &to_y) const {
        const std::vector<Var> arguments = f.args();
        std::vector<Expr> place(arguments.begin(), arguments.end());
        place[0] = to_x, place[1] = to_y;
        return f(place);
    }

    /// `f` at half its size, by a 1 3 3 1 filter down the columns (which becomes `half`) and along the rows.
    Func halved(const Func &f, const std::string &name, int level, Func &half) const {
        const auto filter = [](const auto &tap) { return (tap(-1) + 3.0f * (tap(0) + tap(1)) + tap(2)) * 0.125f; };
        half = named(name + "_half", level);
        Func both = named(name, level);
        half(f.args()) = filter([&](int d) { return moved(f, x, 2 * y + d); });
        both(f.args()) = filter([&](int d) { return moved(half, 2 * x + d, y); });
        return both;
    }

    /// `f` at twice its size, linearly: three quarters of the nearest value and one of the next one.
    Func doubled(const Func &f) const {
        const auto next = [](const Expr &i) { return i / 2 + (i % 2) * 2 - 1; };
        Func twice_x(f.name() + "_up_x"), twice(f.name() + "_up");
        twice_x(f.args()) = 0.75f * moved(f, x / 2, y) + 0.25f * moved(f, next(x), y);
        twice(f.args()) = 0.75f * moved(twice_x, x, y / 2) + 0.25f * moved(twice_x, x, next(y));
        return twice;
    }

    /// A kernel of its own for `func`, in tiles of `w` by `h`; a thread has `columns` pixels, 32 apart. It may reach
    /// beyond what is asked for: what it reads is clamped to the image.
    Func kernel(Func func, int w, int h, int columns = 1) {
        return func.never_partition_all()
            .tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::RoundUp)
            .split(xi, column, xi, w / columns)
            .reorder(column, xi, yi, xo, yo)
            .unroll(column)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
    }

    void schedule_gaussians() {
        for (int j = 2; j < pyramid_levels; j++) {
            kernel(gaussian[j].compute_root(), j > 3 ? 16 : 32, j > 3 ? 4 : 8).reorder(xi, yi, xo, yo, k).gpu_blocks(k);
        }
        if (pyramid_levels < 2) {
            return;
        }
        // A tile of 32x8 needs 66x18 remapped pixels, four for each of 33x9 threads, and 66x8 halved ones.
        kernel(gaussian[1].compute_root(), 32, 8).reorder(column, xi, yi, k, xo, yo);
        half_gaussian[1]
            .compute_at(gaussian[1], k)
            .never_partition_all()
            .split(x, column, xi, 33, TailStrategy::RoundUp)
            .reorder(column, xi, y)
            .unroll(column)
            .gpu_threads(xi, y);
        gaussian[0]
            .clone_in(half_gaussian[1])
            .compute_at(gaussian[1], k)
            .never_partition_all()
            .split(x, column, xi, 33, TailStrategy::RoundUp)
            .split(y, row, yi, 9, TailStrategy::RoundUp)
            .reorder(column, row, xi, yi)
            .unroll(column)
            .unroll(row)
            .gpu_threads(xi, yi);
    }

    /// Levels 7 to 5, 4 and 3, 2 and 1, and last 0 with the output.
    void schedule_results() {
        int next = pyramid_levels - 1;  // the coarsest level that has no place yet
        for (int root = 5; root > 0; root -= 2) {
            if (root <= next) {
                kernel(result[root].compute_root(), 32, 8);
            }
            for (int j = root + 1; j <= next; j++) {
                result[j].compute_at(result[root], xo).never_partition_all().gpu_threads(x, y);
            }
            next = std::min(next, root - 1);
        }
        const int w = 32, rows = 2, h = 4 * rows;
        Func(output).bound(c, 0, 3).never_partition_all();
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(c, row, xi, yi, xo, yo)
                .unroll(c)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        result[0].compute_at(output, row);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::LocalLaplacian, local_laplacian)
