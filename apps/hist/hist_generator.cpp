// Histogram equalisation of a colour image: each pixel's brightness becomes its rank among all pixels, and its colour,
// what its channels differ from the brightness by, stays. A histogram of the whole image, whose stores go where the
// data say, between two passes over the image, and a table that each pixel of the second looks up.
//
// All arithmetic on pixels is in integers, so that no schedule's rounding moves one into another bin.
#include "../support/app.h"
#include "../support/even_parts.h"

namespace warptile::apps {

class Hist : public App<Hist> {
public:
    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    Hist() : App(1536, 2560) {}

    void generate() {
        const auto channel = [&](int index) { return Halide::cast<uint16_t>(input(x, y, index)); };
        luma(x, y) = Halide::cast<uint8_t>((channel(0) * 77 + channel(1) * 150 + channel(2) * 29 + 128) >> 8);

        r = RDom(input.dim(0).min(), input.width(), input.dim(1).min(), input.height());
        count(i) = 0;
        count(Halide::cast<int>(luma(r.x, r.y))) += 1;
        other = RDom(0, 256);
        rank(i) = 0;
        rank(i) += Halide::select(other <= i, count(other), 0);
        const Expr pixels = Halide::cast<float>(input.width()) * input.height();
        level(i) = Halide::cast<uint8_t>(Halide::round(rank(i) * (255.0f / pixels)));

        const Expr change =
            Halide::cast<int16_t>(level(Halide::cast<int>(luma(x, y)))) - Halide::cast<int16_t>(luma(x, y));
        output(x, y, c) = Halide::saturating_cast<uint8_t>(Halide::cast<int16_t>(input(x, y, c)) + change);

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// Three kernels: a block counts the pixels of a strip of rows by atomic adds to shared memory; one block adds up
    /// what all of them counted and makes the table; and the pixels are changed, four rows a thread.
    void expert_schedule() {
        const Expr usual = input.width() == width && input.height() == height;
        count_strips(usual);
        make_table(usual);

        const int w = 64, rows = 4, h = 4 * rows;
        output.bound(c, 0, 3);
        tile_at_any_size(output, output.width() >= w && output.height() >= h, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .split(yi, yi, row, rows)
                .reorder(c, row, xi, yi, xo, yo)
                .unroll(c)
                .unroll(row)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"}, strip{"strip"}, group{"group"}, block{"block"};
    RVar strip_r{"strip_r"}, group_r{"group_r"};
    RDom r, other;
    Func luma{"luma"}, count{"count"}, rank{"rank"}, level{"level"};

    void count_strips(const Expr &usual) {
        const int rows = even_part(height, 10), threads = even_part(width, 512);
        RVar row_r, chunk, thread;
        Func strip_count = count.update().split(r.y, strip_r, row_r, rows).rfactor(strip_r, strip);
        Func counted = strip_count.in();
        counted.compute_root().gpu_blocks(strip).gpu_threads(i);
        strip_count.compute_at(counted, strip).store_in(Halide::MemoryType::GPUShared).gpu_threads(i);
        Stage update = strip_count.update();
        update.split(r.x, chunk, thread, threads).reorder(row_r, chunk, thread).atomic().gpu_threads(thread);
        update.specialize(usual).unroll(row_r);
    }

    void make_table(const Expr &usual) {
        const int groups = 4;
        Func group_count = count.update().split(strip_r, strip_r, group_r, groups).rfactor(group_r, group);
        level.compute_root().split(i, block, i, 256).gpu_blocks(block).gpu_threads(i);
        rank.compute_at(level, i).update().unroll(other, 16);
        count.compute_at(level, block).gpu_threads(i);
        count.update().reorder(group_r, i).gpu_threads(i).unroll(group_r);
        group_count.compute_at(level, block).gpu_threads(i, group);
        Stage update = group_count.update();
        update.reorder(strip_r, i, group).gpu_threads(i, group);
        update.specialize(usual).unroll(strip_r, 16);
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Hist, hist)
