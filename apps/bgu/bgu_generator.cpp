// Bilateral guided upsampling: from a small image and what some slow filter made of it, an affine map of colours is
// fitted in each cell of a coarse grid over place and intensity, and the large image is mapped by the interpolated
// maps. A histogram of 22 channels whose store depends on the data, a blur along three axes, a system of four equations
// solved at each cell, in Funcs of up to 22 values, and a trilinear gather of twelve values for each pixel.
#include "../support/app.h"

#include <string>

namespace warptile::apps {

class Bgu : public App<Bgu> {
public:
    Input<float> r_sigma{"r_sigma", 1.0f / 8, 1.0f / 20, 1.0f};  // intensity of a cell; intensities run from 0 to 1
    Input<int> s_sigma{"s_sigma", 16, 8, 256};                   // pixels of the small images along a side of a cell
    Input<Buffer<float, 3>> splat_loc{"splat_loc"};              // the small image
    Input<Buffer<float, 3>> values{"values"};                    // what it became, of the same size
    Input<Buffer<float, 3>> slice_loc{"slice_loc"};              // the large image
    Output<Buffer<float, 3>> output{"output"};

    Bgu() : App(1536, 2560) {}

    void generate() {
        collect_moments();
        blur_grid();
        solve();
        apply_maps();

        r_sigma.set_estimate(1.0f / 8);
        s_sigma.set_estimate(16);
        const int small_width = std::max(1, width / 8), small_height = std::max(1, height / 8);
        splat_loc.set_estimates({{0, small_width}, {0, small_height}, {0, 3}});
        values.set_estimates({{0, small_width}, {0, small_height}, {0, 3}});
        slice_loc.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
        // How many cells of intensity there are is known at run time only; an autoscheduler goes by r_sigma's estimate.
        histogram.set_estimate(z, -3, 16);
        for (Func *f : {&blur_z, &blur_y, &blur_x, &line}) {
            f->set_estimate(z, 0, 10);
        }
    }

    std::vector<Func> outputs() { return {output}; }

    /// Three kernels. A block of the first has a cell of the image: sixteen threads fill a histogram each in shared
    /// memory, and their sum is blurred along the intensities. A block of the second blurs and solves a row of cells.
    /// In the third the maps of a tile's cells, interpolated to its rows, are in shared memory.
    void expert_schedule() {
        schedule_histogram();

        line.bound(c, 0, coefficients)
            .compute_root()
            .reorder_storage(c, x, y, z)
            .split(x, xo, xi, 16, TailStrategy::GuardWithIf)
            .reorder(c, xi, xo, y, z)
            .unroll(c)
            .gpu_blocks(xo, y, z)
            .gpu_threads(xi);
        for (Func *f : {&blur_x, &blur_y}) {
            f->bound(c, 0, moments)
                .compute_at(line, xo)
                .reorder_storage(c, x, y, z)
                .reorder(c, x, y, z)
                .gpu_threads(c, x);
        }
        for (Func &f : systems) {
            f.compute_at(line, xi);
        }
        solution.compute_at(line, xi);

        // Where cells may be few pixels wide, a tile is narrow, for shared memory to hold all that it touches.
        const int w = 128, narrow = 16, rows = 2, h = 4 * rows;
        const Expr is_large = output.width() >= w && output.height() >= h && cell_size() >= w / 2;
        Func(output).bound(c, 0, 3);
        tile_at_any_size(output, is_large, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, tail == TailStrategy::ShiftInwards ? w : narrow, h, tail)
                .split(yi, yi, row, rows)
                .reorder(c, row, xi, yi, xo, yo)
                .unroll(c)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        line_y.bound(c, 0, coefficients)
            .compute_at(output, xo)
            .reorder_storage(c, x, z, y)
            .fuse(c, z, cell)
            .split(cell, turn, cell, w, TailStrategy::GuardWithIf)
            .split(y, y, row, rows, TailStrategy::GuardWithIf)
            .reorder(turn, row, x, cell, y)
            .gpu_threads(cell, y);
        map.bound(c, 0, coefficients).compute_at(output, row).vectorize(c, 4).unroll(c);
    }

private:
    static constexpr int unknowns = 4;  // what red, green and blue add to a channel, and a constant
    static constexpr int moments = unknowns * (unknowns + 1) / 2 + 3 * unknowns;
    static constexpr int coefficients = 3 * unknowns;
    static constexpr int partials = 16;

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"}, k{"k"}, part{"part"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, zi{"zi"}, row{"row"}, cell{"cell"}, turn{"turn"};
    RDom r;
    Func pixel{"pixel"}, histogram{"histogram"}, blur_z{"blur_z"}, blur_y{"blur_y"}, blur_x{"blur_x"};
    std::vector<Func> systems;  // [unknowns eliminated](x, y, z)
    Func solution{"solution"}, line{"line"}, line_y{"line_y"}, line_x{"line_x"}, map{"map"};

    /// In [0, 1], a weighted mean of the channels: exact for inputs of few bits, and the same in every schedule.
    template<typename Channel>
    static Expr intensity(const Channel &channel) {
        return Halide::clamp(0.25f * channel(0) + 0.5f * channel(1) + 0.25f * channel(2), 0.0f, 1.0f);
    }

    /// The place of a(i, j), i <= j, in a system of `n` equations, whose right sides stand behind its matrix.
    static int left(int n, int i, int j) { return i * n - i * (i - 1) / 2 + j - i; }

    static int right(int n, int i, int channel) { return n * (n + 1) / 2 + channel * n + i; }

    /// Each pixel adds the products that a least-squares fit of `values` to the colours of `splat_loc` needs.
    void collect_moments() {
        const Func small = Halide::BoundaryConditions::repeat_edge(splat_loc);
        const Func filtered = Halide::BoundaryConditions::repeat_edge(values);
        pixel(x, y, k) = Halide::mux(k, {small(x, y, 0), small(x, y, 1), small(x, y, 2), filtered(x, y, 0),
                                         filtered(x, y, 1), filtered(x, y, 2)});

        r = RDom(0, s_sigma, 0, s_sigma, "r");
        const Expr px = x * s_sigma + r.x - s_sigma / 2, py = y * s_sigma + r.y - s_sigma / 2;
        const auto color = [&](int i) { return i < 3 ? pixel(px, py, i) : Expr(1.0f); };
        const auto result = [&](int channel) { return pixel(px, py, 3 + channel); };
        std::vector<Expr> products(moments);
        for (int i = 0; i < unknowns; i++) {
            for (int j = i; j < unknowns; j++) {
                products[left(unknowns, i, j)] = color(i) * color(j);
            }
            for (int channel = 0; channel < 3; channel++) {
                products[right(unknowns, i, channel)] = result(channel) * color(i);
            }
        }
        const Expr bin = Halide::cast<int>(intensity(color) * (1.0f / r_sigma) + 0.5f);
        histogram(x, y, z, c) = 0.0f;
        histogram(x, y, bin, c) += Halide::mux(c, products);
    }

    /// A kernel that falls like the cube of the distance, as an interpolating membrane wants it.
    void blur_grid() {
        const auto blur = [](const auto &tap) {
            return tap(0) + (tap(-1) + tap(1)) * (1.0f / 8) + (tap(-2) + tap(2)) * (1.0f / 27) +
                   (tap(-3) + tap(3)) * (1.0f / 64);
        };
        blur_z(x, y, z, c) = blur([&](int d) { return histogram(x, y, z + d, c); });
        blur_y(x, y, z, c) = blur([&](int d) { return blur_z(x, y + d, z, c); });
        blur_x(x, y, z, c) = blur([&](int d) { return blur_y(x + d, y, z, c); });
    }

    /// Solves the equations of each cell for three right sides, an unknown after the other. A tenth of a pixel that
    /// stays as it is makes every cell's matrix positive definite, so that no pivot need be looked for.
    void solve() {
        std::vector<Expr> entries(moments);
        for (int i = 0; i < moments; i++) {
            entries[i] = blur_x(x, y, z, i);
        }
        for (int i = 0; i < unknowns; i++) {
            entries[left(unknowns, i, i)] += 0.1f;
        }
        for (int channel = 0; channel < 3; channel++) {
            entries[right(unknowns, channel, channel)] += 0.1f;
        }
        for (int n = unknowns; n > 0; n--) {
            Func system("system_" + std::to_string(n));
            system(x, y, z) = Halide::Tuple(entries);
            systems.push_back(system);
            entries = n > 1 ? eliminated(system, n) : std::vector<Expr>();
        }
        solution(x, y, z) = Halide::Tuple(substituted());
        std::vector<Expr> values;
        for (int i = 0; i < coefficients; i++) {
            values.push_back(solution(x, y, z)[i]);
        }
        line(x, y, z, c) = Halide::mux(c, values);
    }

    /// The `n` - 1 equations that are left when the first unknown of `system` is gone.
    std::vector<Expr> eliminated(const Func &system, int n) const {
        std::vector<Expr> entries(left(n - 1, n - 1, n - 1) + 3 * (n - 1));
        const auto at = [&](int place) { return system(x, y, z)[place]; };
        for (int i = 1; i < n; i++) {
            const Expr ratio = at(left(n, 0, i)) / at(0);
            for (int j = i; j < n; j++) {
                entries[left(n - 1, i - 1, j - 1)] = at(left(n, i, j)) - ratio * at(left(n, 0, j));
            }
            for (int channel = 0; channel < 3; channel++) {
                entries[right(n - 1, i - 1, channel)] = at(right(n, i, channel)) - ratio * at(right(n, 0, channel));
            }
        }
        return entries;
    }

    /// The coefficients, those of a channel side by side, from the last unknown to the first.
    std::vector<Expr> substituted() const {
        std::vector<Expr> result(coefficients);
        for (int channel = 0; channel < 3; channel++) {
            for (int i = unknowns - 1; i >= 0; i--) {
                const int n = unknowns - i;
                const auto at = [&](int place) { return systems[i](x, y, z)[place]; };
                Expr rest = at(right(n, 0, channel));
                for (int j = 1; j < n; j++) {
                    rest -= at(left(n, 0, j)) * result[channel * unknowns + i + j];
                }
                result[channel * unknowns + i] = rest / at(0);
            }
        }
        return result;
    }

    /// Pixels of the large image along a side of a cell.
    Expr cell_size() const {
        const auto times = [](const Expr &large, const Expr &small) { return (large + small - 1) / small; };
        return s_sigma *
               Halide::max(times(slice_loc.width(), splat_loc.width()), times(slice_loc.height(), splat_loc.height()));
    }

    /// A pixel's map lies between those of the eight cells around its place and intensity.
    void apply_maps() {
        const Expr size = cell_size();
        const auto part = [&](const Expr &at) { return Halide::cast<float>(at % size) / size; };
        line_y(x, y, z, c) = Halide::lerp(line(x, y / size, z, c), line(x, y / size + 1, z, c), part(y));
        line_x(x, y, z, c) = Halide::lerp(line_y(x / size, y, z, c), line_y(x / size + 1, y, z, c), part(x));
        const auto color = [&](int i) { return i < 3 ? slice_loc(x, y, i) : Expr(1.0f); };
        const Expr depth = intensity(color) * (1.0f / r_sigma), bin = Halide::cast<int>(depth);
        map(x, y, c) = Halide::lerp(line_x(x, y, bin, c), line_x(x, y, bin + 1, c), depth - bin);

        Expr mapped = 0.0f;
        for (int i = 0; i < unknowns; i++) {
            mapped += map(x, y, unknowns * c + i) * color(i);
        }
        output(x, y, c) = Halide::clamp(mapped, 0.0f, 1.0f);
    }

    /// Eight bins at a time: few threads a block, so that many blocks wait for their pixels side by side.
    void schedule_histogram() {
        const auto in_turns = [&](Stage stage) { return stage.split(z, turn, zi, 8, TailStrategy::GuardWithIf); };
        const Halide::RVar outer("outer"), inner("inner");
        Func partial = histogram.update().split(r.y, outer, inner, partials).rfactor(inner, part);
        in_turns(blur_z.bound(c, 0, moments).compute_root().reorder_storage(c, x, y, z))
            .reorder(turn, c, zi, x, y)
            .gpu_blocks(x, y)
            .gpu_threads(c, zi);
        in_turns(histogram.bound(c, 0, moments).compute_at(blur_z, x)).reorder(turn, c, zi, x, y).gpu_threads(c, zi);
        in_turns(histogram.update()).reorder(inner, turn, c, zi, x, y).unroll(inner).gpu_threads(c, zi);
        partial.bound(c, 0, moments).bound(part, 0, partials).compute_at(blur_z, x).reorder_storage(part, c, z, x, y);
        Stage(partial).split(c, turn, cell, 8).reorder(turn, z, part, cell, x, y).gpu_threads(part, cell);
        partial.update().reorder(c, r.x, outer, part, x, y).unroll(c).gpu_threads(part);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Bgu, bgu)
