// A 3x3 box blur of 16-bit pixels, rows first and then columns. The smallest pipeline with something to fuse: two
// stages, four bytes of traffic a pixel, next to no arithmetic, so it is bound by memory and by how many bytes a
// thread keeps in flight. The input is two pixels wider and higher than the output; there is no boundary.
//
// Sums are taken in 16 bits and wrap there, as in the Halide repository's app of this name.
#include "../support/app.h"

namespace warptile::apps {

class Blur : public App<Blur> {
public:
    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    Blur() : App(4256, 2832) {}

    void generate() {
        const auto mean = [](const Expr &a, const Expr &b, const Expr &c) { return (a + b + c) / 3; };
        rows(x, y) = mean(input(x, y), input(x + 1, y), input(x + 2, y));
        output(x, y) = mean(rows(x, y), rows(x, y + 1), rows(x, y + 2));

        input.set_estimates({{0, width + 2}, {0, height + 2}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel without a barrier. A thread writes two adjacent columns of eight rows, and keeps the row sums that
    /// they are made of in registers: forty loads are in flight before the first is needed.
    void expert_schedule() {
        const int columns = 2, rows_a_thread = 8, warps = 4;
        const int w = 32 * columns, h = warps * rows_a_thread;
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(xi, xi, column, columns)
                .split(yi, yi, row, rows_a_thread)
                .reorder(column, row, xi, yi, xo, yo)
                .unroll(column)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        rows.compute_at(output, xi).unroll(x).unroll(y);
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, column{"column"}, row{"row"};
    Var x{"x"}, y{"y"};
    Func rows{"rows"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Blur, blur)
