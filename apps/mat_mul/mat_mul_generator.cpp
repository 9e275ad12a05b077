// The product of two matrices, output = left * right, each with its rows one after the other in memory. All that counts
// is how often a number that was loaded is used. `width` and `height` are the product's, `depth` the length of the
// sums.
#include "../support/app.h"

namespace warptile::apps {

class MatMul : public App<MatMul> {
public:
    Halide::GeneratorParam<int> depth{"depth", 1024};

    Input<Buffer<float, 2>> left{"left"};    // k, y
    Input<Buffer<float, 2>> right{"right"};  // x, k
    Output<Buffer<float, 2>> output{"output"};

    MatMul() : App(1024, 1024) {}

    void generate() {
        k = RDom(0, left.width());
        product(x, y) = 0.0f;
        product(x, y) += left(k, y) * right(x, k);
        output(x, y) = product(x, y);

        right.dim(1).set_bounds(0, left.width());
        for (auto dimension : {left.dim(0), left.dim(1), right.dim(0), output.dim(0), output.dim(1)}) {
            dimension.set_min(0);
        }
        left.set_estimates({{0, depth}, {0, height}});
        right.set_estimates({{0, width}, {0, depth}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel: a block makes 128 columns of 64 rows, a thread four adjacent columns of eight rows in registers. For
    /// each k a thread loads its four of the right matrix, which the block's other warps find in the cache, and for two
    /// k at once a pair of each row of the left one, the same for its whole warp. At the usual size all strides are
    /// numbers, and the loads are known to be aligned.
    void expert_schedule() {
        const Expr usual = left.width() == depth && output.width() == width && output.height() == height &&
                           left.dim(1).stride() == depth && right.dim(1).stride() == width &&
                           output.dim(1).stride() == width;
        if (width % 128 == 0 && height % 64 == 0 && depth % 2 == 0) {
            output.set_host_alignment(16);
            left.set_host_alignment(16);
            right.set_host_alignment(16);
            tile(output.specialize(usual), {32, 8}, {4, 8});
        }
        // No tile is guarded: under a guard, what a thread keeps of the inputs would not have a known size.
        const auto holds = [&](int w, int h) { return output.width() >= w && output.height() >= h; };
        tile(output.specialize(holds(128, 32)), {32, 8}, {4, 4});
        tile(output.specialize(holds(32, 8)), {32, 8}, {1, 1});
        tile(output, {1, 1}, {1, 1});

        product.compute_at(output, xi).unroll(x).unroll(y);
        RVar pair, one;
        const auto accumulate = [&](Stage stage, int together) {
            stage.split(k, pair, one, together).reorder(x, y, one, pair).unroll(x).unroll(y).unroll(one);
        };
        Stage update = product.update();
        accumulate(Stage(update.specialize(usual)), 2);
        accumulate(update, 1);
        Func left_pairs = left.in(product), right_row = right.in(product);
        left_pairs.compute_at(product, pair).vectorize(left_pairs.args()[0]).unroll(left_pairs.args()[1]);
        right_row.compute_at(product, one).vectorize(right_row.args()[0]);
    }

private:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, column{"column"}, row{"row"};
    RDom k;
    Func product{"product"};

    struct Size {
        int columns, rows;
    };

    /// Blocks of `threads`, each of which makes `outputs` of its own. The product must hold one block.
    void tile(Stage stage, Size threads, Size outputs) {
        const int w = threads.columns * outputs.columns, h = threads.rows * outputs.rows;
        stage.tile(x, y, xo, yo, xi, yi, w, h, TailStrategy::ShiftInwards)
            .split(xi, xi, column, outputs.columns)
            .split(yi, yi, row, outputs.rows)
            .reorder(column, row, xi, yi, xo, yo)
            .vectorize(column)
            .unroll(row)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::MatMul, mat_mul)
