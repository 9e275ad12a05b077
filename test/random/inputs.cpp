// The inputs of a random pipeline: buffers behind every kind of boundary condition, raw buffers, a constant table, and
// scalars.

#include "builder.h"

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Type;

namespace {

/// Largest extents of buffers by their number of dimensions, so that no pipeline has many points.
int largest_extent(int dims, int dim) {
    static const int limits[4][4] = {{600, 0, 0, 0}, {110, 70, 0, 0}, {50, 30, 5, 0}, {24, 12, 4, 3}};
    return limits[dims - 1][dim];
}

Func bounded(Builder &b, const ImageParam &in) {
    using namespace Halide::BoundaryConditions;
    switch (b.prng.below(5)) {
    case 0:
        return constant_exterior(in, Halide::Internal::make_const(in.type(), b.prng.between(0, 1)));
    case 1:
        return repeat_image(in);
    case 2:
        return mirror_image(in);
    case 3:
        return mirror_interior(in);
    default:
        return repeat_edge(in);
    }
}

/// An input far from its estimates has one long dimension.
int far_extent(Prng &prng, bool is_long, int largest) {
    return is_long ? std::min(longest_input, prng.pick(std::vector<int>{2, 10, 50, 500}) * largest)
                   : prng.between(2, 4);
}

/// What a caller's buffers are promised to be, in terms of constants, of themselves or of each other. `extents` of all
/// sizes are made such that it holds.
void constrain(Builder &b, InputBuffer &input) {
    const int dims = input.param.dimensions(), dim = b.prng.below(dims);
    const size_t d = static_cast<size_t>(dim);
    Halide::ImageParam &p = input.param;
    const int kind = input.raw ? 0 : b.prng.below(8);
    b.drew("buffer constraints");
    switch (kind) {
    case 1:
        p.dim(dim).set_bounds(0, p.dim(dim).extent());
        return b.drew("constraints on itself");
    case 2:
        p.dim(dim).set_extent(p.dim(dim).extent() / 4 * 4);
        for (std::vector<int> &e : input.extents) {
            e[d] = (e[d] + 3) / 4 * 4;
        }
        return b.drew("constraints on itself");
    case 3:
        p.dim(dim).set_extent(input.extents[0][d]);
        for (std::vector<int> &e : input.extents) {
            e[d] = input.extents[0][d];
        }
        return;
    case 4:
        p.dim(dim).set_min(p.dim(dim).min() / 2 * 2);
        return b.drew("constraints on itself");
    case 5:
        if (dims > 1) {
            p.dim(1).set_extent(p.dim(0).extent());
            for (std::vector<int> &e : input.extents) {
                e[0] = e[1] = std::min(e[0], e[1]);
            }
            return;
        }
        break;
    default:
        break;
    }
    for (int i = 0; i < dims && !input.raw; i++) {
        p.dim(i).set_min(0);
    }
    p.dim(0).set_stride(1);
    if (dims > 1) {
        p.dim(1).set_stride(p.dim(0).extent());
    }
}

void add_input(Builder &b, int number) {
    static const std::vector<int> dims_of_inputs = {1, 2, 2, 2, 2, 3, 3, 4};
    const int dims = b.prng.pick(dims_of_inputs);
    const Type t = stored_type(b.prng);
    InputBuffer input;
    input.param = ImageParam(t, dims, "in" + std::to_string(number));
    input.lo = t.is_uint() ? 0 : -20;
    input.hi = t.is_bool() ? 1 : b.prng.pick(std::vector<int>{3, 60, 120});
    input.raw = b.prng.chance(40);
    for (int s = 0; s < size_count; s++) {
        std::vector<int> extents;
        const int longest = b.prng.below(dims);
        for (int d = 0; d < dims; d++) {
            const int largest = largest_extent(dims, d);
            if (s == size_count - 1) {
                extents.push_back(far_extent(b.prng, d == longest, largest));
                continue;
            }
            // mirror_interior divides by the extent less one: Halide asks for two at least.
            extents.push_back(s == 1 ? b.prng.between(2, 4) : b.prng.between(std::min(largest, 3), largest));
        }
        input.extents.push_back(extents);
    }
    if (b.prng.chance(12)) {
        constrain(b, input);
    }
    Source source;
    source.dims = dims;
    source.extents.assign(static_cast<size_t>(dims), 0);
    source.needed.assign(static_cast<size_t>(dims), 1);
    source.elements = {{t, input.lo, input.hi, true}};
    if (input.raw) {
        source.image = input.param;
    } else {
        source.func = bounded(b, input.param);
    }
    // No estimate is exact for an input whose needed size follows from the outputs': this is what a user would write.
    for (int d = 0; d < dims; d++) {
        input.param.dim(d).set_estimate(0, input.extents[0][static_cast<size_t>(d)]);
    }
    b.sources.push_back(source);
    b.pipeline.inputs.push_back(input);
}

/// A table that is part of the program.
void add_table(Builder &b) {
    const int extent = b.prng.between(2, 40);
    Halide::Buffer<int16_t> table(extent, "table");
    for (int i = 0; i < extent; i++) {
        table(i) = static_cast<int16_t>(b.prng.between(-50, 50));
    }
    Func f = b.new_func("table");
    f(b.vars()[0]) = table(clamp(b.vars()[0], 0, extent - 1));
    b.add_source(f, 1, {{Halide::cast<int16_t>(Expr(0)), -50, 50, true}});
}

void add_scalar(Builder &b, int number) {
    const Type t = b.prng.chance(50) ? Halide::Int(32) : Halide::Float(32);
    InputScalar s;
    s.param = Halide::Parameter(t, false, 0, "p" + std::to_string(number));
    s.value = b.prng.between(-8, 8);
    if (t.is_float()) {
        s.param.set_estimate(Expr(static_cast<float>(s.value)));
    } else {
        s.param.set_estimate(Expr(static_cast<int>(s.value)));
    }
    b.pipeline.scalars.push_back(s);
}

}  // namespace

void add_inputs(Builder &b) {
    const int scalars = b.prng.chance(30) ? b.prng.between(1, 2) : 0;
    for (int i = 0; i < scalars; i++) {
        add_scalar(b, i);
    }
    const int inputs = b.prng.chance(65) ? 1 : b.prng.between(2, 3);
    for (int i = 0; i < inputs; i++) {
        add_input(b, i);
    }
    if (b.prng.chance(10)) {
        add_table(b);
    }
}

}  // namespace warptile::fuzz
