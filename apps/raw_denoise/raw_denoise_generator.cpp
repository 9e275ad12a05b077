// Noise is taken out of a raw mosaic of 16 bits before anything else is done with it. All neighbours are those of the
// same colour, two pixels away: a pixel is brought into the range of its eight neighbours, which stops hot and dead
// ones; the median of it and of four neighbours is the guide; and a bilateral filter means 5x5 pixels, weighted by how
// near their guides are, measured by the noise that a sensor has at such a signal.
// Stencils with gaps, minima and maxima, and a reduction of two sums whose weights depend on the data.
//
// Beyond an edge stands the nearest pixel of the colour that belongs there. The result is a float rounded to an
// integer: where it lies in the middle of two, its rounding decides.
#include "../support/app.h"

namespace warptile::apps {

class RawDenoise : public App<RawDenoise> {
public:
    Input<Buffer<uint16_t, 2>> input{"input"};
    Input<int> black_level{"black_level"};  // the raw value of no light
    Input<float> read_noise{"read_noise"};  // its deviation where there is no light, in raw values
    Input<float> gain{"gain"};              // raw values an electron: the variance that each raw value of signal adds
    Input<float> strength{"strength"};      // deviations from which on a neighbour counts no more
    Output<Buffer<uint16_t, 2>> output{"output"};

    RawDenoise() : App(2560, 1920) {}

    void generate() {
        bounded(x, y) = input(of_same_color(x, 0), of_same_color(y, 1));
        suppress_outliers();
        find_guide();
        filter();

        input.set_estimates({{0, width}, {0, height}});
        black_level.set_estimate(1024);
        read_noise.set_estimate(64.0f);
        gain.set_estimate(32.0f);
        strength.set_estimate(3.0f);
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel, all stages but the last in shared memory. A thread has four pixels of one colour in a column, whose
    /// windows share most of their rows.
    void expert_schedule() {
        const int w = 64, rows = 4, h = 8 * rows;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, 2 * rows)
                .split(row, row, color, 2)
                .fuse(color, yi, yi)
                .reorder(row, xi, yi, xo, yo)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        sums.compute_at(output, row).update().unroll(window.x).unroll(window.y);
        const auto in_shared_memory = [&](Func &member, int rows_a_thread) {
            member.compute_at(output, xo)
                .split(x, column, x, w, TailStrategy::GuardWithIf)
                .split(y, y, row, rows_a_thread, TailStrategy::GuardWithIf)
                .reorder(row, column, x, y)
                .unroll(row)
                .gpu_threads(x, y);
        };
        in_shared_memory(guide, 5);
        in_shared_memory(steady, 6);
        in_shared_memory(bounded, 6);
    }

private:
    Var x{"x"}, y{"y"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"}, column{"column"}, color{"color"};
    RDom window;
    Func bounded{"bounded"}, steady{"steady"}, guide{"guide"}, sums{"sums"};

    /// The nearest place in the image that is an even distance away; any in an image of one pixel.
    Expr of_same_color(const Expr &at, int dimension) {
        const Expr first = input.dim(dimension).min(), last = input.dim(dimension).max();
        const Expr nearest = Halide::clamp(at, first + (at - first) % 2, last - (last - at) % 2);
        return Halide::clamp(nearest, first, last);
    }

    void suppress_outliers() {
        const auto row_of = [&](int dy, const auto &choose) {
            return choose(choose(bounded(x - 2, y + dy), bounded(x + 2, y + dy)),
                          dy ? bounded(x, y + dy) : bounded(x - 2, y));
        };
        const auto among_neighbors = [&](const auto &choose) {
            return choose(choose(row_of(-2, choose), row_of(2, choose)), row_of(0, choose));
        };
        const Expr least = among_neighbors([](const Expr &a, const Expr &b) { return Halide::min(a, b); });
        const Expr largest = among_neighbors([](const Expr &a, const Expr &b) { return Halide::max(a, b); });
        steady(x, y) = Halide::clamp(bounded(x, y), least, largest);
    }

    /// The median of five: the median of the middle one and of what is left of two pairs without their extremes.
    void find_guide() {
        const Expr left = steady(x - 2, y), right = steady(x + 2, y), above = steady(x, y - 2),
                   below = steady(x, y + 2);
        const Expr low = Halide::max(Halide::min(left, right), Halide::min(above, below));
        const Expr high = Halide::min(Halide::max(left, right), Halide::max(above, below));
        guide(x, y) = Halide::clamp(steady(x, y), Halide::min(low, high), Halide::max(low, high));
    }

    void filter() {
        const auto real = [](const Expr &e) { return Halide::cast<float>(e); };
        const Expr here = real(guide(x, y));
        const Expr variance = read_noise * read_noise + gain * Halide::max(here - real(black_level), 0.0f);
        const Expr scale = 1.0f / (strength * strength * variance);

        window = RDom(-2, 5, -2, 5, "window");
        const auto binomial = [](const Expr &d) {
            return Halide::select(d == 0, 6.0f, Halide::abs(d) == 1, 4.0f, 1.0f);
        };
        const Expr there_x = x + 2 * window.x, there_y = y + 2 * window.y;
        const Expr difference = real(guide(there_x, there_y)) - here;
        const Expr likeness = Halide::max(1.0f - difference * difference * scale, 0.0f);
        const Expr weight = binomial(window.x) * binomial(window.y) * likeness * likeness;
        sums(x, y) = Halide::Tuple(0.0f, 0.0f);
        sums(x, y) = Halide::Tuple(sums(x, y)[0] + weight * real(steady(there_x, there_y)), sums(x, y)[1] + weight);
        output(x, y) = Halide::cast<uint16_t>(sums(x, y)[0] / sums(x, y)[1] + 0.5f);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::RawDenoise, raw_denoise)
