// A camera's pipeline from the raw mosaic to an 8-bit photograph: hot pixels are held down, the missing two colours of
// each pixel are interpolated along whichever direction varies less, a matrix for the light's colour temperature and a
// tone curve from a table make them what the eye expects, and the result is sharpened.
// Many small integer stages, stencils at half and at full resolution, a lookup table, and a matrix of twelve numbers.
//
// The mosaic's 2x2 cell is green (of a red row) and red above blue and green (of a blue row). The output begins
// `margin` pixels inside of the mosaic, so that there is no boundary condition. Colours have 16 bits and a sign,
// room for raw values of up to 14 bits; the curve and the matrix, whose floats are cut off to integers, are
// computed in double precision, where no two schedules fall on different sides of an integer.
#include "../support/app.h"

#include <functional>

namespace warptile::apps {

class CameraPipe : public App<CameraPipe> {
public:
    Input<Buffer<uint16_t, 2>> input{"input"};
    // Columns: what red, green and blue add to a channel, and a constant; rows: the channels.
    Input<Buffer<float, 2>> matrix_3200{"matrix_3200"};  // for light of 3,200 kelvin
    Input<Buffer<float, 2>> matrix_7000{"matrix_7000"};
    Input<float> color_temp{"color_temp"};  // kelvin
    Input<float> gamma{"gamma"};
    Input<float> contrast{"contrast"};
    Input<float> sharpen_strength{"sharpen_strength"};  // 0 to 8, in steps of 1/32
    Input<int> black_level{"black_level"};              // raw values
    Input<int> white_level{"white_level"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    CameraPipe() : App(2560, 1920) {}

    void generate() {
        shifted(x, y) = input(x + margin_x, y + margin_y);
        const Expr brightest = Halide::max(shifted(x - 2, y), shifted(x + 2, y), shifted(x, y - 2), shifted(x, y + 2));
        denoised(x, y) = Halide::min(shifted(x, y), brightest);
        demosaic();
        correct_colors();
        curve_tones();
        sharpen();

        input.set_estimates({{0, width + 2 * margin_x}, {0, height + 4 * margin_y}});
        matrix_3200.set_estimates({{0, 4}, {0, 3}});
        matrix_7000.set_estimates({{0, 4}, {0, 3}});
        color_temp.set_estimate(3700);
        gamma.set_estimate(2.0f);
        contrast.set_estimate(50);
        sharpen_strength.set_estimate(1.0f);
        black_level.set_estimate(25);
        white_level.set_estimate(max_raw);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Two kernels, the tone curve's table and all the rest. A block has a tile of the output, and in shared memory
    /// what more than one of its threads reads: the mosaic's four planes, green where it was interpolated, and the
    /// curved colours. A thread computes whole cells of the mosaic, so that no choice between its four places is left
    /// at run time, and has two columns by four rows of the output, whose sums down the columns it shares.
    void expert_schedule() {
        curve.compute_root().gpu_tile(x, xi, 128, TailStrategy::GuardWithIf);
        const int w = 56, columns = 2, rows = 4, h = 8 * rows;
        Func(output).bound(c, 0, 3);
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(xi, xi, column, columns)
                .split(yi, yi, row, rows)
                .reorder(column, row, c, xi, yi, xo, yo)
                .unroll(column)
                .unroll(row)
                .unroll(c)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        blurred_y.compute_at(output, c).bound_storage(x, columns + 2).bound_storage(y, rows).unroll(x).unroll(y);

        // What is stored at a block has 20 rows of 32 cells at the most: eight warps, each with three rows.
        const auto in_shared_memory = [&](Func &member) {
            member.compute_at(output, xo).split(y, y, row, 3, TailStrategy::GuardWithIf).gpu_threads(x, y);
        };
        curved.compute_at(output, xo)
            .align_bounds(x, 2)
            .align_bounds(y, 2)
            .tile(x, y, xi, yi, 2, 2)
            .split(y, y, row, 3, TailStrategy::GuardWithIf)
            .reorder(c, xi, yi, row, x, y)
            .unroll(c)
            .unroll(xi)
            .unroll(yi)
            .gpu_threads(x, y);
        for (Func *colors : {&demosaiced, &corrected}) {
            colors->compute_at(curved, row).reorder(c, x, y).unroll(c).unroll(x).unroll(y);
        }
        in_shared_memory(green_at_red);
        in_shared_memory(green_at_blue);
        in_shared_memory(planes.reorder(k, x, y).unroll(k));
        matrix.compute_at(output, xo).gpu_threads(x, y);
        curve.in()
            .compute_at(output, xo)
            .split(x, row, x, 256)
            .split(x, yi, xi, 32)
            .reorder(row, xi, yi)
            .unroll(row)
            .gpu_threads(xi, yi);
    }

private:
    static constexpr int margin_x = 16, margin_y = 12;
    static constexpr int max_raw = 1023;  // the last entry of the tone curve's table

    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, column{"column"}, row{"row"};
    Var x{"x"}, y{"y"}, c{"c"}, k{"k"};
    Func shifted{"shifted"}, denoised{"denoised"}, planes{"planes"};
    Func green_at_red{"green_at_red"}, green_at_blue{"green_at_blue"}, demosaiced{"demosaiced"};
    Func matrix{"matrix"}, corrected{"corrected"}, curve{"curve"}, curved{"curved"};
    Func blurred_y{"blurred_y"}, blurred{"blurred"};

    static Expr wide(const Expr &e) { return Halide::cast<int>(e); }

    /// The mean of two integers, halves rounded up.
    static Expr mean(const Expr &a, const Expr &b) { return (a + b + 1) / 2; }

    /// Of two pairs, the mean of the one that differs less.
    static Expr steadier_mean(const Expr &a0, const Expr &a1, const Expr &b0, const Expr &b1) {
        return Halide::select(Halide::abs(a0 - a1) < Halide::abs(b0 - b1), mean(a0, a1), mean(b0, b1));
    }

    /// `planes` are the mosaic's four places, at half its size; `demosaiced` has three colours at each pixel.
    void demosaic() {
        planes(x, y, k) = Halide::mux(k, {denoised(2 * x, 2 * y), denoised(2 * x + 1, 2 * y),
                                          denoised(2 * x, 2 * y + 1), denoised(2 * x + 1, 2 * y + 1)});
        using At = std::function<Expr(int, int)>;  // a value at a distance of cells
        const auto plane = [&](int place) -> At {
            return [=](int dx, int dy) { return wide(planes(x + dx, y + dy, place)); };
        };
        const At green_r = plane(0), red = plane(1), blue = plane(2), green_b = plane(3);

        green_at_red(x, y) =
            Halide::cast<uint16_t>(steadier_mean(green_r(1, 0), green_r(0, 0), green_b(0, -1), green_b(0, 0)));
        green_at_blue(x, y) =
            Halide::cast<uint16_t>(steadier_mean(green_b(-1, 0), green_b(0, 0), green_r(0, 1), green_r(0, 0)));
        const At on_red = [&](int dx, int dy) { return wide(green_at_red(x + dx, y + dy)); };
        const At on_blue = [&](int dx, int dy) { return wide(green_at_blue(x + dx, y + dy)); };

        // A colour where it was not measured: the mean of two neighbours, and what the mean of green at those two
        // lacks of green here.
        const auto between = [&](const At &color, const At &green, const Expr &green_here, int dx, int dy) {
            return green_here - mean(green(dx, dy), green(0, 0)) + mean(color(dx, dy), color(0, 0));
        };
        // Likewise at a cell's opposite corner, from the diagonal along which the colour differs less. The four
        // neighbours are those of the cells at (0, 0) and `dx`, `dy`.
        const auto across = [&](const At &color, const At &green, const Expr &green_here, int dx, int dy) {
            const auto along = [&](int ax, int ay, int bx, int by) {
                return green_here - mean(green(ax, ay), green(bx, by)) + mean(color(ax, ay), color(bx, by));
            };
            return Halide::select(Halide::abs(color(0, 0) - color(dx, dy)) < Halide::abs(color(dx, 0) - color(0, dy)),
                                  along(0, 0, dx, dy), along(dx, 0, 0, dy));
        };
        Func cells("cells");  // [channel](x, y, place, channel) at half size
        cells(x, y, k, c) = Halide::mux(
            c,
            {Halide::mux(k, {between(red, on_red, green_r(0, 0), -1, 0), red(0, 0),
                             across(red, on_red, on_blue(0, 0), -1, 1), between(red, on_red, green_b(0, 0), 0, 1)}),
             Halide::mux(k, {green_r(0, 0), on_red(0, 0), on_blue(0, 0), green_b(0, 0)}),
             Halide::mux(k, {between(blue, on_blue, green_r(0, 0), 0, -1), across(blue, on_blue, on_red(0, 0), 1, -1),
                             blue(0, 0), between(blue, on_blue, green_b(0, 0), 1, 0)})});
        demosaiced(x, y, c) = Halide::cast<int16_t>(cells(x / 2, y / 2, x % 2 + 2 * (y % 2), c));
    }

    /// The matrix lies between the two calibrated ones as the light's reciprocal temperature does between theirs.
    void correct_colors() {
        const auto mired = [](const Expr &kelvin) { return 1 / Halide::cast<double>(kelvin); };
        const Expr part = (mired(color_temp) - mired(3200)) / (mired(7000) - mired(3200));
        const Expr entry = matrix_3200(x, y) * (1 - part) + matrix_7000(x, y) * part;
        matrix(x, y) = Halide::cast<int16_t>(entry * 256);
        const auto entry_at = [&](int i) { return wide(matrix(i, c)); };
        const Expr sum = entry_at(3) + entry_at(0) * wide(demosaiced(x, y, 0)) +
                         entry_at(1) * wide(demosaiced(x, y, 1)) + entry_at(2) * wide(demosaiced(x, y, 2));
        corrected(x, y, c) = Halide::cast<int16_t>(sum / 256);
    }

    /// Between black and white a power, and on it a curve of two parabolas that meet at one half.
    void curve_tones() {
        const auto real = [](const Expr &e) { return Halide::cast<double>(e); };
        const Expr light = Halide::clamp(real(x - black_level) / real(white_level - black_level), real(0), real(1));
        const Expr power = Halide::pow(light, 1 / real(gamma));
        const Expr slope = 2 - Halide::pow(real(2), real(contrast) / 100);  // at both ends
        const auto parabola = [&](const Expr &e) { return (2 - 2 * slope) * e * e + slope * e; };
        const Expr tone = Halide::select(power > 0.5f, 1 - parabola(1 - power), parabola(power));
        const Expr byte = Halide::cast<uint8_t>(Halide::clamp(tone * 255 + 0.5f, real(0), real(255)));
        curve(x) = Halide::select(x <= black_level, Halide::cast<uint8_t>(0), x > white_level,
                                  Halide::cast<uint8_t>(255), byte);
        curved(x, y, c) = curve(Halide::clamp(corrected(x, y, c), 0, max_raw));
    }

    /// Adds what the colours lose in a 1 2 1 blur down the columns and along the rows.
    void sharpen() {
        const auto blur = [](const Expr &before, const Expr &here, const Expr &after) {
            return Halide::cast<uint8_t>(mean(mean(wide(before), wide(after)), wide(here)));
        };
        blurred_y(x, y, c) = blur(curved(x, y - 1, c), curved(x, y, c), curved(x, y + 1, c));
        blurred(x, y, c) = blur(blurred_y(x - 1, y, c), blurred_y(x, y, c), blurred_y(x + 1, y, c));
        const Expr strength = wide(Halide::clamp(sharpen_strength * 32, 0.0f, 255.0f));
        const Expr detail = wide(curved(x, y, c)) - wide(blurred(x, y, c));
        output(x, y, c) = Halide::cast<uint8_t>(Halide::clamp(wide(curved(x, y, c)) + detail * strength / 32, 0, 255));
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::CameraPipe, camera_pipe)
