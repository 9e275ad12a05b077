#pragma once

// What the kinds of stages (stages_*.cpp) share while they build a random pipeline: the Funcs and inputs that a new
// stage may read, names, and loads whose values are known to be small.

#include <string>
#include <vector>

#include "pipeline.h"
#include "value.h"

namespace warptile::fuzz {

/// No extent of an input is larger.
constexpr int longest_input = 1500;

/// One element of the tuple that a Source holds.
struct Element {
    Halide::Type type;
    double lo = 0, hi = 0;
    bool exact = true;
};

/// A Func or a raw input that stages can read.
struct Source {
    Halide::Func func;         ///< undefined for a raw input
    Halide::ImageParam image;  ///< undefined for a Func
    int dims = 0;
    std::vector<Element> elements;
    /// Per dimension: 0, or the source is only of interest within [0, extent): a small table, a histogram.
    std::vector<int> extents;
    /// Per dimension, how far an output of this Func must reach at least: its updates write at constant places.
    std::vector<int> needed;
    bool read = false;  ///< some stage reads it
};

class Builder {
public:
    explicit Builder(uint64_t seed);

    Prng prng;
    Prng rows;  ///< of its own, so that what else a seed draws is what it was
    RandomPipeline pipeline;
    std::vector<Source> sources;
    int resamplings_left = 2;  ///< each doubles the region of everything before it
    int work_left = 40000;     ///< points of reductions that may still be added for each row of the consumer

    void drew(const char *trait) { pipeline.traits.insert(trait); }

    /// The vars of a stage of that many dimensions: x, y, z, w.
    const std::vector<Halide::Var> &vars() const { return vars_; }

    std::vector<Halide::Expr> coordinates(int dims) const;

    Halide::Func new_func(const char *kind);
    Halide::RDom new_rdom(const std::vector<std::pair<Halide::Expr, Halide::Expr>> &ranges);

    /// The index of a source that suits: mostly the newest, so that chains grow; `dims` < 0: any number of dimensions.
    int choose(int dims = -1);
    /// The same, never a source of no dimensions.
    int choose_with_dims();

    /// An element of the source at `at`; indices of small tables are clamped. A float16 comes as a float32.
    Value load(int source, int element, std::vector<Halide::Expr> at);
    /// A random element of the source at a point given by the loops: dimension d at loops[d], or at a small constant
    /// where there are not as many loops.
    Value load_at_point(int source, const std::vector<Halide::Expr> &loops);
    Value random_scalar(Halide::Type t);

    /// Makes `f` a source whose elements are those of `values`, which are what it was (or will be) defined with.
    int add_source(const Halide::Func &f, int dims, const std::vector<Value> &values);

    /// Values for a Func of a random type, to be stored: the first is `v`, and some Funcs are tuples of more.
    std::vector<Value> stored(const Value &v);
    void define(Halide::Func &f, const std::vector<Halide::Var> &args, const std::vector<Value> &values);

private:
    std::vector<Halide::Var> vars_;
    int funcs_ = 0, rdoms_ = 0;
};

/// One kind of stage: adds one Func or a few and makes them sources.
using StageKind = void (*)(Builder &);

void add_pointwise(Builder &b);
void add_stencil(Builder &b);
void add_separable_stencil(Builder &b);
void add_downsample(Builder &b);
void add_upsample(Builder &b);
void add_boundary_of_func(Builder &b);
void add_gather(Builder &b);
void add_transpose(Builder &b);
void add_slices(Builder &b);
void add_new_dimension(Builder &b);

void add_axis_reduction(Builder &b);
void add_sum_of_sums(Builder &b);
void add_full_reduction(Builder &b);
void add_argmax(Builder &b);
void add_convolution(Builder &b);
void add_matrix_product(Builder &b);
void add_normalized_rows(Builder &b);
void add_scan(Builder &b);
void add_histogram(Builder &b);
void add_patches(Builder &b);

void add_stores(Builder &b);
void add_scatter(Builder &b);
void add_chain_of_updates(Builder &b);
void add_use_of_a_total(Builder &b);
void add_mosaic(Builder &b);

/// Makes the inputs of the pipeline, behind boundary conditions or raw, and a constant table.
void add_inputs(Builder &b);

}  // namespace warptile::fuzz
