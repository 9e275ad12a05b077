// Softmax of each row: exp(in - m) over its sum, where m is the row's largest value, so that no exponential overflows.
// Two reductions in a row, the second of which needs the first's result, and a pointwise stage that needs both: three
// passes over data that should be read from memory once. `width` is the length of a row, `height` the number of rows.
#include "../support/app.h"
#include "../support/row_per_warp.h"

namespace warptile::apps {

class Softmax : public App<Softmax> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    Softmax() : App(1024, 4096) {}

    void generate() {
        r = RDom(input.dim(0).min(), input.width(), "r");
        largest(y) = Halide::Float(32).min();
        largest(y) = Halide::max(largest(y), input(r, y));
        weight(x, y) = Halide::exp(input(x, y) - largest(y));
        sum(y) = 0.0f;
        sum(y) += weight(r, y);
        output(x, y) = weight(x, y) * (1.0f / sum(y));

        output.dim(0).set_bounds(input.dim(0).min(), input.width());
        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel without a barrier, a warp a row. The sums need each row's largest value before the output does, and
    /// find it for themselves.
    void expert_schedule() {
        const RowPerWarp rows(input.width(), width);
        const RowLoops kernel = rows.deal_rows(output, x, y);
        const RowLoops sums = rows.reduce(sum, r, kernel, kernel);
        Func largest_for_sums = largest.clone_in(weight.clone_in(sums.func));
        rows.reduce(largest_for_sums, r, kernel, sums);
        rows.reduce(largest, r, kernel, kernel);
    }

private:
    Var x{"x"}, y{"y"};
    RDom r;
    Func largest{"largest"}, weight{"weight"}, sum{"sum"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Softmax, softmax)
