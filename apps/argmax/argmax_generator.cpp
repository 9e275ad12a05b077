// Where the largest value of each row is: the first such place, whatever the order in which a schedule looks. A search
// for value and place in one, as a Tuple, would find another of several equal values when it is cut into parts, so the
// value is found first and then the least place that has it. `width` is a row's length, `height` the number of rows.
#include "../support/app.h"
#include "../support/row_per_warp.h"

namespace warptile::apps {

class Argmax : public App<Argmax> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<int32_t, 1>> output{"output"};

    Argmax() : App(1000, 2048) {}

    void generate() {
        r = RDom(input.dim(0).min(), input.width());
        largest(y) = Halide::Float(32).min();
        largest(y) = Halide::max(largest(y), input(r, y));
        place(x, y) = Halide::select(input(x, y) == largest(y), x, Halide::Int(32).max());
        first(y) = Halide::Int(32).max();
        first(y) = Halide::min(first(y), place(r, y));
        output(y) = first(y);

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel, a warp a row, and one barrier before the last step.
    void expert_schedule() {
        const RowPerWarp rows(input.width(), width);
        const RowLoops places = rows.reduce_to_value(first, r, output, y);
        rows.reduce(largest, r, places, places);
    }

private:
    Var x{"x"}, y{"y"};
    RDom r;
    Func largest{"largest"}, place{"place"}, first{"first"};
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Argmax, argmax)
