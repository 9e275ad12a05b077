#pragma once

// What a point of a stage costs once the Funcs inlined into it are: operations, and loads of what is not inlined. The
// access matrices of inlined Funcs are multiplied through, and equal matrices share their taps, as common
// subexpressions do in Halide: nine taps of a product of gradients are nine loads of each gradient, not twenty-seven.

#include <memory>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// How one dimension of a load moves with the loops of the stage: offset + sum slope[i] * loop i.
struct LoadAxis {
    bool known = true;          ///< false: it does not move so, but about so where it `follows`, or data choose it
    bool follows = false;       ///< of what is not known: loops and parameters alone decide it
    std::vector<double> slope;  ///< per loop of the stage
    double lo = 0, hi = 0;      ///< the offsets of all taps

    /// Whether `slope` says which way it goes.
    bool has_way() const { return known || follows; }
};

/// All taps of one producer that move alike.
struct ExpandedLoad {
    int producer = 0;
    std::vector<LoadAxis> axes;
    double count = 1;  ///< distinct taps a point
    bool known() const;
    /// Some index walks `loop` by a fraction, as `x / 2` does.
    bool divided(size_t loop) const;
    /// Neighbours along `loop` read what lies rows apart, and those along another loop what lies side by side: the load
    /// goes through its producer as through a transposed one.
    bool walks_across(size_t loop) const;
    /// Loads that `unrolled` points (per loop of the stage) make together. A compiler that does not know where a tile
    /// starts cannot see that x / 2 and (x + 1) / 2 are often one place: points along a divided loop share none.
    double distinct(const std::vector<double> &unrolled) const;
    /// The same where places that two points have in common are loaded for each of them. In global memory they are: the
    /// index of each point's tap is made up from the loops of the tile in its own way, and the compiler, which does not
    /// know that nothing overflows, cannot tell that two of them are equal. Only what does not move with a loop is
    /// loaded once for all its points.
    double repeated(const std::vector<double> &unrolled) const;
};

/// An inlined Func, and how often a point of the stage evaluates it.
struct Evaluation {
    int node = 0;
    double count = 0;
};

struct Expansion {
    /// The same for a thread that has all steps of one loop, in which a channel goes (`Stage::channel`), unrolled: a
    /// point's share of what they cost together. None where there is no such loop.
    std::shared_ptr<const Expansion> together;
    int channel_loop = -1;  ///< that loop of the stage …
    int channels = 1;       ///< … and its steps

    double float_ops = 0, int_ops = 0, special_ops = 0;
    double index_ops = 0;                 ///< of indices alone, as in OpCounts
    std::vector<ExpandedLoad> loads;      ///< by descending producer
    std::vector<Evaluation> evaluations;  ///< by descending node

    double ops() const { return float_ops + int_ops + index_ops + special_ops; }

    /// A measure of the code's size: most integer operations are indices that several points share or that are hoisted.
    double size() const { return float_ops + 0.35 * (int_ops + index_ops) + 4 * special_ops; }

    double load_count() const;
};

/// `inlined` by node id; only Funcs without updates may be.
Expansion expand(const FunctionDag &dag, int node, int stage, const std::vector<bool> &inlined);

}  // namespace warptile
