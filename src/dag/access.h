// How a load walks its producer. Each dimension of the producer is indexed by
//
//     floor((sum_i numerator_i * loop_i + offset) / denominator),   offset in [lo, hi],
//
// a row of a rational access matrix, which covers stencils (lo < hi), down- and up-sampling (a numerator or denominator
// of 2), transposition and reductions; `clamp`s and boundary conditions are seen through (they only shrink a region).
// What is no such function of the loops (a gather, a value read from a buffer) is the interval of values it can take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dag/region.h"

namespace warptile {

struct Term {
    int loop = 0;  ///< index in Stage::loops of the consumer's stage
    int64_t numerator = 1;

    bool operator==(const Term &o) const { return loop == o.loop && numerator == o.numerator; }
};

/// `times` times what is left of (sum of the terms + offset) where it is divided by `by`: 0 to by - 1, whatever the
/// sign.
struct Remainder {
    std::vector<Term> terms;
    int64_t offset = 0, by = 1, times = 1;
};

/// About how far an index moves with a step of a loop.
struct Drift {
    int loop = 0;  ///< as in Term
    double step = 0;
};

/// One dimension of one load, or of several loads that differ in the offset only.
struct AxisAccess {
    enum class Kind {
        Affine,    ///< as above
        Absolute,  ///< any value of [lo, hi], whatever the loops
        Unknown    ///< anywhere in the producer's estimate
    };
    Kind kind = Kind::Affine;
    /// Ordered by loop; none: the constant [lo, hi]. A loop occurs twice, with opposite signs, where the index does not
    /// cancel in Halide's interval arithmetic either (`x - x/2`).
    std::vector<Term> terms;
    int64_t denominator = 1;  ///< > 0
    int64_t lo = 0, hi = 0;
    bool clamped = false;           ///< seen through a clamp whose bounds do not depend on the loops
    Interval limits = kEverything;  ///< the clamp's bounds at the estimates; a `min` or `max` alone gives one of them

    /// A limit depends on a buffer's size (or a parameter): a boundary condition, beyond which nothing of it is read. A
    /// clamp to constants may lie beyond what is there.
    bool sized = false;

    /// What it covers depends on the estimate of a parameter or of a buffer's size, and is another where that is
    /// another. (The limits of a clamp do not count: they only shrink what is covered.)
    bool estimated = false;

    /// Of what an update touches of its own Func: 0, or it is more by lo than an offset that depends on sizes
    /// (`halide/symbolic_offsets.h`), the same for equal numbers.
    int symbol = 0;
    /// Likewise: these are added (`halide/remainders.h`).
    std::vector<Remainder> remainders;

    /// Of what is no rational function of the loops, or of which an offset is none: loops and parameters alone decide
    /// it, and it moves with each loop about so far (`halide/drift.h`). False: the above says it all, or data choose.
    bool follows = false;
    std::vector<Drift> drift;

    bool same_matrix(const AxisAccess &o) const {
        return kind == o.kind && terms == o.terms && denominator == o.denominator && limits == o.limits;
    }
};

/// One load (or several with the same matrix): one AxisAccess a dimension of the producer.
struct Access {
    std::vector<AxisAccess> axes;
    /// Distinct loads merged into this one. A load whose index is one of several (`select(c, x, w - x)`) is an access
    /// for each, and counts in the first.
    int loads = 1;
};

/// The interval that an axis covers while loop i runs over `loops[i]`. `whole` is returned for Unknown.
Interval covered(const AxisAccess &axis, const Region &loops, const Interval &whole);

/// The largest extent that an axis can cover for loops of these extents, wherever they start: for a denominator above
/// one it depends on the alignment, and a storage bound must hold for all of them. `whole` as above.
int64_t max_extent(const AxisAccess &axis, const std::vector<int64_t> &extents, const Interval &whole);

std::string to_string(const AxisAccess &axis);

}  // namespace warptile
