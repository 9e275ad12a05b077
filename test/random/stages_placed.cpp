// Kinds of stages as other people write them: stores over an RDom, scatters of any type, chains of updates at constant
// places, images over a total, and mosaics, of which a reader needs points that do not fill a box.

#include <algorithm>

#include "builder.h"

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Type;
using Halide::Var;

namespace {

int dims_of(const Builder &b, int source) { return b.sources[static_cast<size_t>(source)].dims; }

std::vector<Var> some_vars(const Builder &b, int dims) { return {b.vars().begin(), b.vars().begin() + dims}; }

Expr zero(Type t) { return Halide::Internal::make_zero(t); }

/// Where one dimension of a Func is written by a loop: each step at a place of its own.
struct Place {
    Expr at;
    int reach = 0;  ///< no place is beyond it
};

Place place_of(Builder &b, const Expr &loop, int first, int extent) {
    const int last = first + extent - 1;
    switch (b.prng.below(4)) {
    case 0:
        return {loop + 2, last + 3};
    case 1:
        return {loop * 2 + 1, 2 * last + 2};
    case 2:
        return {last + first - loop, last + 1};  // backwards
    default:
        return {loop, last + 1};
    }
}

/// A value that stays within a type's range however many of them, at most `n`, are added up.
Value summand(Builder &b, const Value &v, Type t, int n) {
    const Type to = type_for(t, {v});
    const Value s = limited(convert(v, to), std::max(1.0, comfortable(to) / n));
    if (to.is_float() && !s.exact) {
        b.pipeline.float_terms += n;
    }
    return s;
}

/// What `n` such values come to.
Value total_of(const Value &v, int n) {
    const Type t = v.type();
    const double lo = std::min(0.0, v.lo) * n, hi = std::max(0.0, v.hi) * n;
    if (!t.is_float() && (lo < lowest(t) || hi > highest(t))) {
        return {v.expr, lowest(t), highest(t), true};
    }
    return {v.expr, lo, hi, v.exact && (!t.is_float() || std::max(-lo, hi) < 16e6)};
}

Type sum_type(Builder &b) {
    static const std::vector<Type> types = {Halide::Float(32), Halide::Float(32), Halide::Float(64), Halide::Int(32),
                                            Halide::UInt(32),  Halide::UInt(16),  Halide::UInt(8)};
    return b.prng.pick(types);
}

}  // namespace

/// f(places of an RDom) = or += values: a window of an image, some of the dimensions by pure loops, and sometimes one
/// loop more, over which is summed.
void add_stores(Builder &b) {
    const int source = b.choose_with_dims(), dims = std::min(dims_of(b, source), 3);
    std::vector<std::pair<Expr, Expr>> ranges;
    std::vector<int> first, extent, axes;
    int points = 1;
    for (int d = 0; d < dims; d++) {
        if (d > 0 && b.prng.chance(25)) {
            continue;  // this one stays a pure loop
        }
        first.push_back(b.prng.between(0, 3));
        extent.push_back(b.prng.between(1, d == 0 ? 60 : d == 1 ? 20 : 3));
        ranges.emplace_back(first.back(), extent.back());
        axes.push_back(d);
        points *= extent.back();
    }
    const bool sums = b.prng.chance(40);
    const int summed = sums ? b.prng.between(2, 12) : 1;
    if (sums) {
        ranges.emplace_back(0, summed);
    }
    b.work_left -= points * summed;
    const RDom r = b.new_rdom(ranges);
    std::vector<Expr> to = b.coordinates(dims), from = b.coordinates(dims);
    std::vector<int> needed(static_cast<size_t>(dims), 1);
    for (size_t i = 0; i < axes.size(); i++) {
        const size_t d = static_cast<size_t>(axes[i]);
        const Place p = place_of(b, r[static_cast<int>(i)], first[i], extent[i]);
        to[d] = p.at;
        needed[d] = p.reach;
        from[d] = r[static_cast<int>(i)] + (b.prng.chance(50) ? b.prng.between(-1, 1) : 0);
    }
    if (sums) {
        const size_t d = static_cast<size_t>(b.prng.below(dims));
        from[d] = from[d] + r[static_cast<int>(axes.size())];
    }
    const Value v = b.load_at_point(source, from), start = b.load_at_point(source, b.coordinates(dims));
    const bool adds = sums || b.prng.chance(35);
    const Type t = type_for(sum_type(b), {v, start});
    const Value s = summand(b, v, t, summed + 1), begin = summand(b, start, s.type(), summed + 1);
    RDom domain = r;
    if (b.prng.chance(20)) {
        domain.where(domain.x % 3 != 1);
        b.drew("where");
    }
    Func f = b.new_func("placed");
    f(some_vars(b, dims)) = b.prng.chance(30) ? zero(s.type()) : convert(begin, s.type()).expr;
    if (adds) {
        f(to) += s.expr;
    } else {
        f(to) = s.expr;
    }
    const Value sum =
        total_of({s.expr, std::min(s.lo, begin.lo), std::max(s.hi, begin.hi), s.exact && begin.exact}, summed + 1);
    const int added = b.add_source(f, dims, {sum});
    b.sources[static_cast<size_t>(added)].needed = needed;
    b.drew(sums ? "places and a sum" : "stores over an RDom");
}

/// Adds, or takes the least or largest, where data say: in one or two dimensions, by the row, of any type.
void add_scatter(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int bins = b.prng.between(2, 40), rows = b.prng.between(2, 6);
    std::vector<std::pair<Expr, Expr>> ranges;
    int n = 1;
    for (int d = 0; d < std::min(dims, 2); d++) {
        const int extent = b.prng.between(1, d == 0 ? 80 : 20);
        ranges.emplace_back(0, extent);
        n *= extent;
    }
    b.work_left -= n;
    RDom r = b.new_rdom(ranges);
    std::vector<Expr> at;
    for (int d = 0; d < dims; d++) {
        at.push_back(d < r.dimensions() ? Expr(r[d]) : Expr(0));
    }
    const Value key = b.load_at_point(source, at), weight = b.load_at_point(b.choose(), at);
    if (!key.exact) {
        return add_stores(b);
    }
    if (b.prng.chance(25)) {
        r.where(r.x % 4 != 2);
        b.drew("where");
    }
    const Type t = type_for(sum_type(b), {weight});
    const int op = b.prng.below(4);
    const Value s = op < 2 ? summand(b, weight, t, n) : convert(weight, t);
    const bool two = b.prng.chance(25);
    std::vector<Expr> to = {data_index(key, bins)};
    if (two) {
        to.push_back(b.prng.chance(50) ? Expr(r.x % rows) : data_index(key, rows));
    }
    Func f = b.new_func("scattered");
    f(some_vars(b, two ? 2 : 1)) = zero(s.type());
    if (op < 2) {
        f(to) += s.expr;
    } else {
        f(to) = op == 2 ? max(f(to), s.expr) : min(f(to), s.expr);
    }
    const Value all = op < 2 ? total_of(s, n) : Value{s.expr, std::min(0.0, s.lo), std::max(0.0, s.hi), s.exact};
    const int added = b.add_source(f, two ? 2 : 1, {all});
    Source &made = b.sources[static_cast<size_t>(added)];
    made.extents[0] = made.needed[0] = bins;
    if (two) {
        made.extents[1] = made.needed[1] = rows;
    }
    b.drew(s.type().is_float() ? "scatters of floats" : "scatters of integers");
}

/// A few numbers a point, along one more dimension, each changed in turn by what the others are.
void add_chain_of_updates(Builder &b) {
    const int source = b.choose(), dims = dims_of(b, source);
    if (dims > 3) {
        return add_stores(b);
    }
    const std::vector<Expr> at = b.coordinates(dims);
    const Value v = b.load_at_point(source, at);
    const Type t = type_for(b.prng.chance(50) ? Halide::Int(32) : Halide::Float(32), {v});
    const Value start = limited(convert(v, t), 1000);
    const int places = b.prng.between(2, 4), updates = b.prng.between(2, 7);
    const auto place = [&](int c) {
        std::vector<Expr> point = at;
        point.emplace_back(c);
        return point;
    };
    Func f = b.new_func("solved");
    f(some_vars(b, dims + 1)) = start.expr + Halide::cast(t, b.vars()[static_cast<size_t>(dims)] % 5);
    for (int u = 0; u < updates; u++) {
        const int to = b.prng.below(places), a = b.prng.below(places), c = b.prng.below(places);
        const Expr l = f(place(a)), r = f(place(c));
        const Expr next = t.is_float() ? (b.prng.chance(50) ? (l + r) * 0.5f : max(l, r) - 1.0f)
                                       : (b.prng.chance(50) ? (l + r) % 1009 : max(l, r) - 1);
        f(place(to)) = next;
    }
    // Means of numbers within the limits stay there; of each maximum one is taken off.
    const int added = b.add_source(f, dims + 1, {{start.expr, -3000, 3000, !t.is_float()}});
    b.sources[static_cast<size_t>(added)].needed[static_cast<size_t>(dims)] = places;
    b.drew("chain of updates");
}

/// An image beside a sum, or a maximum, of all of it.
void add_use_of_a_total(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    std::vector<std::pair<Expr, Expr>> ranges;
    int n = 1;
    for (int d = 0; d < dims; d++) {
        const int extent = d < 2 ? b.prng.between(1, d == 0 ? 90 : 25) : 2;
        ranges.emplace_back(0, extent);
        n *= extent;
    }
    b.work_left -= n;
    const RDom r = b.new_rdom(ranges);
    std::vector<Expr> all;
    for (int d = 0; d < dims; d++) {
        all.emplace_back(r[d]);
    }
    const Value each = b.load_at_point(source, all);
    const Type t = type_for(b.prng.chance(50) ? Halide::Int(32) : Halide::Float(32), {each});
    const bool maximum = b.prng.chance(40);
    const Value s = maximum ? convert(each, t) : summand(b, each, t, n);
    Func total = b.new_func("all");
    total() = zero(s.type());
    if (maximum) {
        total() = max(total(), s.expr);
    } else {
        total() += s.expr;
    }
    const Value sum = maximum ? Value{total(), std::min(0.0, s.lo), std::max(0.0, s.hi), s.exact} : [&] {
        Value v = total_of(s, n);
        v.expr = total();
        return v;
    }();
    const Value here = b.load_at_point(source, b.coordinates(dims));
    const Type together = type_for(working_type(b.prng), {here, sum});
    const Value v = combine(b.prng, convert(here, together), convert(sum, together));
    Func f = b.new_func("beside");
    const std::vector<Value> values = b.stored(v);
    b.define(f, some_vars(b, dims), values);
    b.add_source(f, dims, values);
    b.drew("a total read by an image");
}

/// Channels of a mosaic and a reader of neighbours in some of them.
void add_mosaic(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    if (dims > 3 || b.resamplings_left-- <= 0) {
        return add_stencil(b);
    }
    const int step = b.prng.between(1, 3), axis = b.prng.below(std::min(dims, 2));
    const size_t along = static_cast<size_t>(axis);
    const Expr c = b.vars()[static_cast<size_t>(dims)];
    std::vector<Expr> at = b.coordinates(dims), next;
    at[along] = at[along] * step + c;
    next = at;
    next[along] = at[along] + 1;
    const Value l = b.load(source, 0, at);
    Value v = l;
    if (b.prng.chance(60)) {
        v = combine(b.prng, l, b.load(source, 0, next));
    }
    Func f = b.new_func("mosaic");
    const std::vector<Value> values = b.stored(v);
    b.define(f, some_vars(b, dims + 1), values);
    const int mosaic = b.add_source(f, dims + 1, values);
    Value sum;
    const int taps = b.prng.between(2, 4);
    for (int i = 0; i < taps; i++) {
        std::vector<Expr> point = b.coordinates(dims);
        point[along] = point[along] + b.prng.below(2);
        point.emplace_back(b.prng.below(3));
        const Value tap = b.load(mosaic, 0, point);
        const Type t = type_for(Halide::Int(32), {tap});
        sum = i == 0 ? convert(tap, t) : add(sum, convert(tap, sum.type()));
    }
    Func reader = b.new_func("pairs");
    const std::vector<Value> read = b.stored(sum);
    b.define(reader, some_vars(b, dims), read);
    b.add_source(reader, dims, read);
    b.drew("mosaic");
}

}  // namespace warptile::fuzz
