// What the generators of this folder have in common. Each is the smallest pipeline of its kind, with nothing but its
// algorithm and its estimates: they are for autoschedulers, to be benched (README.md) and tested (kinds_test.cpp).
//
// `width` and `height` are the sizes that the estimates speak of. Estimates are exactly what the pipeline needs, so
// that those of small sizes tell a test how large its buffers have to be. Where sizes are constants of the algorithm
// too, the generator says so.
#pragma once

#include "Halide.h"

namespace warptile::kinds {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Tuple;
using Halide::Var;

template<typename Derived>
class Kind : public Halide::Generator<Derived> {
public:
    Halide::GeneratorParam<int> width;
    Halide::GeneratorParam<int> height;

protected:
    Kind(int width, int height) : width("width", width), height("height", height) {}

    /// The points of an image of two dimensions, whatever its size.
    template<typename Image>
    static RDom all_of(const Image &image) {
        return RDom(0, image.dim(0).extent(), 0, image.dim(1).extent(), "r");
    }

    Var x{"x"}, y{"y"};
};

}  // namespace warptile::kinds
