// A generator outside the tree, built and scheduled with the installed package.
#include <Halide.h>

class Scale : public Halide::Generator<Scale> {
public:
    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Halide::Var x("x"), y("y");
        output(x, y) = input(x, y) * 2.0f;
        input.set_estimates({{0, 1024}, {0, 1024}});
        output.set_estimates({{0, 1024}, {0, 1024}});
    }
};

HALIDE_REGISTER_GENERATOR(Scale, scale)
