// Layer normalisation: each row less its mean, over its standard deviation, scaled and shifted by a weight and a bias
// of each column. The variance is the mean square of what is left after the mean is taken off, so that rows far from
// zero lose no digits; it makes the row pass three times. `width` is the length of a row, `height` the number of rows.
#include "../support/app.h"
#include "../support/row_per_warp.h"

namespace warptile::apps {

class LayerNorm : public App<LayerNorm> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Input<Buffer<float, 1>> weight{"weight"};
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 2>> output{"output"};

    LayerNorm() : App(1024, 4096) {}

    void generate() {
        const float epsilon = 1e-5f;  // keeps rows that are constant at zero
        const Expr length = Halide::cast<float>(input.width());
        r = RDom(input.dim(0).min(), input.width());
        sum(y) = 0.0f;
        sum(y) += input(r, y);
        centred(x, y) = input(x, y) - sum(y) / length;
        squares(y) = 0.0f;
        squares(y) += centred(r, y) * centred(r, y);
        scale(y) = 1.0f / Halide::sqrt(squares(y) / length + epsilon);
        output(x, y) = centred(x, y) * scale(y) * weight(x) + bias(x);

        for (auto dimension : {weight.dim(0), bias.dim(0), output.dim(0)}) {
            dimension.set_bounds(input.dim(0).min(), input.width());
        }
        input.set_estimates({{0, width}, {0, height}});
        weight.set_estimates({{0, width}});
        bias.set_estimates({{0, width}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel without a barrier, a warp a row. The squares need the sum before the output does, and find it for
    /// themselves.
    void expert_schedule() {
        const RowPerWarp rows(input.width(), width);
        const RowLoops kernel = rows.deal_rows(output, x, y);
        const RowLoops square_sums = rows.reduce(squares, r, kernel, kernel);
        Func sum_for_squares = sum.clone_in(centred.clone_in(square_sums.func));
        rows.reduce(sum_for_squares, r, kernel, square_sums);
        rows.reduce(sum, r, kernel, kernel);
    }

private:
    Var x{"x"}, y{"y"};
    RDom r;
    Func sum{"sum"}, centred{"centred"}, squares{"squares"}, scale{"scale"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::LayerNorm, layer_norm)
