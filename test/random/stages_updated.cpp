// Kinds of stages whose updates write where the loops or the data say: scans, histograms, patches.

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

/// What a scan makes of its state and the next value, such that it stays within bounds however long it is.
Expr next_state(Builder &b, const Expr &state, const Expr &value, Type t) {
    if (t.is_float()) {
        return b.prng.chance(50) ? max(state - 1, value) : state * Halide::Internal::make_const(t, 0.5) + value;
    }
    return b.prng.chance(50) ? max(state, value) : (state + value) % Halide::Internal::make_const(t, 101);
}

/// Each row made of the one before it, or what is below the diagonal of what is above: steps that are apart where
/// others are taken in turn, or where a condition holds.
void add_rows_in_turn(Builder &b, Func &f, Type t, std::vector<int> &needed) {
    const int width = b.rows.between(1, 70), height = b.rows.between(1, 20);
    std::vector<Expr> at = b.coordinates(static_cast<int>(needed.size())), left = at, right = at;
    if (b.rows.chance(30)) {
        const RDom r = b.new_rdom({{0, height}, {0, height}});
        RDom below = r;
        below.where(below.x > below.y);
        at[0] = left[1] = below.x;
        at[1] = left[0] = below.y;
        f(at) = next_state(b, f(left), f(at), t);
        needed[0] = std::max(needed[0], height);
    } else {
        const RDom r = b.new_rdom({{1, width}, {1, height}});
        at[0] = r.x;
        at[1] = r.y;
        left[0] = r.x - 1;
        right[0] = r.x + b.rows.between(0, 1);
        left[1] = right[1] = r.y - 1;
        f(at) = next_state(b, max(f(left), f(right)), f(at), t);
        needed[0] = std::max(needed[0], width + 2);
    }
    needed[1] = std::max(needed[1], height + 1);
    b.drew("rows in turn");
}

}  // namespace

void add_scan(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const int axis = b.prng.below(std::min(dims, 2));
    const Value v = b.load_at_point(source, b.coordinates(dims));
    const Type t = type_for(b.prng.chance(50) ? Halide::Int(32) : Halide::Float(32), {v});
    const Value start = limited(convert(v, t), 1000);
    Func f = b.new_func("scan");
    f(some_vars(b, dims)) = start.expr;
    const int passes = b.prng.chance(30) ? 2 : 1;
    int reach = 1;
    for (int pass = 0; pass < passes; pass++) {
        const int n = b.prng.between(1, 60);
        reach = std::max(reach, n + 1);
        const RDom r = b.new_rdom({{1, n}});
        const Expr here = pass == 0 ? Expr(r.x) : n - r.x, before = pass == 0 ? Expr(r.x - 1) : n - r.x + 1;
        std::vector<Expr> at = b.coordinates(dims), from = at;
        at[static_cast<size_t>(axis)] = here;
        from[static_cast<size_t>(axis)] = before;
        f(at) = next_state(b, f(from), f(at), t);
    }
    std::vector<int> needed(static_cast<size_t>(dims), 1);
    needed[static_cast<size_t>(axis)] = reach;
    if (dims > 1 && b.rows.chance(60)) {
        add_rows_in_turn(b, f, t, needed);
    }
    const int added = b.add_source(f, dims, {{start.expr, -5000, 5000, !t.is_float()}});
    b.sources[static_cast<size_t>(added)].needed = needed;
}

void add_histogram(Builder &b) {
    const int source = b.choose_with_dims(), dims = dims_of(b, source);
    const bool per_row = dims > 1 && b.prng.chance(30);
    const int bins = b.prng.between(2, 64);
    std::vector<std::pair<Expr, Expr>> ranges;
    for (int d = 0; d < std::min(dims, per_row ? 1 : 2); d++) {
        ranges.emplace_back(0, b.prng.between(1, d == 0 ? 100 : 30));
    }
    const RDom r = b.new_rdom(ranges);
    std::vector<Expr> at;
    for (int d = 0; d < dims; d++) {
        at.push_back(d < r.dimensions() ? Expr(r[d]) : per_row && d == 1 ? Expr(b.vars()[1]) : Expr(0));
    }
    const Value v = b.load_at_point(source, at);
    if (!v.exact) {
        return add_axis_reduction(b);
    }
    static const std::vector<Type> types = {Halide::Int(32),   Halide::UInt(32), Halide::UInt(16),
                                            Halide::Float(32), Halide::UInt(8),  Halide::UInt(64)};
    const Type t = b.prng.pick(types);
    const Value count = {Halide::Internal::make_const(t, 0), 0, std::min(3100.0, highest(t)), true};
    Func f = b.new_func("counts");
    if (per_row) {
        f(b.vars()[0], b.vars()[1]) = count.expr;
        f(data_index(v, bins), b.vars()[1]) += Halide::Internal::make_const(t, 1);
    } else {
        f(b.vars()[0]) = count.expr;
        f(data_index(v, bins)) += Halide::Internal::make_const(t, 1);
    }
    const int added = b.add_source(f, per_row ? 2 : 1, {count});
    b.sources[static_cast<size_t>(added)].extents[0] = bins;
    b.sources[static_cast<size_t>(added)].needed[0] = bins;
}

void add_patches(Builder &b) {
    const int source = b.choose(), dims = dims_of(b, source);
    const std::vector<Expr> at = b.coordinates(dims);
    const Value v = b.load_at_point(source, at), other = b.load_at_point(b.choose(), at);
    const Type t = type_for(working_type(b.prng), {v, other});
    const double limit = t.is_bool() ? 1 : 1000;
    const Value start = limited(convert(v, t), limit), more = limited(convert(other, t), limit);
    Func f = b.new_func("patched");
    f(some_vars(b, dims)) = start.expr;
    // Adding may leave the range that `start` and `more` have; a type that wraps has its whole range anyway.
    const double bound = t.is_float() || t.bits() >= 32 ? 2000 : std::max(-lowest(t), highest(t));
    std::vector<int> needed(static_cast<size_t>(dims), 1);
    const bool sums = !t.is_bool() && b.prng.chance(60);
    if (sums) {
        f(at) = f(at) + more.expr;
    }
    if (dims > 0 && b.prng.chance(60)) {
        std::vector<Expr> row = at;
        const size_t axis = static_cast<size_t>(b.prng.below(dims));
        const int at_row = b.prng.between(0, 3);
        row[axis] = at_row;
        needed[axis] = at_row + 1;
        f(row) = t.is_bool() ? !f(row) : max(f(row), constant(t, 3).expr);
    }
    if (dims > 0 && b.prng.chance(40)) {
        const int first = b.prng.between(0, 5), count = b.prng.between(1, 12);
        const RDom r = b.new_rdom({{first, count}});
        std::vector<Expr> row = at;
        const size_t axis = static_cast<size_t>(b.prng.below(dims));
        row[axis] = r.x;
        needed[axis] = std::max(needed[axis], first + count);
        f(row) = t.is_bool() ? !f(row) : min(f(row), constant(t, 40).expr);
    }
    const bool unsigned_wide = t.is_uint() && t.bits() >= 32;
    const int added =
        b.add_source(f, dims,
                     {{start.expr, unsigned_wide ? 0 : std::max(-bound, lowest(t)),
                       unsigned_wide ? highest(t) : std::min(bound, highest(t)), start.exact && more.exact}});
    b.sources[static_cast<size_t>(added)].needed = needed;
}

}  // namespace warptile::fuzz
