#include "builder.h"

#include <algorithm>

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::Type;
using Halide::Var;

Builder::Builder(uint64_t seed) : prng(seed), rows(seed + 128006), vars_{Var("x"), Var("y"), Var("z"), Var("w")} {
    pipeline.seed = seed;
}

std::vector<Expr> Builder::coordinates(int dims) const { return {vars_.begin(), vars_.begin() + dims}; }

Func Builder::new_func(const char *kind) {
    pipeline.stages.emplace_back(std::string(kind) + "_" + std::to_string(funcs_++));
    return pipeline.stages.back();
}

Halide::RDom Builder::new_rdom(const std::vector<std::pair<Expr, Expr>> &ranges) {
    Halide::Region region;
    for (const auto &[min, extent] : ranges) {
        region.emplace_back(min, extent);
    }
    return Halide::RDom(region, "r" + std::to_string(rdoms_++));
}

int Builder::choose(int dims) {
    std::vector<int> fitting;
    for (int i = 0; i < static_cast<int>(sources.size()); i++) {
        if (dims < 0 || sources[static_cast<size_t>(i)].dims == dims) {
            fitting.push_back(i);
        }
    }
    if (fitting.empty()) {
        return choose();
    }
    return prng.chance(55) ? fitting.back() : prng.pick(fitting);
}

int Builder::choose_with_dims() {
    for (int tries = 0; tries < 8; tries++) {
        const int i = choose();
        if (sources[static_cast<size_t>(i)].dims > 0) {
            return i;
        }
    }
    return 0;  // the first input, which has dimensions
}

Value Builder::load(int source, int element, std::vector<Expr> at) {
    Source &s = sources[static_cast<size_t>(source)];
    s.read = true;
    for (int d = 0; d < s.dims; d++) {
        const int extent = s.extents[static_cast<size_t>(d)];
        if (extent > 0 && !is_const(at[static_cast<size_t>(d)])) {
            at[static_cast<size_t>(d)] = clamp(at[static_cast<size_t>(d)], 0, extent - 1);
        }
    }
    const Element &e = s.elements[static_cast<size_t>(element)];
    Expr value;
    if (s.image.defined()) {
        value = s.image(at);
    } else if (s.elements.size() == 1) {
        value = s.func(at);
    } else {
        value = s.func(at)[static_cast<size_t>(element)];
    }
    const bool half = e.type.is_float() && e.type.bits() == 16;
    return {half ? Halide::cast<float>(value) : value, e.lo, e.hi, e.exact};
}

Value Builder::load_at_point(int source, const std::vector<Expr> &loops) {
    const Source s = sources[static_cast<size_t>(source)];
    std::vector<Expr> at;
    for (int d = 0; d < s.dims; d++) {
        at.push_back(d < static_cast<int>(loops.size()) ? loops[static_cast<size_t>(d)] : Expr(prng.below(2)));
    }
    return load(source, prng.below(static_cast<int>(s.elements.size())), at);
}

Value Builder::random_scalar(Type t) {
    if (pipeline.scalars.empty() || prng.chance(50)) {
        return constant(t, prng.between(t.is_uint() ? 0 : -3, t.is_bool() ? 1 : 9));
    }
    const InputScalar &s = prng.pick(pipeline.scalars);
    const Expr e = Halide::Internal::Variable::make(s.param.type(), s.param.name(), s.param);
    return convert({e, -8, 8, true}, t);
}

int Builder::add_source(const Func &f, int dims, const std::vector<Value> &values) {
    Source s;
    s.func = f;
    s.dims = dims;
    s.extents.assign(static_cast<size_t>(dims), 0);
    s.needed.assign(static_cast<size_t>(dims), 1);
    for (const Value &v : values) {
        s.elements.push_back({v.type(), v.lo, v.hi, v.exact});
    }
    sources.push_back(s);
    return static_cast<int>(sources.size()) - 1;
}

std::vector<Value> Builder::stored(const Value &v) {
    std::vector<Value> values;
    const int elements = prng.chance(12) ? prng.between(2, 3) : 1;
    for (int i = 0; i < elements; i++) {
        const Value more = i == 0 ? v : modify(prng, v);
        const Type t = stored_type(prng);
        values.push_back(convert(more, more.exact ? t : type_for(working_type(prng), {more})));
    }
    return values;
}

void Builder::define(Func &f, const std::vector<Var> &args, const std::vector<Value> &values) {
    if (values.size() == 1) {
        f(args) = values[0].expr;
        return;
    }
    std::vector<Expr> exprs;
    for (const Value &v : values) {
        exprs.push_back(v.expr);
    }
    f(args) = Halide::Tuple(exprs);
}

}  // namespace warptile::fuzz
