// Canny's edges of a grey image: a Gaussian blur, Sobel's gradient, of which only what is largest along its own
// direction stays, and two thresholds. Where the gradient passes the upper one an edge is certain; where it passes the
// lower one it is an edge if it touches one, which is settled by a fixed number of steps, each a 3x3 stencil.
// All of it is integers: small stencils, a choice of neighbours by direction, and a chain of stencils over bytes.
#include "../support/app.h"

#include <string>

namespace warptile::apps {

class Canny : public App<Canny> {
public:
    Halide::GeneratorParam<int> steps{"steps", 8, 0, 64};  // pixels that a certain edge reaches at the most

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<int> lower{"lower", 6, 0, 255};  // grey levels a pixel
    Input<int> upper{"upper", 12, 0, 255};
    Output<Buffer<uint8_t, 2>> output{"output"};  // 255 on an edge, 0 elsewhere

    Canny() : App(1536, 2560) {}

    void generate() {
        find_gradient();
        thin();
        touching.resize(steps);
        for (int i = 0; i < steps; i++) {
            edges.push_back(step(edges[i], touching[i], std::to_string(i + 1)));
        }
        output(x, y) = Halide::select(edges[steps](x, y) == certain, byte(255), byte(0));

        input.set_estimates({{0, width}, {0, height}});
        lower.set_estimate(6);
        upper.set_estimate(12);
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Two kernels at the default number of steps: one up to the thresholds, and one for each eight steps. Within a
    /// kernel all is in shared memory. A thread has some rows of a column, and reads a value once for all of them that
    /// need it; the tiles are narrower than a row of threads by what the first of their stages needs more.
    void expert_schedule() {
        const int threads_x = 64, threads_y = 8;
        kernel(edges[0], threads_x - 8, 4, threads_y);
        for (Func *member : {&columns, &smooth, &gradient}) {
            in_blocks_of(edges[0], *member, 5);
        }
        for (int first = 0; first < steps; first += 8) {
            const int end = std::min(first + 8, int(steps));
            if (end < steps) {
                kernel(edges[end], threads_x - 16, 6, threads_y);
            }
            const Func root = end < steps ? edges[end] : Func(output);
            for (int i = first; i < end; i++) {
                if (i > first) {
                    in_blocks_of(root, edges[i], 8);
                }
                const bool is_last = i + 1 == end;
                const int needed = is_last ? 6 + 2 : 8 + 2;
                touching[i]
                    .compute_at(is_last ? root : edges[i + 1], is_last ? xi : x)
                    .bound_storage(y, needed)
                    .split(y, y, row, needed, TailStrategy::GuardWithIf)
                    .unroll(row);
            }
        }
        const int w = threads_x - 16, rows = 6, h = rows * threads_y;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(row, xi, yi, xo, yo)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
    }

private:
    static constexpr int none = 0, possible = 1, certain = 2;  // what a pixel is to `edges`

    Var x{"x"}, y{"y"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"};
    Func columns{"columns"}, smooth{"smooth"}, gradient{"gradient"};
    std::vector<Func> edges;     // [steps made](x, y)
    std::vector<Func> touching;  // [step](x, y): the largest of `edges` at three pixels of a row

    static Expr byte(const Expr &e) { return Halide::cast<uint8_t>(e); }

    /// `gradient` is the square of its length, and the direction of it to the nearest eighth of a circle: 0 along x, 1
    /// along the falling diagonal, 2 along y, 3 along the rising one. Grey levels a pixel count 128 here.
    void find_gradient() {
        const Func bounded = Halide::BoundaryConditions::repeat_edge(input);
        const auto binomial = [](const auto &tap) { return tap(-2) + tap(2) + 4 * (tap(-1) + tap(1)) + 6 * tap(0); };
        columns(x, y) = binomial([&](int d) { return Halide::cast<uint16_t>(bounded(x, y + d)); });
        smooth(x, y) = (binomial([&](int d) { return columns(x + d, y); }) + 8) / 16;

        const auto at = [&](int dx, int dy) { return Halide::cast<int>(smooth(x + dx, y + dy)); };
        const Expr along_x = at(1, -1) - at(-1, -1) + 2 * (at(1, 0) - at(-1, 0)) + at(1, 1) - at(-1, 1);
        const Expr along_y = at(-1, 1) - at(-1, -1) + 2 * (at(0, 1) - at(0, -1)) + at(1, 1) - at(1, -1);
        // The tangents of an eighth and of three eighths of a right angle, in 256ths.
        const Expr size_x = Halide::abs(along_x) * 256, size_y = Halide::abs(along_y);
        const Expr flat = size_y * 618 < size_x, steep = size_y * 106 > size_x;
        const Expr diagonal = Halide::select((along_x > 0) == (along_y > 0), byte(1), byte(3));
        gradient(x, y) = Halide::Tuple(along_x * along_x + along_y * along_y,
                                       Halide::select(flat, byte(0), steep, byte(2), diagonal));
    }

    /// Of two neighbours that are equal along the gradient, the second stays.
    void thin() {
        const auto strength = [&](int dx, int dy) { return gradient(x + dx, y + dy)[0]; };
        const auto along = [&](int side) {
            const Expr direction = gradient(x, y)[1];
            return Halide::select(direction == 0, strength(side, 0), direction == 1, strength(side, side),
                                  direction == 2, strength(0, side), strength(-side, side));
        };
        const Expr is_ridge = strength(0, 0) >= along(-1) && strength(0, 0) > along(1);
        const auto passes = [&](const Expr &levels) { return strength(0, 0) >= levels * levels * (128 * 128); };
        edges.emplace_back("edges_0");
        edges[0](x, y) =
            Halide::select(!is_ridge || !passes(lower), byte(none), passes(upper), byte(certain), byte(possible));
    }

    Func step(const Func &before, Func &touch, const std::string &number) const {
        touch = Func("touching_" + number);
        touch(x, y) = Halide::max(before(x - 1, y), before(x, y), before(x + 1, y));
        const Expr touches = Halide::max(touch(x, y - 1), touch(x, y), touch(x, y + 1)) == certain;
        Func after("edges_" + number);
        after(x, y) = Halide::select(before(x, y) == possible && touches, byte(certain), before(x, y));
        return after;
    }

    /// A kernel of its own; the input is clamped to the image, so that it may reach beyond what is asked for.
    void kernel(Func func, int w, int rows, int threads_y) {
        func.compute_root()
            .tile(x, y, xo, yo, xi, yi, w, rows * threads_y, TailStrategy::RoundUp)
            .split(yi, yi, row, rows)
            .reorder(row, xi, yi, xo, yo)
            .unroll(row)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
    }

    void in_blocks_of(const Func &root, Func &member, int rows) {
        member.compute_at(root, xo)
            .split(y, y, row, rows, TailStrategy::GuardWithIf)
            .reorder(row, x, y)
            .unroll(row)
            .gpu_threads(x, y);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Canny, canny)
