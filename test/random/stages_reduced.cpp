// Kinds of stages that reduce: along an axis, to one number, argmax, convolutions, products of matrices, softmax.

#include <algorithm>

#include "builder.h"

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Tuple;
using Halide::Type;
using Halide::Var;

namespace {

int dims_of(const Builder &b, int source) { return b.sources[static_cast<size_t>(source)].dims; }

std::vector<Var> some_vars(const Builder &b, int dims) { return {b.vars().begin(), b.vars().begin() + dims}; }

/// The range of a reduction loop: mostly constant, sometimes the extent of an input.
struct Range {
    Expr min, extent;
    int most = 0;  ///< the extent is no larger
};

Range reduction_range(Builder &b, int most) {
    for (const InputBuffer &in : b.pipeline.inputs) {
        if (!in.raw && most >= 110 && in.param.dimensions() > 1 && b.prng.chance(15)) {
            return {in.param.dim(0).min(), in.param.dim(0).extent(), longest_input};
        }
    }
    static const std::vector<int> extents = {1, 2, 3, 8, 17, 31, 32, 33, 64, 100, 128, 130, 256};
    const int extent = std::min(most, b.prng.chance(60) ? b.prng.pick(extents) : b.prng.between(1, 200));
    return {b.prng.chance(80) ? 0 : b.prng.between(-5, 9), extent, extent};
}

int affordable(Builder &b, int wanted) {
    const int most = std::max(1, std::min(wanted, b.work_left));
    b.work_left -= most;
    return most;
}

/// The accumulator of a sum of n values, and the values made small enough for it.
Value summand(Builder &b, const Value &v, int n) {
    const Type t = type_for(working_type(b.prng), {v});
    const Type wide = t.is_bool() ? Halide::Int(32) : t;
    b.pipeline.float_terms += wide.is_float() && !v.exact ? n : 0;
    return limited(convert(v, wide), comfortable(wide) / n);
}

Value sum_of(const Value &v, int n) {
    const Type t = v.type();
    const double lo = std::min(0.0, v.lo * n), hi = std::max(0.0, v.hi * n);
    if (!t.is_float()) {
        const bool fits = lo >= lowest(t) && hi <= highest(t);
        return {v.expr, fits ? lo : lowest(t), fits ? hi : highest(t), true};
    }
    return {v.expr, lo, hi, v.exact && std::max(-lo, hi) < 16e6};
}

/// Defines f as a reduction of `v`, by a sum, a maximum, a minimum or bits, and makes it a source.
void reduce(Builder &b, const char *kind, int dims, const Value &v, int n) {
    Func f = b.new_func(kind);
    const std::vector<Var> args = some_vars(b, dims);
    const int op = b.prng.below(10);
    if (op < 5) {
        const Value s = summand(b, v, n);
        const Value start = b.prng.chance(70) ? constant(s.type(), 0) : constant(s.type(), 1);
        f(args) = start.expr;
        f(args) += s.expr;
        Value total = sum_of(s, n + 1);
        total.hi += 1;
        b.add_source(f, dims, {{s.expr, total.lo, total.hi, total.exact}});
        return;
    }
    const Type t = type_for(working_type(b.prng), {v});
    const Value w = convert(v, t);
    if (op < 7 || t.is_float() || t.is_bool()) {
        const bool maximum = b.prng.chance(50);
        f(args) = constant(t, 0).expr;
        f(args) = maximum ? max(f(args), w.expr) : min(f(args), w.expr);
    } else {
        f(args) = constant(t, 1).expr;
        f(args) = op == 7 ? f(args) & w.expr : op == 8 ? f(args) | w.expr : f(args) ^ w.expr;
        b.add_source(f, dims, {{w.expr, lowest(t), highest(t), true}});
        return;
    }
    b.add_source(f, dims, {{w.expr, std::min(0.0, w.lo), std::max(0.0, w.hi), w.exact}});
}

/// A `where` that leaves out some of the points: by the loops, or by the data.
void restrict(Builder &b, RDom &r, const Value &v) {
    if (!b.prng.chance(25)) {
        return;
    }
    const int by = b.prng.below(3);
    if (by == 2 && (!v.exact || v.type().is_bool())) {
        return;
    }
    r.where(by == 0 ? r.x % 3 != 1 : by == 1 ? r.x < b.vars()[0] + 2 : v.expr > constant(v.type(), 1).expr);
    b.drew("where");
}

}  // namespace

void add_axis_reduction(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source) - 1;
    const int axis = b.prng.chance(65) ? 0 : b.prng.below(dims + 1);
    const Range range = reduction_range(b, affordable(b, 256));
    RDom r = b.new_rdom({{range.min, range.extent}});
    std::vector<Expr> at = b.coordinates(dims);
    at.insert(at.begin() + axis, Expr(r.x));
    Value v = b.load_at_point(source, at);
    if (b.prng.chance(30)) {
        const Value other = b.load_at_point(b.choose(), at);
        const Type t = type_for(working_type(b.prng), {v, other});
        v = combine(b.prng, convert(v, t), convert(other, t));
    }
    if (dims > 0) {
        restrict(b, r, v);
    }
    reduce(b, "reduced", dims, v, range.most);
}

/// A sum whose every step reads a sum of a few points.
void add_sum_of_sums(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int taps = b.prng.between(2, 5), steps = affordable(b, b.prng.pick(std::vector<int>{3, 8, 33, 40}));
    if (dims + 1 > static_cast<int>(b.vars().size())) {
        return add_axis_reduction(b);
    }
    const RDom tap = b.new_rdom({{0, taps}}), step = b.new_rdom({{0, steps}});
    const Var k = b.vars()[static_cast<size_t>(dims)];
    std::vector<Expr> at = b.coordinates(dims);
    at[0] = at[0] + tap.x;
    at.back() = at.back() + (b.prng.chance(50) ? k : k / 2);
    const Value v = summand(b, b.load_at_point(source, at), taps);
    Func inner = b.new_func("inner");
    inner(some_vars(b, dims + 1)) = constant(v.type(), 0).expr;
    inner(some_vars(b, dims + 1)) += v.expr;
    std::vector<Expr> read = b.coordinates(dims);
    read.emplace_back(step.x);
    Value sum = sum_of(v, taps + 1);
    sum.expr = inner(read);
    reduce(b, "of_sums", dims, sum, steps);
    b.drew("a sum of sums");
}

void add_full_reduction(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    std::vector<std::pair<Expr, Expr>> ranges;
    int points = 1;
    for (int d = 0; d < dims; d++) {
        const int extent = d < 2 ? b.prng.between(1, d == 0 ? 120 : 30) : 2;
        ranges.emplace_back(0, extent);
        points *= extent;
    }
    b.work_left -= points;
    RDom r = b.new_rdom(ranges);
    std::vector<Expr> at;
    for (int d = 0; d < dims; d++) {
        at.emplace_back(r[d]);
    }
    reduce(b, "total", 0, b.load_at_point(source, at), points);
}

void add_argmax(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source) - 1;
    const Range range = reduction_range(b, affordable(b, 130));
    const RDom r = b.new_rdom({{range.min, range.extent}});
    std::vector<Expr> at = b.coordinates(dims);
    at.insert(at.begin() + b.prng.below(dims + 1), Expr(r.x));
    const Value v = b.load_at_point(source, at);
    if (!v.exact || v.type().is_bool()) {
        return add_axis_reduction(b);
    }
    const Value index = {Expr(0), -10, 300, true};
    Func f = b.new_func("best");
    const std::vector<Var> args = some_vars(b, dims);
    f(args) = Tuple(v.type().min(), 0);
    if (b.prng.chance(60)) {
        f(args) = Tuple(max(f(args)[0], v.expr), select(f(args)[0] < v.expr, r.x, f(args)[1]));
    } else {
        const Expr better = v.expr > f(args)[0];
        f(args) = Tuple(select(better, v.expr, f(args)[0]), select(better, r.x, f(args)[1]));
    }
    // The type's least stays where nothing is reduced, so only the index is bounded by the data.
    const double least = v.type().is_float() ? -1e30 : lowest(v.type());
    b.add_source(f, dims, {{v.expr, least, v.hi, !v.type().is_float()}, index});
}

void add_convolution(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int width = b.prng.between(1, 5), height = dims > 1 ? b.prng.between(1, 4) : 1;
    const RDom r = b.new_rdom({{b.prng.between(-2, 0), width}, {b.prng.between(-2, 0), height}});
    std::vector<Expr> at = b.coordinates(dims);
    at[0] = at[0] + r.x;
    if (dims > 1) {
        at[1] = at[1] + r.y;
    }
    const Value v = b.load_at_point(source, at);
    if (b.prng.chance(30)) {
        const Value s = summand(b, v, width * height);
        const Value total = sum_of(s, width * height);
        Func f = b.new_func("box");
        f(some_vars(b, dims)) = Halide::sum(r, s.expr);
        b.add_source(f, dims, {total});
        return;
    }
    const Type t = type_for(Halide::Int(32), {v});
    // Of a window of one point Halide knows the weight: one of 0 would leave its source unread, and a plan that stores
    // the source asks for it.
    const Expr index = width * height == 1 ? Expr(2) : r.x * 2 + r.y + 1;
    const Value weight = {cast(t, index), -10, 20, true};
    const Value w = b.prng.chance(50) ? limited(convert(v, t), 1000) : v;
    const Value weighted = {w.type() == t ? w.expr * weight.expr : w.expr, -20 * w.magnitude(), 20 * w.magnitude(),
                            w.exact};
    reduce(b, "convolved", dims, w.type() == t && w.magnitude() <= 1000 ? weighted : w, width * height);
}

void add_matrix_product(Builder &b) {
    const int left = b.choose(2), right = b.choose(2);
    if (dims_of(b, left) != 2 || dims_of(b, right) != 2) {
        return add_axis_reduction(b);
    }
    const Range range = reduction_range(b, affordable(b, 64));
    const RDom k = b.new_rdom({{range.min, range.extent}});
    const Value l = b.load_at_point(left, {k.x, b.vars()[1]}), r = b.load_at_point(right, {b.vars()[0], k.x});
    const Type t = type_for(b.prng.chance(50) ? Halide::Int(32) : Halide::Float(32), {l, r});
    const Value a = limited(convert(l, t), 300), c = limited(convert(r, t), 300);
    const Value product = {a.expr * c.expr, -9e4, 9e4, a.exact && c.exact};
    b.pipeline.float_terms += t.is_float() && !product.exact ? range.most : 0;
    const Value total = sum_of(limited(product, comfortable(t) / range.most), range.most);
    Func f = b.new_func("product");
    f(some_vars(b, 2)) = constant(t, 0).expr;
    f(some_vars(b, 2)) += total.expr;
    b.add_source(f, 2, {total});
}

void add_normalized_rows(Builder &b) {
    const int source = b.choose(2), dims = dims_of(b, source);
    if (dims < 1) {
        return add_axis_reduction(b);
    }
    const Range range = reduction_range(b, affordable(b, 128));
    const RDom r = b.new_rdom({{range.min, range.extent}});
    std::vector<Expr> at = b.coordinates(dims), row = at;
    row[0] = r.x;
    const std::vector<Expr> outer(at.begin() + 1, at.end());
    const std::vector<Var> args = some_vars(b, dims), outer_args(args.begin() + 1, args.end());
    const int element = 0;
    const Value v = limited(convert(b.load(source, element, at), Halide::Float(32)), 40);
    const Value in_row = limited(convert(b.load(source, element, row), Halide::Float(32)), 40);
    b.pipeline.float_terms += range.most;
    Func top = b.new_func("top"), power = b.new_func("power"), sum = b.new_func("sum"), out = b.new_func("normal");
    top(outer_args) = -40.0f;
    top(outer_args) = max(top(outer_args), in_row.expr);
    power(args) = exp((v.expr - top(outer)) * 0.125f);
    std::vector<Expr> power_row = at;
    power_row[0] = r.x;
    sum(outer_args) = 0.0f;
    sum(outer_args) += power(power_row);
    out(args) = power(at) / (sum(outer) + 1.0f);
    b.add_source(out, dims, {{out(at), 0, 25000, false}});
}

}  // namespace warptile::fuzz
