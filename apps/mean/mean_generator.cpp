// The mean over the rows of an image, one number a column. The sum runs across the memory's rows, so neighbouring
// columns belong to neighbouring lanes, and there are too few columns to fill a GPU without cutting the sums.
#include "../support/app.h"
#include "../support/even_parts.h"

namespace warptile::apps {

class Mean : public App<Mean> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 1>> output{"output"};

    Mean() : App(1024, 4096) {}

    void generate() {
        r = RDom(input.dim(1).min(), input.height());
        total(x) = 0.0f;
        total(x) += input(x, r);
        output(x) = total(x) / input.height();

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Two kernels. A block of the first sums 256 rows of 32 columns: a lane has a column, a warp every 16th row, and
    /// the first warp sums what the warps found. The second sums what the blocks found.
    void expert_schedule() {
        const int rows = even_part(height, 256), warps = 16;
        Func block_sum = total.update().split(r, block_r, row, rows).rfactor(block_r, block);
        Func warp_sum = block_sum.update().split(row, row, warp_r, warps).rfactor(warp_r, warp);

        const Expr usual = input.width() == width && input.height() == height;
        Func sum_of_block = block_sum.in();
        Stage stage(sum_of_block.compute_root());
        stage.split(x, column, lane, 32, TailStrategy::GuardWithIf).gpu_blocks(column, block).gpu_threads(lane);
        stage.specialize(usual);  // a kernel in which the sizes are numbers
        block_sum.compute_at(sum_of_block, lane).update().unroll(warp_r);
        warp_sum.compute_at(sum_of_block, column).gpu_threads(x, warp);
        Stage update = warp_sum.update();
        update.reorder(row, x, warp).gpu_threads(x, warp);
        update.specialize(usual).unroll(row, 16);

        output.compute_root()
            .split(x, column, lane, 64, TailStrategy::GuardWithIf)
            .gpu_blocks(column)
            .gpu_threads(lane);
        total.compute_at(output, lane).update().specialize(usual).unroll(block_r);
    }

private:
    Var x{"x"}, column{"column"}, lane{"lane"}, block{"block"}, warp{"warp"};
    RVar block_r{"block_r"}, row{"row"}, warp_r{"warp_r"};
    RDom r;
    Func total{"total"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Mean, mean)
