// A generator that nobody meant for an autoscheduler: it gives no estimates, and schedules itself for a CPU whoever
// else is asked to, with each kind of call that changes more than a loop.
#include "Halide.h"

namespace {

class RowSums : public Halide::Generator<RowSums> {
public:
    Input<Buffer<uint16_t, 2>> input{"input"};
    Input<Buffer<float, 1>[2]> weights { "weights" };
    Input<float> gain{"gain"};
    Output<Buffer<float, 2>> output{"output"};
    Output<Buffer<float, 1>> sums{"sums"};

    void generate() {
        const Halide::RDom r(0, input.width());
        blurred(x, y) = Halide::cast<float>(input(x, y)) * 2 + input(x + 1, y) + input(x, y + 1);
        sum(y) += blurred(Halide::clamp(r, 0, input.width() - 2), y);
        output(x, y) = blurred(x, y) * weights[0](x) + sum(y) * weights[1](x) * gain;
        output(0, y) += 1.0f;
        sums(y) = sum(y);

        Halide::Var u{"u"}, xi{"xi"};
        Halide::RVar ro{"ro"}, ri{"ri"};
        input.in().compute_at(blurred, y);
        blurred.compute_at(output, y).store_root().vectorize(x, 8, Halide::TailStrategy::RoundUp).align_storage(x, 8);
        sum.compute_root();
        sum.update().split(r, ro, ri, 8).rfactor(ri, u).compute_root().vectorize(u).update().vectorize(u);
        output.specialize(output.width() >= 64).vectorize(x, 8);
        output.reorder(y, x).update().parallel(y);
        sums.compute_with(sum, y);
    }

private:
    Halide::Var x{"x"}, y{"y"};
    Halide::Func blurred{"blurred"}, sum{"sum"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RowSums, row_sums)
