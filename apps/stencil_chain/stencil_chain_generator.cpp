// A chain of 5x5 stencils on 16-bit pixels, 32 of them, with no boundary after the first: each stage asks for a rim of
// two pixels more of the one before. Every image of it fits into a large cache, so what counts is instructions, loads
// of taps above all, and not the traffic that fusion saves; and fusing many stages repeats ever larger rims.
//
// The weights of a tap are the products of 1 to 5 along x and along y. They are applied as 25 taps, not as two passes,
// and sums wrap at 16 bits, as in the Halide repository's app of this name.
#include "../support/app.h"
#include "../support/lanes.h"

#include <string>

namespace warptile::apps {

class StencilChain : public App<StencilChain> {
public:
    Halide::GeneratorParam<int> stencils{"stencils", 32, 1, 100};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    StencilChain() : App(1536, 2560) {}

    void generate() {
        Func bounded("bounded");
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        chain.push_back(bounded);
        for (int s = 1; s < stencils; s++) {
            Func next("stencil_" + std::to_string(s));
            next(x, y) = weighted_window(chain.back());
            chain.push_back(next);
        }
        output(x, y) = weighted_window(chain.back());
        chain.push_back(output);

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// A kernel for each stencil, without a barrier. A warp makes a tile of 60 by 4 from 64 by 8 pixels of the stage
    /// before, which it loads once into its lanes' registers, two adjacent columns a lane: the 25 taps are then
    /// shuffles of four columns a row, and of those each serves two outputs a row and up to five rows.
    void expert_schedule() {
        const int w = 32 * columns - 4, h = warps * rows;
        for (int s = 1; s <= stencils; s++) {
            const int rim = 4 * (stencils - s);
            const Expr holds_a_tile = output.width() + rim >= w && output.height() + rim >= h;
            tile_at_any_size(chain[s].compute_root(), holds_a_tile, [&](Stage stage, TailStrategy tail) {
                stage.tile(x, y, xo, yo, xi, yi, w, h, tail)
                    .split(xi, lane, column, columns)
                    .split(yi, warp, row, rows)
                    .reorder(column, row, lane, warp, xo, yo)
                    .unroll(column)
                    .unroll(row)
                    .gpu_blocks(xo, yo)
                    .gpu_threads(warp)
                    .gpu_lanes(lane);
            });
            keep_in_lanes(chain[s - 1].in(chain[s]), {chain[s], warp, columns}, {rows + 4});
        }
    }

private:
    static constexpr int columns = 2, rows = 4, warps = 4;

    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, warp{"warp"}, lane{"lane"}, column{"column"}, row{"row"},
        chunk{"chunk"};
    Var x{"x"}, y{"y"};
    std::vector<Func> chain;  // the bounded input, each stencil of it, the output

    Expr weighted_window(const Func &f) const {
        Expr sum = Halide::cast<uint16_t>(0);
        for (int j = -2; j <= 2; j++) {
            for (int i = -2; i <= 2; i++) {
                sum += Halide::cast<uint16_t>((i + 3) * (j + 3)) * f(x + i, y + j);
            }
        }
        return sum;
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::StencilChain, stencil_chain)
