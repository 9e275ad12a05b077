// A blur by a recursive filter of first order: down each column and up again, y[n] = (1 - alpha) y[n-1] + alpha x[n],
// and the same along the rows. The filter is serial along its axis, and what runs side by side, the columns, are few:
// the time is that of one thread's walk, which is as long as its loads are late. Both walks go down columns, of the
// image and of its transpose, so that neighbours read what is adjacent in memory.
#include "../support/app.h"
#include "../support/even_parts.h"

namespace warptile::apps {

class IirBlur : public App<IirBlur> {
public:
    Input<Buffer<float, 3>> input{"input"};
    Input<float> alpha{"alpha"};  // how much of a pixel is its own
    Output<Buffer<float, 3>> output{"output"};

    IirBlur() : App(1536, 2560) {}

    void generate() {
        columns.filter(input, input.dim(1), alpha);
        rows.filter(columns.transposed, input.dim(0), alpha);
        output(x, y, c) = rows.up(y, x, c);

        for (int d : {0, 1}) {
            output.dim(d).set_bounds(input.dim(d).min(), input.dim(d).extent());
        }
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        alpha.set_estimate(0.1f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Six kernels: each walk has one, in which a thread takes a column and loads some thirty pixels before it needs
    /// the first, and each transpose, through a tile in shared memory.
    void expert_schedule() {
        const Expr holds_a_tile = output.width() >= tile && output.height() >= tile;
        const auto x_axis = input.dim(0), y_axis = input.dim(1);
        walk(columns.down, columns.r, height, x_axis, y_axis);
        walk(columns.up, columns.r, height, x_axis, y_axis);
        transpose(columns.transposed, columns.up, holds_a_tile);
        walk(rows.down, rows.r, width, y_axis, x_axis);
        walk(rows.up, rows.r, width, y_axis, x_axis);
        transpose(output, rows.up, holds_a_tile);
    }

private:
    static constexpr int tile = 32;
    Var x{"x"}, y{"y"}, c{"c"};

    /// The filter both ways along an axis that is y here, and its result with x and y exchanged. The first pixel that a
    /// walk meets stays as it is.
    struct Walks {
        explicit Walks(const std::string &axis)
            : down("down_" + axis), up("up_" + axis), transposed("transposed_" + axis) {}

        Func down, up, transposed;
        RDom r;

        template<typename Source, typename Dimension>
        void filter(const Source &source, const Dimension &axis, const Expr &alpha) {
            const Var x("x"), y("y"), c("c");
            const Expr first = axis.min(), last = axis.max();
            r = RDom(0, axis.extent());
            down(x, y, c) = Halide::undef<float>();
            const Expr below = down(x, first + Halide::max(r - 1, 0), c), here = source(x, first + r, c);
            down(x, first + r, c) = Halide::select(r == 0, here, Halide::lerp(below, here, alpha));
            up(x, y, c) = Halide::undef<float>();
            const Expr above = up(x, last - Halide::max(r - 1, 0), c), filtered = down(x, last - r, c);
            up(x, last - r, c) = Halide::select(r == 0, filtered, Halide::lerp(above, filtered, alpha));
            transposed(x, y, c) = up(y, x, c);
        }
    };

    Walks columns{"columns"}, rows{"rows"};

    /// `length` is the usual one of the walk along y. The bounds of `func` are those of `x_axis` and `y_axis`, and are
    /// said to be, since its strides are then numbers at the usual size: an address for each of the pixels that are
    /// under way would take all registers.
    template<typename Dimension>
    void walk(Func func, const RVar &r, int length, const Dimension &x_axis, const Dimension &y_axis) {
        const Var block, thread;
        const RVar chunk, step;
        func.compute_root().bound(x, x_axis.min(), x_axis.extent()).bound(y, y_axis.min(), y_axis.extent());
        Stage stage = func.update();
        stage.split(x, block, thread, 32, TailStrategy::GuardWithIf)
            .split(r, chunk, step, even_part(length, 32))
            .reorder(step, chunk, thread, block, c)
            .gpu_blocks(block, c)
            .gpu_threads(thread);
        stage.specialize(input.width() == width && input.height() == height && input.dim(1).stride() == width)
            .unroll(step);
    }

    void transpose(Func func, Func source, const Expr &holds_a_tile) {
        const int rows_a_thread = 4;
        const Var xo, yo, xi, yi, row;
        func.compute_root();
        tile_at_any_size(func, holds_a_tile, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, tile, tile, tail)
                .split(yi, row, yi, tile / rows_a_thread)
                .reorder(row, xi, yi, xo, yo, c)
                .unroll(row)
                .gpu_blocks(xo, yo, c)
                .gpu_threads(xi, yi);
        });
        // A row more than a power of two long keeps the reads down its columns out of one bank of shared memory.
        Func staged = source.in(func);
        staged.compute_at(func, xo)
            .bound_storage(x, tile)
            .bound_storage(y, tile)
            .align_storage(x, tile + 1)
            .split(y, yi, row, rows_a_thread, TailStrategy::GuardWithIf)
            .reorder(row, x, yi)
            .unroll(row)
            .gpu_threads(x, yi);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::IirBlur, iir_blur)
