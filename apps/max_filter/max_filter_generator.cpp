// The largest value within a disk of radius 26 around each pixel: a window of 2,300 pixels, which two samples a column
// of it suffice for. Maxima over 1, 2, 4, … rows are made first, each from two of the one before; a column of any
// height is then the larger of two of them, one from its top and one to its bottom. What is left is a stencil of 106
// taps as wide as the disk, bound by loads that hit a cache.
//
// The columns are as high as those of the Halide repository's app of this name: at a distance of d columns they reach
// as many rows up and down as there are rows y >= 0 with d^2 + y^2 < (radius + 1/4)^2, one more than a disk has.
#include "../support/app.h"

#include <algorithm>
#include <string>

namespace warptile::apps {

class MaxFilter : public App<MaxFilter> {
public:
    Halide::GeneratorParam<int> radius{"radius", 26, 1, 1000};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    MaxFilter() : App(1536, 2560) {}

    void generate() {
        Func bounded("bounded");
        bounded = Halide::BoundaryConditions::repeat_edge(
            input, {{input.dim(0).min(), input.dim(0).extent()}, {input.dim(1).min(), input.dim(1).extent()}});
        tall.push_back(bounded);
        for (int doubling = 1; doubling <= doublings_for(reach(0)); doubling++) {
            const Func &half = tall.back();
            Func whole("tall_" + std::to_string(1 << doubling));
            whole(x, y, c) = max(half(x, y, c), half(x, y + (1 << (doubling - 1)), c));
            tall.push_back(whole);
        }

        Expr largest = column(0);
        for (int distance = 1; distance <= radius; distance++) {
            largest = max(largest, max(column(-distance), column(distance)));
        }
        output(x, y, c) = largest;

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Three kernels. Maxima over 8 and 16 rows are stored; the last kernel has those over 32 rows, which five columns
    /// of six are made of, and a copy of those over 16 in shared memory, where taps that begin at any column cost one
    /// access each. At another radius the highest two doublings take these places.
    void expert_schedule() {
        const int highest = int(tall.size()) - 1;
        for (int doubling = std::max(highest - 2, 1); doubling < highest; doubling++) {
            down_the_columns(tall[doubling].compute_root(), 32, 8);
        }
        down_the_columns(output, w, rows);
        in_shared_memory(tall[highest]);
        if (highest > 1) {
            in_shared_memory(tall[highest - 1].in(output));
        }
    }

private:
    static constexpr int w = 64, rows = 4, warps_down = 8;

    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"}, turn{"turn"};
    Var x{"x"}, y{"y"}, c{"c"};
    std::vector<Func> tall;  // [doubling]: the largest of 2^doubling rows, of which y is the first

    /// How far up and down the column at `distance` from the centre reaches.
    int reach(int distance) const {
        const double square = (radius + 0.25) * (radius + 0.25) - distance * distance;
        int rows_below = 0;
        while (rows_below * rows_below < square) {
            rows_below++;
        }
        return rows_below;
    }

    /// The most doublings whose rows fit into a column of that reach.
    static int doublings_for(int reach) {
        int doublings = 0;
        while ((2 << doublings) <= 2 * reach + 1) {
            doublings++;
        }
        return doublings;
    }

    /// The largest value of the column `dx` from the centre.
    Expr column(int dx) const {
        const int up = reach(std::abs(dx)), doublings = doublings_for(up);
        const Func &part = tall[doublings];
        return max(part(x + dx, y - up, c), part(x + dx, y + up + 1 - (1 << doublings), c));
    }

    /// A kernel of its own for `func`, each thread some rows of a column. It may not reach beyond what is asked for:
    /// what is above it in the list would grow with it.
    void down_the_columns(Func func, int columns, int rows_a_thread) {
        const int h = rows_a_thread * warps_down;
        tile_at_any_size(func, output.width() >= columns && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, columns, h, tail)
                .split(yi, yi, row, rows_a_thread)
                .reorder(row, xi, yi, xo, yo, c)
                .unroll(row)
                .gpu_blocks(xo, yo, c)
                .gpu_threads(xi, yi);
        });
    }

    void in_shared_memory(Func member) {
        const Var mx = member.args()[0], my = member.args()[1];
        member.compute_at(output, xo)
            .split(mx, turn, mx, w, TailStrategy::GuardWithIf)
            .split(my, my, row, 7, TailStrategy::GuardWithIf)
            .reorder(row, turn, mx, my)
            .unroll(row)
            .gpu_threads(mx, my);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::MaxFilter, max_filter)
