// Batch normalisation as in training: the mean and the variance of each channel over all images of a batch, the images
// less that mean and over that deviation, scaled and shifted by a weight and a bias of the channel, and running
// statistics that move a tenth of the way to this batch's. A pipeline of two outputs, one of them a Tuple, and of
// reductions with two results; it reads the images twice and has a barrier across the whole of them in between.
//
// Sums are of what a channel's pixels are away from its first one: the variance is then right in one pass, also of
// channels far from zero.
#include "../support/app.h"
#include "../support/even_parts.h"

namespace warptile::apps {

class BatchNorm : public App<BatchNorm> {
public:
    Halide::GeneratorParam<int> channels{"channels", 64};
    Halide::GeneratorParam<int> batch{"batch", 16};

    Input<Buffer<float, 4>> input{"input"};  // x, y, channel, image
    Input<Buffer<float, 1>> weight{"weight"};
    Input<Buffer<float, 1>> bias{"bias"};
    Input<Buffer<float, 1>> running_mean{"running_mean"};
    Input<Buffer<float, 1>> running_variance{"running_variance"};
    Output<Buffer<float, 4>> output{"output"};
    Output<Func> running{"running", {Halide::Float(32), Halide::Float(32)}, 1};  // mean and variance

    BatchNorm() : App(56, 56) {}

    void generate() {
        const auto range = [&](int d) { return Halide::Range(input.dim(d).min(), input.dim(d).extent()); };
        plane = RDom({range(0), range(1)});
        images = RDom({range(3)});
        const Expr first = input(input.dim(0).min(), input.dim(1).min(), c, input.dim(3).min());
        offset(x, y, c, n) = input(x, y, c, n) - first;
        plane_sums(c, n) = Halide::Tuple(0.0f, 0.0f);
        const Expr value = offset(plane.x, plane.y, c, n);
        plane_sums(c, n) = Halide::Tuple(plane_sums(c, n)[0] + value, plane_sums(c, n)[1] + value * value);
        sums(c) = Halide::Tuple(0.0f, 0.0f);
        sums(c) = Halide::Tuple(sums(c)[0] + plane_sums(c, images)[0], sums(c)[1] + plane_sums(c, images)[1]);

        const float epsilon = 1e-5f, momentum = 0.1f;
        const Expr count = Halide::cast<float>(input.width()) * input.height() * input.dim(3).extent();
        const Expr mean = sums(c)[0] / count;
        statistics(c) = Halide::Tuple(mean, Halide::max(sums(c)[1] / count - mean * mean, 0.0f));
        scale(c) = weight(c) / Halide::sqrt(statistics(c)[1] + epsilon);
        output(x, y, c, n) = (offset(x, y, c, n) - statistics(c)[0]) * scale(c) + bias(c);

        const Expr unbiased = statistics(c)[1] * (count / Halide::max(count - 1, 1.0f));
        running(c) = Halide::Tuple(Halide::lerp(running_mean(c), statistics(c)[0] + first, momentum),
                                   Halide::lerp(running_variance(c), unbiased, momentum));

        input.set_estimates({{0, width}, {0, height}, {0, channels}, {0, batch}});
        output.set_estimates({{0, width}, {0, height}, {0, channels}, {0, batch}});
        for (auto *per_channel : {&weight, &bias, &running_mean, &running_variance}) {
            per_channel->set_estimates({{0, channels}});
        }
        running.set_estimates({{0, channels}});
    }

    std::vector<Func> outputs() { return {output, running}; }

    /// Three kernels: the sums of each plane, by a block; the output, whose threads each add up the planes' sums of
    /// their channel; and the running statistics, which do so too.
    void expert_schedule() {
        const int columns = even_part(width, 64), rows = even_part(height, 64), across = 4;
        const Expr usual = input.width() == width && input.height() == height && input.dim(3).extent() == batch;

        RVar column_r, columns_r, row_r, rows_r, thread_r, warp_r, lane_r;
        Var column, row, lane, one;
        Func thread_sums = plane_sums.update()
                               .split(plane.x, columns_r, column_r, columns)
                               .split(plane.y, rows_r, row_r, across)
                               .rfactor({{column_r, column}, {row_r, row}});
        Func lane_sums = plane_sums.update()
                             .fuse(column_r, row_r, thread_r)
                             .split(thread_r, warp_r, lane_r, 32)
                             .rfactor(lane_r, lane);
        Func sums_of_plane = plane_sums.in();
        // The steps are inside the loop over threads: the other way round there is a barrier at every step.
        sums_of_plane.compute_root().split(c, c, one, 1).gpu_blocks(c, n).gpu_threads(one);
        plane_sums.compute_at(sums_of_plane, one).update().unroll(lane_r);
        lane_sums.compute_at(sums_of_plane, c).gpu_threads(lane);
        lane_sums.update().reorder(warp_r, lane).gpu_threads(lane).unroll(warp_r);
        thread_sums.compute_at(sums_of_plane, c).gpu_threads(column, row);
        Stage update = thread_sums.update();
        update.reorder(rows_r, columns_r, column, row).gpu_threads(column, row);
        update.specialize(usual).unroll(rows_r, even_part(height / across, 16));

        Var xo, yo, tile;
        Stage stage(output);
        stage.tile(x, y, xo, yo, column, row, columns, rows, TailStrategy::GuardWithIf)
            .split(row, row, y, rows / across, TailStrategy::GuardWithIf)
            .fuse(xo, yo, tile)
            .reorder(y, column, row, tile, c, n)
            .gpu_blocks(tile, c, n)
            .gpu_threads(column, row);
        stage.specialize(usual).unroll(y);

        Func statistics_for_running = statistics.clone_in(running);
        Func sums_for_running = sums.clone_in(statistics_for_running);
        Var channel;
        Func(running).split(c, channel, lane, 32, TailStrategy::GuardWithIf).gpu_blocks(channel).gpu_threads(lane);
        sums_for_running.compute_at(running, lane).update().specialize(usual).unroll(images);
        sums.compute_at(output, column).update().specialize(usual).unroll(images);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, n{"n"};
    RDom plane, images;
    Func offset{"offset"}, plane_sums{"plane_sums"}, sums{"sums"}, statistics{"statistics"}, scale{"scale"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::BatchNorm, batch_norm)
