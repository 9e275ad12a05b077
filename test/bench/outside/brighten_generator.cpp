// A generator as a user might have it: scheduled by hand where no autoscheduler is asked for, and knowing nothing of
// warptile-bench.
#include "Halide.h"

namespace {

class Brighten : public Halide::Generator<Brighten> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<float> gain{"gain"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        smooth(x, y) = Halide::cast<float>(input(x, y)) + input(x + 1, y) + input(x, y + 1);
        output(x, y) = Halide::saturating_cast<uint8_t>(smooth(x, y) * gain);
        input.set_estimates({{0, 129}, {0, 97}});
        gain.set_estimate(0.5f);
        output.set_estimates({{0, 128}, {0, 96}});
    }

    void schedule() {
        if (using_autoscheduler()) {
            return;
        }
        if (get_target().has_gpu_feature()) {
            output.gpu_tile(x, y, xi, yi, 32, 4);
        } else {
            output.vectorize(x, natural_vector_size<float>());
        }
    }

private:
    Halide::Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Halide::Func smooth{"smooth"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Brighten, brighten)
