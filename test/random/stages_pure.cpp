// Kinds of stages without updates: pointwise, stencils, resampling, boundary conditions, gathers, and changes of the
// number and order of dimensions.

#include <algorithm>

#include "builder.h"

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;

namespace {

std::vector<Var> some_vars(const Builder &b, int dims) { return {b.vars().begin(), b.vars().begin() + dims}; }

/// Defines a new Func of `dims` dimensions with a random type around the value, and makes it a source.
int finish(Builder &b, const char *kind, int dims, const Value &v) {
    Func f = b.new_func(kind);
    const std::vector<Value> values = b.stored(v);
    b.define(f, some_vars(b, dims), values);
    return b.add_source(f, dims, values);
}

/// A weighted sum of the source along one axis, around the point; `step` and `shift` place the taps:
/// index = step * loop + tap + shift.
Value taps(Builder &b, int source, std::vector<Expr> at, int axis, int count, int step) {
    const int element = b.prng.below(static_cast<int>(b.sources[static_cast<size_t>(source)].elements.size()));
    const int first = b.prng.between(-count, 1);
    const Expr loop = at[static_cast<size_t>(axis)], center = step == 1 ? loop : loop * step;
    Value sum;
    for (int i = 0; i < count; i++) {
        at[static_cast<size_t>(axis)] = center + (first + i);
        const Value tap = b.load(source, element, at);
        if (i == 0) {
            const Type t = type_for(tap.type().is_float() ? tap.type() : working_type(b.prng), {tap});
            sum = convert(tap, t.is_bool() ? Halide::UInt(16) : t);
        } else if (b.prng.chance(85)) {
            const Value next = convert(tap, sum.type());
            sum = b.prng.chance(80) ? add(sum, next) : combine(b.prng, sum, next);
        }
    }
    return sum;
}

int dims_of(const Builder &b, int source) { return b.sources[static_cast<size_t>(source)].dims; }

}  // namespace

void add_pointwise(Builder &b) {
    const int first = b.choose();
    const int dims = std::max(dims_of(b, first), b.prng.chance(10) ? b.prng.between(0, 4) : 0);
    const std::vector<Expr> at = b.coordinates(dims);
    Value v = b.load_at_point(first, at);
    const int more = b.prng.between(0, 2);
    for (int i = 0; i < more; i++) {
        const Value next = b.prng.chance(75) ? b.load_at_point(b.choose(), at) : b.random_scalar(Halide::Int(32));
        const Type t = type_for(working_type(b.prng), {v, next});
        v = combine(b.prng, convert(v, t), convert(next, t));
    }
    if (b.prng.chance(20) && dims > 0) {
        const Value coordinate = {at[0] % 64, 0, 63, true};
        const Type t = type_for(working_type(b.prng), {v});
        v = combine(b.prng, convert(v, t), convert(coordinate, t));
    }
    if (more == 0 || b.prng.chance(40)) {
        v = modify(b.prng, v);
    }
    finish(b, "point", dims, v);
}

void add_stencil(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    Value v;
    const int axes = b.prng.between(1, std::min(dims, 2));
    for (int i = 0; i < axes; i++) {
        const Value along = taps(b, source, b.coordinates(dims), b.prng.below(dims), b.prng.between(2, 5), 1);
        if (i == 0) {
            v = along;
        } else {
            const Type t = type_for(v.type(), {v, along});
            v = add(convert(v, t), convert(along, t));
        }
    }
    finish(b, "stencil", dims, v);
}

void add_separable_stencil(Builder &b) {
    int source = b.choose_with_dims();
    const int dims = dims_of(b, source), count = b.prng.between(2, 5);
    for (int axis = std::min(dims, 2) - 1; axis >= 0; axis--) {
        source = finish(b, axis == 0 ? "across" : "down", dims, taps(b, source, b.coordinates(dims), axis, count, 1));
    }
}

void add_downsample(Builder &b) {
    if (b.resamplings_left-- <= 0) {
        return add_stencil(b);
    }
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int axis = b.prng.below(std::min(dims, 2));
    finish(b, "small", dims, taps(b, source, b.coordinates(dims), axis, b.prng.between(1, 4), b.prng.between(2, 3)));
}

void add_upsample(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int axis = b.prng.below(std::min(dims, 2)), factor = b.prng.between(2, 3);
    std::vector<Expr> at = b.coordinates(dims), next = at;
    const Expr x = at[static_cast<size_t>(axis)];
    at[static_cast<size_t>(axis)] = x / factor;
    next[static_cast<size_t>(axis)] = x / factor + 1;
    const Value l = b.load(source, 0, at), r = b.load(source, 0, next);
    if (b.prng.chance(40)) {
        return static_cast<void>(finish(b, "large", dims, l));
    }
    const Value mixed =
        b.prng.chance(50) ? combine(b.prng, l, r) : Value{select(x % factor == 0, l.expr, r.expr), l.lo, l.hi, l.exact};
    finish(b, "large", dims, mixed);
}

void add_boundary_of_func(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const Source s = b.sources[static_cast<size_t>(source)];
    if (s.image.defined() || s.elements.size() > 1) {
        return add_stencil(b);
    }
    Halide::Region region;
    for (int d = 0; d < dims; d++) {
        region.push_back({b.prng.between(-2, 2), b.prng.between(2, 40)});
    }
    b.sources[static_cast<size_t>(source)].read = true;
    using namespace Halide::BoundaryConditions;
    const Func f = b.prng.chance(40)   ? repeat_edge(s.func, region)
                   : b.prng.chance(40) ? mirror_interior(s.func, region)
                   : b.prng.chance(50)
                       ? mirror_image(s.func, region)
                       : constant_exterior(s.func, Halide::Internal::make_zero(s.elements[0].type), region);
    Source edge = s;
    edge.func = f;
    edge.read = false;
    edge.elements[0].lo = std::min(0.0, edge.elements[0].lo);
    edge.elements[0].hi = std::max(0.0, edge.elements[0].hi);
    b.sources.push_back(edge);
    add_stencil(b);
}

void add_gather(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    std::vector<Expr> at = b.coordinates(dims);
    const Value where = b.load_at_point(b.choose(), at);
    if (!where.exact) {
        return add_stencil(b);
    }
    const int axis = b.prng.below(dims);
    at[static_cast<size_t>(axis)] = b.prng.chance(50)
                                        ? at[static_cast<size_t>(axis)] + data_index(where, b.prng.between(2, 6))
                                        : data_index(where, b.prng.between(2, 30));
    finish(b, "gather", dims, b.load_at_point(source, at));
}

void add_transpose(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    std::vector<Expr> at = b.coordinates(dims);
    b.prng.shuffle(at);
    finish(b, "turned", dims, b.load_at_point(source, at));
}

void add_slices(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    std::vector<Expr> at = b.coordinates(dims - 1);
    const int axis = b.prng.chance(60) ? dims - 1 : b.prng.below(dims);
    Value v;
    for (int i = 0; i < 3; i++) {
        std::vector<Expr> point = at;
        point.insert(point.begin() + axis, Expr(i));
        const Value slice = b.load(source, 0, point);
        v = i == 0 ? slice : add(v, convert(slice, v.type()));
    }
    finish(b, "slices", dims - 1, v);
}

void add_new_dimension(Builder &b) {
    const int source = b.choose();
    const int dims = dims_of(b, source);
    if (dims == 4) {
        return add_stencil(b);
    }
    const Value v = b.load_at_point(source, b.coordinates(dims));
    const Expr c = b.vars()[static_cast<size_t>(dims)];
    const Value a = modify(b.prng, v);
    const Type t = type_for(working_type(b.prng), {v, a});
    const Value l = convert(v, t), r = convert(a, t);
    finish(b, "stack", dims + 1,
           {select(c == 0, l.expr, r.expr), std::min(l.lo, r.lo), std::max(l.hi, r.hi), l.exact && r.exact});
}

}  // namespace warptile::fuzz
