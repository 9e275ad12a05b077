// The sum of an image to one number: all reduction and no parallel loop, so that whatever runs side by side has to be
// made by cutting the sum itself.
#include "../support/app.h"
#include "../support/even_parts.h"

namespace warptile::apps {

class Sum : public App<Sum> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 0>> output{"output"};

    Sum() : App(2048, 2048) {}

    void generate() {
        r = RDom(input);
        total() = 0.0f;
        total() += input(r.x, r.y);
        output() = total();

        input.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Two kernels. Blocks of the first sum a tile each: a thread the rows of a column, then 32 lanes what the threads
    /// found, then one thread. The second, of one block, sums what the blocks found. Each is the kernel of a Func that
    /// only copies the sum, so that its beginnings at zero are no launches of their own. Where threads work side by
    /// side their loop is outermost and the steps are inside it: the other way round there is a barrier at every step.
    void expert_schedule() {
        const int columns = even_part(width, 256), rows = even_part(height, 64);
        const Expr usual = input.width() == width && input.height() == height;
        Func block_sum = total.update()
                             .split(r.x, block_rx, thread_r, columns)
                             .split(r.y, block_ry, row, rows)
                             .rfactor({{block_rx, block_x}, {block_ry, block_y}});
        Func thread_sum = block_sum.update().rfactor(thread_r, thread);
        Func lane_sum = block_sum.update().split(thread_r, warp_r, lane_r, 32).rfactor(lane_r, lane);

        Func sum_of_block = block_sum.in();
        sum_of_block.compute_root().split(block_x, block_x, one, 1).gpu_blocks(block_x, block_y).gpu_threads(one);
        block_sum.compute_at(sum_of_block, one).update().specialize(usual).unroll(lane_r);
        lane_sum.compute_at(sum_of_block, block_x).gpu_threads(lane);
        lane_sum.update().reorder(warp_r, lane).gpu_threads(lane).specialize(usual).unroll(warp_r);
        thread_sum.compute_at(sum_of_block, block_x).gpu_threads(thread);
        Stage update = thread_sum.update();
        update.reorder(row, thread).gpu_threads(thread);
        update.specialize(usual).unroll(row, 16);

        const int threads = 32;
        Func rest = total.update()
                        .fuse(block_rx, block_ry, part)
                        .split(part, part, thread_r, threads)
                        .rfactor(thread_r, thread);
        output.split(Var::outermost(), block_x, one, 1).gpu_blocks(block_x).gpu_threads(one);
        total.compute_at(output, one).update().specialize(usual).unroll(thread_r);
        rest.compute_at(output, block_x).gpu_threads(thread);
        Stage rest_update = rest.update();
        rest_update.reorder(part, thread).gpu_threads(thread);
        rest_update.specialize(usual).unroll(part, 8);
    }

private:
    Var block_x{"block_x"}, block_y{"block_y"}, thread{"thread"}, lane{"lane"}, one{"one"};
    RVar block_rx{"block_rx"}, block_ry{"block_ry"}, row{"row"}, thread_r{"thread_r"}, warp_r{"warp_r"},
        lane_r{"lane_r"}, part{"part"};
    RDom r;
    Func total{"total"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Sum, sum)
