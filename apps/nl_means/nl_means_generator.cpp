// Non-local means: each pixel becomes the mean of the pixels around it, weighted by how much the patch around each
// looks like its own. The weight is a Gaussian of the distance of two patches: the squared differences of their pixels,
// summed over the patch and the channels. A four-dimensional difference of the image with itself, two box sums of it,
// and a reduction over the search window that reads both: far too large to be stored, far too much to be computed
// twice.
#include "../support/app.h"

namespace warptile::apps {

class NlMeans : public App<NlMeans> {
public:
    Input<Buffer<float, 3>> input{"input"};  // 0 to 1
    Input<int> patch_size{"patch_size", 7, 1, largest};
    Input<int> search_area{"search_area", 7, 1, largest};
    Input<float> sigma{"sigma"};
    Output<Buffer<float, 3>> output{"output"};

    NlMeans() : App(1536, 2560) {}

    void generate() {
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        Expr squares = 0.0f;
        for (int channel = 0; channel < 3; channel++) {
            const Expr d = bounded(x, y, channel) - bounded(x + dx, y + dy, channel);
            squares += d * d;
        }
        difference(x, y, dx, dy) = squares;
        patch = RDom(-(patch_size / 2), patch_size, "patch");
        down(x, y, dx, dy) += difference(x, y + patch, dx, dy);
        distance(x, y, dx, dy) += down(x + patch, y, dx, dy);

        const Expr scale = -1.0f / (sigma * sigma * patch_size * patch_size);
        search = RDom(-(search_area / 2), search_area, -(search_area / 2), search_area, "search");
        const auto there = [&](int channel) { return bounded(x + search.x, y + search.y, channel); };
        const Expr weight = Halide::exp(distance(x, y, search.x, search.y) * scale);
        weighted(x, y, c) += weight * Halide::mux(c, {there(0), there(1), there(2), 1.0f});
        output(x, y, c) = Halide::clamp(weighted(x, y, c) / weighted(x, y, 3), 0.0f, 1.0f);

        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        patch_size.set_estimate(7);
        search_area.set_estimate(7);
        sigma.set_estimate(0.12f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel. A block has the image's tile in shared memory and goes through the rows of the search window: for
    /// each it sums the differences down the columns, a thread one column of the tile for one step aside, so that it
    /// computes each difference once, in registers, and then each pixel's thread sums those along the row and weighs
    /// the row of pixels. Only four sums a pixel live from one row of the window to the next.
    void expert_schedule() {
        const int w = 32, h = 8;
        const Expr is_usual = output.width() >= w && output.height() >= h && patch_size == 7 && search_area == 7;
        const Func row = weighted.update().rfactor(search.y, u);

        Func(output).bound(c, 0, 3);
        tile_at_any_size(output, is_usual, [&](Stage stage, TailStrategy tail) {
            stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                .reorder(c, xi, yi, xo, yo)
                .unroll(c)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        bounded.compute_at(output, xo)
            .split(bounded.args()[1], yo, yi, h, TailStrategy::GuardWithIf)
            .reorder(bounded.args()[2], yo, bounded.args()[0], yi)
            .gpu_threads(bounded.args()[0], yi);
        weighted.compute_at(output, xo).reorder(c, x, y).unroll(c).gpu_threads(x, y);
        weighted.update().reorder(c, x, y, search.y).unroll(c).gpu_threads(x, y);

        Func columns = down.in(distance);
        columns.compute_at(weighted, search.y)
            .split(y, yo, yi, h, TailStrategy::GuardWithIf)
            .fuse(yo, dx, step)
            .split(step, turn, step, h, TailStrategy::GuardWithIf)
            .reorder(yi, turn, x, step)
            .unroll(yi)
            .gpu_threads(x, step);
        difference.compute_at(columns, turn).bound_storage(y, h + largest - 1);
        down.compute_at(columns, turn).bound_storage(y, h).update().reorder(patch, y);

        Func(row).compute_at(weighted, x).unroll(c).update().reorder(c, search.x).unroll(c);
        distance.compute_at(row, search.x);

        // Where all sizes are the usual ones a thread's differences and sums are in registers, and else in an array.
        difference.specialize(is_usual).unroll(y);
        down.specialize(is_usual).unroll(y);
        down.update().specialize(is_usual).unroll(patch).unroll(y);
        distance.update().specialize(is_usual).unroll(patch);
    }

private:
    static constexpr int largest = 13;  // the largest patch and search window: shared memory holds no more

    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, step{"step"}, turn{"turn"};
    Var x{"x"}, y{"y"}, c{"c"}, u{"u"};
    Var dx{"dx"}, dy{"dy"};  // from a pixel to the one that it is compared with
    RDom patch, search;
    Func bounded{"bounded"}, difference{"difference"}, down{"down"}, distance{"distance"}, weighted{"weighted"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::NlMeans, nl_means)
