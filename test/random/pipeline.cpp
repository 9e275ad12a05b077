#include "pipeline.h"

#include <algorithm>

#include "builder.h"

namespace warptile::fuzz {

using Halide::Expr;
using Halide::Func;
using Halide::Type;

namespace {

struct Weighted {
    StageKind add;
    int weight;
};

const std::vector<Weighted> &kinds() {
    static const std::vector<Weighted> all = {
        {add_pointwise, 16},     {add_stencil, 18},        {add_separable_stencil, 10},
        {add_downsample, 5},     {add_upsample, 5},        {add_boundary_of_func, 3},
        {add_gather, 4},         {add_transpose, 3},       {add_slices, 3},
        {add_new_dimension, 3},  {add_axis_reduction, 9},  {add_sum_of_sums, 10},
        {add_full_reduction, 3}, {add_argmax, 3},          {add_convolution, 5},
        {add_matrix_product, 3}, {add_normalized_rows, 4}, {add_scan, 3},
        {add_histogram, 9},      {add_patches, 4},         {add_stores, 8},
        {add_scatter, 7},        {add_use_of_a_total, 4},  {add_chain_of_updates, 4},
        {add_mosaic, 4}};
    return all;
}

void add_some_stage(Builder &b) {
    int total = 0;
    for (const Weighted &k : kinds()) {
        total += k.weight;
    }
    int at = b.prng.below(total);
    for (const Weighted &k : kinds()) {
        if ((at -= k.weight) < 0) {
            return k.add(b);
        }
    }
}

/// Far from the estimates: one dimension ten to a thousand times as long, or short; the others short enough for the
/// pipeline to remain small.
std::vector<int> far_extents(Prng &prng, const std::vector<int> &estimate, int most_points) {
    std::vector<int> extents = estimate;
    const int dims = static_cast<int>(estimate.size()), longest = dims > 0 ? prng.below(dims) : 0;
    const int times = prng.chance(25) ? 0 : prng.pick(std::vector<int>{10, 30, 100, 1000});
    for (int d = 0; d < dims; d++) {
        int &extent = extents[static_cast<size_t>(d)];
        extent = d == longest ? std::clamp(extent * times, 1, most_points) : prng.between(1, 3);
    }
    int points = 1;
    for (const int e : extents) {
        points *= e;
    }
    if (points > most_points) {
        extents[static_cast<size_t>(longest)] /= points / most_points + 1;
    }
    return extents;
}

/// Extents of an output: small enough for a pipeline to run in milliseconds on a slow core.
std::vector<int> output_extents(Prng &prng, const Source &s, int which) {
    static const std::vector<std::vector<int>> largest = {{}, {700}, {150, 80}, {60, 30, 6}, {24, 12, 5, 4}};
    std::vector<int> extents;
    for (size_t d = 0; d < static_cast<size_t>(s.dims); d++) {
        const int most = largest[static_cast<size_t>(s.dims)][d];
        const int usual = prng.between(std::max(1, most / 3), most);
        const int odd = prng.between(0, std::max(1, most / 3)) * 2 + 1;
        const int estimate = prng.chance(15) ? prng.between(1, 9) : usual;
        const int tiny = prng.between(1, 3);
        extents.push_back(std::max(which == 0 ? estimate : which == 1 ? tiny : odd, s.needed[d]));
    }
    return extents;
}

/// A Func that reads source i at the point itself, and something else.
int add_reader(Builder &b, size_t i) {
    const Source s = b.sources[i];
    const std::vector<Expr> at = b.coordinates(s.dims);
    Value v = b.load(static_cast<int>(i), 0, at);
    const Value other = b.load_at_point(b.prng.below(static_cast<int>(b.pipeline.inputs.size())), at);
    const Type t = type_for(working_type(b.prng), {v, other});
    v = combine(b.prng, convert(v, t), convert(other, t));
    Func f = b.new_func("last");
    const std::vector<Value> values = b.stored(v);
    b.define(f, {b.vars().begin(), b.vars().begin() + s.dims}, values);
    return b.add_source(f, s.dims, values);
}

void add_output(Builder &b, const Source &s, const std::vector<std::vector<int>> &sizes) {
    Func f = s.func;
    for (size_t d = 0; d < static_cast<size_t>(s.dims); d++) {
        f.set_estimate(f.args()[d], 0, sizes[0][d]);
    }
    b.pipeline.outputs.push_back(f);
    b.pipeline.exact_outputs.push_back(
        std::all_of(s.elements.begin(), s.elements.end(), [](const Element &e) { return e.exact; }));
    for (size_t which = 0; which < sizes.size(); which++) {
        b.pipeline.sizes[which].push_back(sizes[which]);
    }
}

/// How many points an output has at the most, far from the estimates. A raw input of three dimensions may be read along
/// several of them by the one that is long: the box of what it is read at has the square of that.
int most_far_points(const RandomPipeline &pipeline) {
    const bool deep = std::any_of(pipeline.inputs.begin(), pipeline.inputs.end(),
                                  [](const InputBuffer &in) { return in.raw && in.param.dimensions() > 2; });
    return deep ? 300 : 8000;
}

/// The outputs are the stages that nobody reads, at most three. Some are read by one more output of the same size.
void choose_outputs(Builder &b) {
    std::vector<size_t> chosen;
    for (size_t i = 0; i < b.sources.size(); i++) {
        const Source &s = b.sources[i];
        const bool stage = std::any_of(b.pipeline.stages.begin(), b.pipeline.stages.end(),
                                       [&](const Func &f) { return s.func.defined() && f.name() == s.func.name(); });
        if (stage && !s.read) {
            chosen.push_back(i);
        }
    }
    while (chosen.size() > 3) {
        chosen.erase(chosen.begin());
    }
    b.pipeline.sizes.resize(size_count);
    // Of outputs that are long in different directions what both read would be as large as the product.
    const size_t longest = chosen.empty() ? 0 : chosen[b.pipeline.seed % chosen.size()];
    for (const size_t i : chosen) {
        std::vector<std::vector<int>> sizes;
        const bool updated = b.sources[i].func.has_update_definition();
        const bool only_reader = updated && b.prng.chance(60), both = !only_reader && b.prng.chance(20);
        const size_t last = only_reader || both ? static_cast<size_t>(add_reader(b, i)) : i;
        const Source &sized = b.sources[only_reader ? last : i];
        for (int which = 0; which + 1 < size_count; which++) {
            sizes.push_back(output_extents(b.prng, sized, which));
        }
        sizes.push_back(far_extents(b.prng, sizes[0], most_far_points(b.pipeline)));
        for (size_t d = 0; d < sizes.back().size(); d++) {
            const int far = i == longest ? sizes.back()[d] : std::min(sizes.back()[d], sizes[0][d]);
            sizes.back()[d] = std::max(far, sized.needed[d]);
            if (sizes.back()[d] >= 10 * sizes[0][d]) {
                b.drew("sizes far from the estimates");
            }
        }
        if (!only_reader) {
            add_output(b, b.sources[i], sizes);
        }
        if (last != i) {
            add_output(b, b.sources[last], sizes);
        }
    }
}

}  // namespace

RandomPipeline make_pipeline(uint64_t seed) {
    Builder b(seed);
    add_inputs(b);
    const int stages = b.prng.between(1, 5);
    for (int i = 0; i < stages; i++) {
        add_some_stage(b);
    }
    choose_outputs(b);
    return b.pipeline;
}

}  // namespace warptile::fuzz
